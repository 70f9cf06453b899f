// Requests to our own server. A session that has ended is renewed on the way, so that nothing typed is lost.
import { words } from "./words.js";

const BUDGET_MS = 15000;
const UNTOLD = ["unavailable", "internal"]; // the whole server failed; other codes say in words what did
const OUTDATED = ["signed_out", "csrf_refused"]; // the session has ended, or begun anew in another tab

/** The server understood and said no; its message is in words for the agent. */
export class Refused extends Error {
  /** @param {number} status @param {string} code @param {string} message */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Our server could not be reached, or failed; trying again may help. */
export class Unreached extends Error {
  constructor() {
    super(words.notReached);
  }
}

export class Api {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
  }

  /** @param {string} path below /console/v1/ @param {number} [budgetMs] longer for what takes the server long @returns {Promise<any>} */
  get(path, budgetMs = BUDGET_MS) {
    return this.#call("GET", path, undefined, budgetMs);
  }

  /** @param {string} path @param {object} [body] @returns {Promise<any>} */
  post(path, body = {}) {
    return this.#call("POST", path, body);
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  put(path, body) {
    return this.#call("PUT", path, body);
  }

  /** @param {string} path @returns {Promise<any>} */
  remove(path) {
    return this.#call("DELETE", path);
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {number} [budgetMs] */
  async #call(method, path, body, budgetMs) {
    try {
      return await this.#once(method, path, body, budgetMs);
    } catch (error) {
      if (!(error instanceof Refused && OUTDATED.includes(error.code))) throw error;
      await this.session.look();
      return this.#once(method, path, body, budgetMs);
    }
  }

  /** @param {string} method @param {string} path @param {object} [body] @param {number} [budgetMs] */
  async #once(method, path, body, budgetMs) {
    return read(await send(method, path, this.session.csrf, body, budgetMs));
  }
}

/**
 * @param {string} method @param {string} path @param {string} csrf @param {object} [body] @param {number} [budgetMs]
 * @returns {Promise<Response>} rejects with Unreached when there is no answer
 */
export async function send(method, path, csrf, body, budgetMs = BUDGET_MS) {
  const headers = new Headers(body && { "Content-Type": "application/json" });
  if (method !== "GET") headers.set("X-Candor-CSRF", csrf);
  try {
    return await fetch(`/console/v1/${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(budgetMs),
    });
  } catch {
    throw new Unreached();
  }
}

/** @param {Response} response @returns {Promise<any>} rejects with Refused for what is told in words, with Unreached for the rest */
export async function read(response) {
  const found = response.status === 204 ? {} : await response.json().catch(noBody);
  if (response.ok && found) return found;
  const code = found?.error?.code;
  if (!found || (response.status >= 500 && (!code || UNTOLD.includes(code)))) throw new Unreached();
  throw new Refused(response.status, found.error?.code ?? "", found.error?.message ?? words.wentWrong);
}

/** @returns {any} what stands for a body that is no JSON */
function noBody() {
  return null;
}
