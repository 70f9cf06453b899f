// Whose conversation this browser goes on with: the server's token, and the identity for which the page's server vouches.
import { forgetAll, recall, remember } from "./memory.js";
import { call } from "./server.js";

export class Session {
  constructor() {
    /** @type {string | null} */
    this.token = null;
    this.locale = "en"; // until the page says which
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
    else if (!isSame) remember("token", null); // what was said before signing in stays where it is
    remember("subject", now);
    this.token = recall("token");
    return isSame;
  }

  /** @param {object} [more] @returns {Promise<any>} the conversation as it stands, as a frame */
  async open(more) {
    const { token, locale, identity, page } = this;
    const session = await call("POST", "sessions", { token, body: { locale, identity, page, ...more } });
    this.token = session.token;
    remember("token", session.token);
    return { type: "snapshot", ...session, events: session.messages };
  }

  /** The server knows the token no more. */
  lose() {
    this.token = null;
    remember("token", null);
  }

  /** Leave nothing in this browser with which the conversation could be read. */
  end() {
    const { token } = this;
    if (token) call("POST", "logout", { token, body: {}, keepalive: true }).catch(() => {});
    this.token = null;
    this.identity = undefined;
    forgetAll();
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
