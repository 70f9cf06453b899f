// One conversation as the desk sees it, as data: what was said, the notes, who has it, what is being written.
export const TYPING_MS = 5000;

/** @typedef {{id: string, title: string, url: string | null}} Source */
/**
 * @typedef {{seq: number, role: "customer" | "bot" | "agent", kind: string, text: string, html: string | null,
 *   at: number, sources: Source[], options: string[], interrupted: boolean, reason: string | null,
 *   turn: string | null, agent: string | null, revises?: number | null, revised?: boolean,
 *   attachment?: {media_type: string, size: number} | null}} Message
 */
/** @typedef {{seq: number, author: string, automated: boolean, summary: boolean, text: string, at: number}} Note */
/** @typedef {{kind: string, seq: number, agent: string, at: number, remark: string}} Mark */
/** @typedef {{id: string, name: string}} Holder */
/** @typedef {{state: string, epoch: number, agent: Holder | null, mine: boolean}} Owner */
/**
 * @typedef {{epoch: number, reason: string, reason_text: string, turn: string | null, opened_at: number,
 *   claimed_at: number | null, replied_at: number | null, closed_at: number | null}} Handoff
 */
/**
 * @typedef {{conversation: string, customer: string, verified: boolean, channel: string, locale: string,
 *   state: string, agent: Holder | null, mine: boolean, reason: string | null, reason_text: string, first_line: string,
 *   waiting_since: number | null, owned_since: number, unread: number, alarm: boolean, late: boolean,
 *   contact: string | null}} Row
 */

export class Conversation {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.path = `conversations/${encodeURIComponent(id)}`;
    /** @type {Map<number, Message>} */
    this.messages = new Map();
    /** @type {Map<number, Note>} */
    this.notes = new Map();
    this.customer = "";
    this.verified = false;
    /** @type {import("./who.js").Page | null} */
    this.page = null;
    this.state = "";
    this.epoch = 0;
    /** @type {Holder | null} */
    this.agent = null;
    this.mine = false;
    /** @type {Row | null} */
    this.row = null;
    /** @type {Handoff[]} */
    this.handoffs = [];
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {import("./left-behind.js").Rating[]} */
    this.ratings = [];
    this.reads = { customer: 0, agent: 0 };
    this.keptDraft = "";
    this.typedAt = 0;
    /** @type {{position: number, text: string, html: string}[]} */
    this.draft = [];
    /** @type {string | null} */
    this.turn = null;
    /** @type {string | null} */
    this.step = null;
  }

  /** The cursor of the messages. */
  get after() {
    return Math.max(0, ...this.messages.keys());
  }

  get notesAfter() {
    return Math.max(0, ...this.notes.keys());
  }

  /** What is shown: edits and deletions have changed what they revise. */
  get inOrder() {
    return [...this.messages.values()].filter(({ revises }) => !revises).sort((a, b) => a.seq - b.seq);
  }

  get notesInOrder() {
    return [...this.notes.values()].sort((a, b) => a.seq - b.seq);
  }

  /** How much the agent has seen of what the customer wrote. */
  get lastCustomerSeq() {
    const written = [...this.messages.values()].filter(({ role }) => role === "customer");
    return Math.max(0, ...written.map(({ seq }) => seq));
  }

  get isTyping() {
    return Date.now() - this.typedAt < TYPING_MS;
  }

  /** The turn that an agent asks about first: the latest handoff's, else the latest that the bot settled. */
  get turnInQuestion() {
    const handedOver = this.handoffs.findLast((handoff) => handoff.turn)?.turn;
    return (
      handedOver ?? this.inOrder.findLast((message) => message.role === "bot" && message.turn)?.turn ?? null
    );
  }

  /** @param {string} kind @param {number} seq */
  markOf(kind, seq) {
    return this.marks.find((mark) => mark.kind === kind && mark.seq === seq) ?? null;
  }

  /** Take in what is new after our cursors, and the state as it is now. @param {any} view @returns {Message[]} new ones */
  take(view) {
    const fresh = view.messages.filter((/** @type {Message} */ { seq }) => !this.messages.has(seq));
    for (const message of fresh) this.#add(message);
    for (const note of view.notes) this.notes.set(note.seq, note);
    this.customer = view.customer;
    this.verified = view.verified;
    this.page = view.page;
    if (fresh.some((/** @type {Message} */ { role }) => role === "customer")) this.typedAt = 0;
    if (fresh.some((/** @type {Message} */ { role, revises }) => role !== "customer" && !revises))
      this.endAnswer();
    if (view.epoch >= this.epoch) this.#takeState(view);
    return fresh.filter((/** @type {Message} */ { kind }) => kind !== "tombstone");
  }

  /** @param {Message} message */
  #add(message) {
    this.messages.set(message.seq, message);
    const original = this.messages.get(message.revises ?? 0);
    if (!original) return;
    const { kind, text, html, attachment } = message;
    this.messages.set(original.seq, { ...original, kind, text, html, attachment, revised: true });
  }

  /** What the server answered to a reply; false when something before it is still on its way. @param {Message} message */
  adds(message) {
    if (message.seq > this.after + 1) return false;
    this.messages.set(message.seq, message);
    return true;
  }

  /** Answers may overtake each other: what is older changes nothing. @param {Owner} owner who has it now */
  settle({ state, epoch, agent, mine }) {
    if (epoch < this.epoch) return;
    this.state = state;
    this.epoch = epoch;
    this.agent = agent;
    this.mine = mine;
    if (state !== "bot") this.endAnswer();
  }

  /** @param {any} view */
  #takeState(view) {
    this.row = view.row;
    this.handoffs = view.handoffs;
    this.marks = view.marks;
    this.ratings = view.ratings ?? [];
    this.reads = view.reads;
    this.keptDraft = view.my_draft ?? "";
    this.draft = view.draft;
    this.settle(view);
  }

  /** @param {{position: number, text: string, html: string, turn: string | null}} block of the running answer */
  takeDraft(block) {
    if (this.turn !== null && this.turn !== block.turn) this.draft = [];
    this.turn = block.turn;
    this.draft[block.position] = block;
  }

  endAnswer() {
    this.draft = [];
    this.turn = null;
    this.step = null;
  }
}
