// What the customer sees, as data: messages by seq, what is on its way, the running answer, the state, who is there.

/** @typedef {{id: string, title: string, url: string | null}} Source */
/**
 * @typedef {{seq: number, role: "customer" | "bot" | "agent", automated: boolean, kind: string, text: string,
 *   html: string | null, at: number, sources: Source[], options: string[], interrupted: boolean,
 *   reason: string | null, client_message_id: string | null, revises: number | null,
 *   agent: string | null}} Message
 */
/** @typedef {{position: number, text: string, html: string, turn?: string}} Block */
/** @typedef {{id: string, path: string, body: object, text: string, file?: Blob}} Sending */
/**
 * Where the customer stands: the place in the queue, how long others waited, when the team is back, which agent is there,
 * and how the customer rated what is resolved.
 * @typedef {{state: string, answering: boolean, position?: number | null, expected_wait_s?: number | null,
 *   opens_at?: number | null, agent?: string | null, rating?: number | null}} Status
 */

/** @type {Status} */
const AT_FIRST = { state: "bot", answering: false };

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
    this.status = AT_FIRST;
    this.readByAgents = 0;
    this.agentTypes = false;
    this.endAnswer();
  }

  get state() {
    return this.status.state;
  }

  get answering() {
    return this.status.answering;
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

  /** What is shown. @returns {Message[]} */
  get inOrder() {
    return [...this.messages.values()].sort((a, b) => a.seq - b.seq).filter((one) => !one.revises);
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
      case "snapshot":
        return this.#restore(frame);
      case "draft":
        this.#show(frame);
        break;
      case "progress":
        this.step = frame.step;
        break;
      case "status":
        this.#turnTo(frame);
        break;
      case "typing":
        this.agentTypes = true;
        break;
      case "read":
        this.readByAgents = Math.max(this.readByAgents, frame.seq);
    }
    return [];
  }

  /** @param {Message} message */
  #add(message) {
    if (this.messages.has(message.seq)) return [];
    this.messages.set(message.seq, message);
    if (message.revises) return [];
    this.sending = this.sending.filter((one) => one.id !== message.client_message_id);
    if (message.role !== "customer") this.endAnswer();
    if (message.role === "agent") this.agentTypes = false;
    return [message];
  }

  /** @param {Block} block */
  #show(block) {
    if (this.turn !== null && this.turn !== block.turn) this.draft = [];
    this.turn = block.turn ?? null;
    this.draft[block.position] = block;
  }

  /** @param {Status} status */
  #turnTo(status) {
    this.status = status;
    if (!status.answering) this.endAnswer();
    if (status.state !== "claimed") this.agentTypes = false;
  }

  /** @param {any} snapshot */
  #restore(snapshot) {
    if (snapshot.reset) this.reset();
    const fresh = snapshot.events.flatMap((/** @type {Message} */ message) => this.#add(message));
    this.endAnswer();
    this.#turnTo(snapshot);
    this.readByAgents = Math.max(this.readByAgents, snapshot.read);
    if (snapshot.answering) this.draft = snapshot.draft;
    return fresh;
  }
}
