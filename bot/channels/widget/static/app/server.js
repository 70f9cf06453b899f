// Requests to our own server, and what it says when it refuses.
import { words } from "./words.js";

const BUDGET_MS = 15000;

/** The server understood and said no; trying the same again is no use. */
export class Refused extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {{token?: string | null, body?: object, keepalive?: boolean}} options
 * @returns {Promise<any>} rejects with Refused for a 4xx, and with another error when trying again may help
 */
export async function call(method, path, { token, body, keepalive }) {
  const headers = new Headers(body && { "Content-Type": "application/json" });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const response = await fetch(`/widget/v1/${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
    cache: "no-store",
    keepalive,
    signal: AbortSignal.timeout(BUDGET_MS),
  });
  const found = await response.json();
  if (response.ok) return found;
  if (response.status >= 500) throw new Error(found.error?.message);
  throw new Refused(response.status, found.error?.code, found.error?.message ?? words.notSent);
}
