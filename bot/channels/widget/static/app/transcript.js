// What the customer sees, as data: messages by seq, what is on its way, the running answer, the state.

/** @typedef {{id: string, title: string, url: string | null}} Source */
/**
 * @typedef {{seq: number, role: "customer" | "bot" | "agent", automated: boolean, kind: string, text: string,
 *   html: string | null, at: number, sources: Source[], options: string[], interrupted: boolean,
 *   reason: string | null, client_message_id: string | null}} Message
 */
/** @typedef {{position: number, text: string, html: string, turn?: string}} Block */
/** @typedef {{id: string, path: string, body: object, text: string}} Sending */

export class Transcript {
  constructor() {
    /** @type {Map<number, Message>} */
    this.messages = new Map();
    /** @type {Sending[]} */
    this.sending = [];
    this.reset();
  }

  reset() {
    this.messages.clear();
    this.state = "bot";
    this.answering = false;
    this.endAnswer();
  }

  endAnswer() {
    /** @type {Block[]} */
    this.draft = [];
    /** @type {string | null} */
    this.turn = null;
    /** @type {string | null} */
    this.step = null;
  }

  /** The cursor: everything up to here has been seen. */
  get after() {
    return Math.max(0, ...this.messages.keys());
  }

  /** @returns {Message[]} */
  get inOrder() {
    return [...this.messages.values()].sort((a, b) => a.seq - b.seq);
  }

  /**
   * Take in one frame from the server.
   * @param {any} frame
   * @returns {Message[]} the messages that are new
   */
  take(frame) {
    switch (frame.type) {
      case "message":
        return this.#add(frame);
      case "draft":
        this.#show(frame);
        return [];
      case "progress":
        this.step = frame.step;
        return [];
      case "status":
        this.#turnTo(frame);
        return [];
      case "snapshot":
        return this.#restore(frame);
      default:
        return [];
    }
  }

  /** @param {Message} message */
  #add(message) {
    if (this.messages.has(message.seq)) return [];
    this.messages.set(message.seq, message);
    this.sending = this.sending.filter((sending) => sending.id !== message.client_message_id);
    if (message.role !== "customer") this.endAnswer();
    return [message];
  }

  /** @param {Block} block */
  #show(block) {
    if (this.turn !== null && this.turn !== block.turn) this.draft = [];
    this.turn = block.turn ?? null;
    this.draft[block.position] = block;
  }

  /** @param {{state: string, answering: boolean}} status */
  #turnTo({ state, answering }) {
    this.state = state;
    this.answering = answering;
    if (!answering) this.endAnswer();
  }

  /** @param {any} snapshot */
  #restore(snapshot) {
    if (snapshot.reset) this.reset();
    const fresh = snapshot.events.flatMap((/** @type {Message} */ message) => this.#add(message));
    this.endAnswer();
    this.#turnTo(snapshot);
    if (snapshot.answering) this.draft = snapshot.draft;
    return fresh;
  }
}
