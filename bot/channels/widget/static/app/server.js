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
 * @typedef {{token?: string | null, body?: object, headers?: Record<string, string>, keepalive?: boolean, budgetMs?: number}} Options
 * a Blob is sent as it is, any other body as JSON
 */

/**
 * @param {"GET" | "POST"} method @param {string} path @param {Options} options
 * @returns {Promise<Response>} rejects with Refused for a 4xx, and with another error when trying again may help
 */
export async function request(method, path, { token, body, headers: more, keepalive, budgetMs = BUDGET_MS }) {
  const headers = new Headers(more);
  const isFile = body instanceof Blob;
  if (body && !isFile) headers.set("Content-Type", "application/json");
  if (token) headers.set("Authorization", `Bearer ${token}`);
  const response = await fetch(`/widget/v1/${path}`, {
    method,
    headers,
    body: isFile ? body : body && JSON.stringify(body),
    cache: "no-store",
    keepalive,
    signal: AbortSignal.timeout(budgetMs),
  });
  if (response.ok) return response;
  if (response.status >= 500) throw new Error();
  // A proxy refuses in its own words.
  const { error = {} } = await response.json().catch(() => ({}));
  throw new Refused(response.status, error.code, error.message ?? words.notSent);
}

/** @param {"GET" | "POST"} method @param {string} path @param {Options} options @returns {Promise<any>} what was answered */
export async function call(method, path, options) {
  return (await request(method, path, options)).json();
}
