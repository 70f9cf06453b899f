// Whose conversation this browser goes on with: the server's token, and the identity for which the page's server vouches.
import { forgetAll, recall, remember } from "./memory.js";
import { call } from "./server.js";

export class Session {
  constructor() {
    /** @type {string | null} */
    this.token = null;
    // Until the page says which.
    this.locale = "en";
    /** @type {string | undefined} a signed JWT */
    this.identity = undefined;
    /** @type {{url: string, title: string} | undefined} where the customer is */
    this.page = undefined;
  }

  /**
   * Take up what the browser remembers, as far as it is this customer's.
   * @param {unknown} identity
   * @returns {boolean} whether the customer is the one from before
   */
  resume(identity) {
    this.identity = typeof identity === "string" ? identity : undefined;
    const [before, now] = [recall("subject"), subjectOf(this.identity)];
    const isSame = before === now;
    if (before !== null && !isSame) forgetAll();
    // What was said before signing in stays where it is.
    else if (!isSame) remember("token", null);
    remember("subject", now);
    this.token = recall("token");
    return isSame;
  }

  /**
   * Begin, one tab at a time, so that all go on with one conversation.
   * @param {object} [more] @returns {Promise<any>} it as it stands, as a frame; null when it is another tab's and the line will bring it
   */
  async open(more) {
    const begin = () => (!more && (this.token || this.follow()) ? null : this.#begin(more));
    // A frame that is refused storage is refused locks too, and no other tab knows of its conversation.
    const locked = await navigator.locks?.query().catch(() => null);
    return locked ? navigator.locks.request("candor", begin) : begin();
  }

  /** Go on with what another tab has begun. @returns {boolean} whether there is something, of the same customer's */
  follow() {
    const token = recall("token");
    if (!token || token === this.token || recall("subject") !== subjectOf(this.identity)) return false;
    this.token = token;
    return true;
  }

  /** @param {object} [more] */
  async #begin(more) {
    const { token, locale, identity, page } = this;
    const session = await call("POST", "sessions", { token, body: { locale, identity, page, ...more } });
    // It may be somebody else by now.
    if (identity !== this.identity) return this.#begin(more);
    this.token = session.token;
    remember("seen", 0);
    remember("token", session.token);
    return { type: "snapshot", ...session, events: session.messages };
  }

  /** The server knows the token no more. */
  lose() {
    if (recall("token") === this.token) remember("token", null);
    this.token = null;
  }

  /** Leave nothing in this browser with which the conversation could be read. */
  end() {
    const { token } = this;
    if (token) call("POST", "logout", { token, body: {}, keepalive: true }).catch(() => {});
    this.token = null;
    this.identity = undefined;
    forgetAll();
    // Other tabs leave too.
    remember("left", Date.now());
  }
}

/** Only to tell one customer from another; the server checks the signature. @param {string | undefined} identity */
function subjectOf(identity) {
  if (!identity) return null;
  try {
    const claims = identity.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    return String(JSON.parse(atob(claims)).sub);
  } catch {
    return identity;
  }
}
