// One customer's conversation: opens it, sends in order, keeps what could not be sent, and follows the line.
import { Line } from "./line.js";
import { Transcript } from "./transcript.js";
import { recall, remember } from "./memory.js";
import { Refused, call } from "./server.js";
import { Session } from "./session.js";
import { newId, pause, retryDelay, wake } from "./timing.js";
import { words } from "./words.js";

const TYPING_EVERY_MS = 3000;
const TYPING_SHOWN_MS = 6000; // an agent who types on says so again before that

/** @typedef {import("./transcript.js").Sending} Sending */

/** Events: `change` (look again), `arrived` (a message, live), `problem` (code, message, text to keep). */
export class Client extends EventTarget {
  constructor() {
    super();
    this.session = new Session();
    this.transcript = new Transcript();
    this.isOffline = false;
    this.line = new Line("/widget/v1/socket", { type: "ping" }, this);
    /** @type {Promise<any> | undefined} */
    this.opening = undefined;
    this.isSending = false;
    this.isCaughtUp = true; // what comes before that was seen before the reload
    this.typedAt = 0;
    this.readUpTo = 0;
    /** @type {number | undefined} */
    this.typingEnds = undefined;
  }

  get token() {
    return this.session.token;
  }

  /** @param {unknown} identity */
  start(identity) {
    this.session.resume(identity);
    this.transcript.sending = recall("sending") ?? [];
    this.isCaughtUp = !this.token;
    if (this.token) this.line.open();
    this.#changed();
    void this.#send();
  }

  /** Go on as the customer for whom the page's server vouches. @param {unknown} identity */
  identify(identity) {
    if (this.session.resume(identity)) return;
    this.line.close();
    this.transcript.reset();
    this.start(identity);
  }

  /** Show a known customer what there is of theirs from elsewhere. */
  async meet() {
    if (this.token || !this.session.identity) return;
    try {
      await this.#openSession();
    } catch (error) {
      if (error instanceof Refused) this.#complain(error);
    }
  }

  /** @param {string} text */
  say(text) {
    const trimmed = text.trim();
    if (trimmed) this.#queue("messages", { text: trimmed }, trimmed);
  }

  askForPerson() {
    this.#queue("handoff", {}, words.talkToPerson);
  }

  /** @param {number} seq @param {boolean} helped */
  judge(seq, helped) {
    this.#queue("feedback", { helped, message_seq: seq }, helped ? words.helped : words.didNotHelp);
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
    if (seq <= this.readUpTo) return;
    this.readUpTo = seq;
    this.line.send({ type: "read", seq });
  }

  /** What the line says first. */
  greeting() {
    return [{ type: "auth", token: this.token, after: this.transcript.after }];
  }

  /** Forget the conversation in this browser; the server keeps its record. */
  forget() {
    this.line.close();
    this.session.end();
    this.transcript.sending = [];
    this.transcript.reset();
    this.#changed();
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.type === "pong") return;
    const fresh = this.transcript.take(frame);
    if (frame.type === "snapshot") this.readUpTo = 0; // a new line knows nothing of it
    if (frame.type === "typing") this.#endTypingLater();
    this.#keep();
    this.#changed();
    for (const message of this.isCaughtUp && !frame.reset ? fresh : [])
      this.dispatchEvent(new CustomEvent("arrived", { detail: message }));
    if (frame.type === "snapshot") this.isCaughtUp = true;
  }

  /** @param {boolean} isOffline */
  setOffline(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.#changed();
    if (!isOffline) wake();
  }

  /** The server no longer knows our token: begin anew with what is still to be sent. */
  turnedAway() {
    this.line.close();
    this.session.lose();
    this.transcript.reset();
    this.#changed();
    void this.#send();
  }

  async poll() {
    if (!this.token) return;
    const found = await call("GET", `events?after=${this.transcript.after}`, { token: this.token });
    this.take({ type: "snapshot", ...found });
  }

  /** @param {string} path @param {object} body @param {string} text */
  #queue(path, body, text) {
    const id = newId();
    this.transcript.sending.push({ id, path, body: { client_message_id: id, ...body }, text });
    this.#keep();
    this.#changed();
    void this.#send();
  }

  /** One at a time and in order; the same id every time, so that a repeat is harmless. */
  async #send() {
    if (this.isSending) return;
    this.isSending = true;
    const sent = new Set();
    const next = () => this.transcript.sending.find((sending) => !sent.has(sending.id));
    for (let attempt = 0, sending = next(); sending; sending = next()) {
      if (await this.#deliver(sending)) {
        sent.add(sending.id);
        attempt = 0;
      } else {
        await pause(retryDelay(attempt++));
      }
    }
    this.isSending = false;
  }

  /** @param {Sending} sending @returns {Promise<boolean>} whether it is settled, one way or the other */
  async #deliver(sending) {
    try {
      if (!this.token) await this.#openSession();
      await call("POST", sending.path, { token: this.token, body: sending.body });
      this.setOffline(false);
      this.line.open();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) {
        this.setOffline(true);
        return false;
      }
      if (error.status === 401 && this.token) {
        this.turnedAway();
        return false;
      }
      this.#giveBack(sending, error);
      return true;
    }
  }

  async #openSession() {
    this.opening ??= this.session.open().finally(() => {
      this.opening = undefined;
    });
    this.transcript.take(await this.opening);
    this.line.open();
    this.#changed();
  }

  /** @param {Sending} sending @param {Refused} error */
  #giveBack(sending, error) {
    this.transcript.sending = this.transcript.sending.filter((other) => other !== sending);
    this.#keep();
    this.#changed();
    this.#complain(error, sending.path === "messages" ? sending.text : "");
  }

  /** @param {Refused} error @param {string} [text] what the customer wrote, to be given back */
  #complain({ code, message }, text = "") {
    this.dispatchEvent(new CustomEvent("problem", { detail: { code, message, text } }));
  }

  #endTypingLater() {
    clearTimeout(this.typingEnds);
    this.typingEnds = setTimeout(() => {
      this.transcript.agentTypes = false;
      this.#changed();
    }, TYPING_SHOWN_MS);
  }

  #keep() {
    remember("sending", this.transcript.sending);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
