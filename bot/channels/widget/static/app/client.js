// One customer's conversation: opens it, sends, follows the line, and stays in step with the other tabs.
import { Line } from "./line.js";
import { Outbox } from "./outbox.js";
import { Transcript } from "./transcript.js";
import { onOthers, recall, remember } from "./memory.js";
import { Refused, call } from "./server.js";
import { Session } from "./session.js";
import { wake } from "./timing.js";
import { words } from "./words.js";

const TYPING_EVERY_MS = 3000;
// An agent who types on says so again before that.
const TYPING_SHOWN_MS = 6000;

/** @typedef {{categories: string[], attachments: boolean, articles: number}} About */

/** Events: `change` (look again), `arrived` (a message, live), `problem` (code, message, text to keep). */
export class Client extends EventTarget {
  constructor() {
    super();
    this.session = new Session();
    this.transcript = new Transcript();
    this.isOffline = false;
    this.line = new Line("/widget/v1/socket", { type: "ping" }, this);
    /** @type {About | undefined} what the server offers, once it is known */
    this.about = undefined;
    /** @type {Promise<void> | undefined} */
    this.opening = undefined;
    this.outbox = new Outbox(this);
    // What comes before that was seen before the reload.
    this.isCaughtUp = true;
    this.typedAt = 0;
    this.readUpTo = 0;
    /** @type {number | undefined} */
    this.typingEnds = undefined;
    onOthers((name) => this.#follow(name));
  }

  get token() {
    return this.session.token;
  }

  /** @param {unknown} identity */
  start(identity) {
    this.session.resume(identity);
    this.outbox.restore();
    this.isCaughtUp = !this.token;
    if (this.token) this.line.open();
    this.changed();
    void this.outbox.send();
  }

  /** Go on as the customer for whom the page's server vouches. @param {unknown} identity */
  identify(identity) {
    if (this.session.resume(identity)) return;
    this.line.close();
    this.transcript.reset();
    this.start(identity);
  }

  /** The panel is open: learn what is offered, and show a known customer what there is of theirs from elsewhere. */
  async meet() {
    if (!this.about) void this.#learn();
    if (this.token || !this.session.identity) return;
    try {
      await this.openSession();
    } catch (error) {
      if (error instanceof Refused) this.complain(error);
    }
  }

  /** @param {string} text */
  say(text) {
    const trimmed = text.trim();
    if (trimmed) this.outbox.put("messages", { text: trimmed }, trimmed);
  }

  /** @param {string} category */
  choose(category) {
    this.outbox.put("messages", { text: category, category: true }, category);
  }

  askForPerson() {
    this.outbox.put("handoff", {}, words.talkToPerson);
  }

  /** @param {number} seq @param {boolean} helped */
  judge(seq, helped) {
    this.outbox.put("feedback", { helped, message_seq: seq }, helped ? words.helped : words.didNotHelp);
  }

  /** Show the agents that the customer writes, while one may be looking. */
  typing() {
    const { state } = this.transcript;
    if (state !== "queued" && state !== "claimed") return;
    if (Date.now() - this.typedAt < TYPING_EVERY_MS) return;
    this.typedAt = Date.now();
    this.line.send({ type: "typing" });
  }

  /** The customer has everything in view that there is. */
  read() {
    const seq = this.transcript.after;
    if (seq > this.#seen) {
      remember("seen", seq);
      this.changed();
    }
    if (seq <= this.readUpTo) return;
    this.readUpTo = seq;
    this.line.send({ type: "read", seq });
  }

  /** How much of what was said to the customer they have not seen, in this tab or another. */
  get unread() {
    return this.transcript.inOrder.filter(({ role, seq }) => role !== "customer" && seq > this.#seen).length;
  }

  /** @returns {number} */
  get #seen() {
    return recall("seen") ?? 0;
  }

  /** What the line says first. */
  greeting() {
    return [{ type: "auth", token: this.token, after: this.transcript.after }];
  }

  /** Forget the conversation in this browser; the server keeps its record. */
  forget() {
    this.session.end();
    this.#clear();
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.type === "pong") return;
    const fresh = this.transcript.take(frame);
    // A new line knows nothing of it.
    if (frame.type === "snapshot") this.readUpTo = 0;
    if (frame.type === "typing") this.#endTypingLater();
    this.outbox.keep();
    this.changed();
    for (const message of this.isCaughtUp && !frame.reset ? fresh : [])
      this.dispatchEvent(new CustomEvent("arrived", { detail: message }));
    if (frame.type === "snapshot") this.isCaughtUp = true;
  }

  /** @param {boolean} isOffline */
  setOffline(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.changed();
    if (!isOffline) wake();
  }

  /** The server no longer knows our token: begin anew with what is still to be sent. */
  turnedAway() {
    this.line.close();
    this.session.lose();
    this.transcript.reset();
    if (this.session.follow()) this.#goOn(null);
    this.changed();
    void this.outbox.send();
  }

  async poll() {
    if (!this.token) return;
    const { token } = this;
    const found = await call("GET", `events?after=${this.transcript.after}`, { token });
    if (token === this.token) this.take({ type: "snapshot", ...found });
  }

  /** Stay in step with the other tabs. @param {string | undefined} name what one of them remembers now */
  #follow(name) {
    if (name === "left") this.#clear();
    else if (name === "token" && this.session.follow()) this.#goOn(null);
    else this.changed();
  }

  #clear() {
    this.line.close();
    this.session.token = null;
    this.transcript.sending = [];
    this.transcript.reset();
    this.outbox.keep();
    this.changed();
  }

  async #learn() {
    try {
      this.about = await call("GET", `welcome?locale=${this.session.locale}`, {});
      this.changed();
    } catch {
      // it is a courtesy; the next opening asks again
    }
  }

  /** Begin, or begin anew with `restart`: the server keeps what was. @param {object} [more] @returns {Promise<void>} */
  openSession(more) {
    this.opening ??= this.session
      .open(more)
      .catch(async (error) => {
        if (error.code !== "identity_refused") throw error;
        return (await import("./doubt.js")).doubt(this);
      })
      .then((frame) => this.#goOn(frame))
      .finally(() => {
        this.opening = undefined;
      });
    return this.opening;
  }

  /** Go on with another conversation than before. @param {any} frame null when only the line will bring it */
  #goOn(frame) {
    this.line.close();
    this.transcript.reset();
    this.isCaughtUp = Boolean(frame);
    if (frame) {
      this.transcript.take(frame);
      this.about = frame;
    }
    this.line.open();
    this.changed();
    void this.outbox.send();
  }

  /** @param {{code: string, message: string}} error @param {string} [text] what the customer wrote, to be given back */
  complain({ code, message }, text = "") {
    this.dispatchEvent(new CustomEvent("problem", { detail: { code, message, text } }));
  }

  #endTypingLater() {
    clearTimeout(this.typingEnds);
    this.typingEnds = setTimeout(() => {
      this.transcript.agentTypes = false;
      this.changed();
    }, TYPING_SHOWN_MS);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
