// What an agent's console knows: the queue, the open conversation, and what is new. Follows the line.
import { Conversation } from "./conversation.js";
import { Line } from "./line.js";
import { setClock } from "./time.js";
import { newsOf } from "./news.js";

const TYPING_MS = 3000;

/** @typedef {import("./conversation.js").Row} Row */

/**
 * Events: `queue` (the rows changed), `conversation` (the open one changed), `arrived` (messages, live; detail is a list),
 * `news` (something an agent should hear of; detail is News), `line` (connected or not).
 */
export class Desk extends EventTarget {
  /** @param {import("./server.js").Api} api */
  constructor(api) {
    super();
    this.api = api;
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {Conversation | null} */
    this.conversation = null;
    this.isOffline = false;
    this.isLoaded = false;
    this.typedAt = 0;
    this.readUpTo = 0;
    this.line = new Line("/console/v1/socket", { type: "alive" }, this);
  }

  start() {
    this.line.open();
  }

  get inOrder() {
    return [...this.rows.values()].sort(byWait);
  }

  get waiting() {
    return this.inOrder.filter((row) => row.state === "queued").length;
  }

  /** @param {string} id */
  async open(id) {
    const conversation = new Conversation(id);
    this.conversation = conversation;
    this.readUpTo = 0;
    const view = await this.api.get(`${conversation.path}?after=0&notes_after=0`);
    if (this.conversation !== conversation) return;
    setClock(view.now);
    conversation.take(view);
    this.line.send(this.#watching(conversation));
    this.#tell("conversation");
  }

  shut() {
    if (!this.conversation) return;
    this.conversation = null;
    this.line.send({ type: "unwatch" });
  }

  /**
   * Do something to a conversation; its new owner is known at once.
   * @param {Conversation} conversation @param {string} move @param {object} [body]
   */
  async move(conversation, move, body) {
    const owner = await this.api.post(`${conversation.path}/${move}`, body);
    conversation.settle(owner);
    if (owner.message && !conversation.adds(owner.message)) await this.refresh();
    this.#tell("conversation");
  }

  /** Tell the customer that an answer is being written. @param {Conversation} conversation */
  typing(conversation) {
    if (Date.now() - this.typedAt < TYPING_MS) return;
    this.typedAt = Date.now();
    this.line.send({ type: "typing", conversation: conversation.id });
  }

  /** Everything shown so far has been read by an agent. */
  read() {
    const conversation = this.conversation;
    if (!conversation || conversation.after <= this.readUpTo) return;
    this.readUpTo = conversation.after;
    this.line.send({ type: "read", conversation: conversation.id, seq: conversation.after });
  }

  greeting() {
    this.readUpTo = 0;
    return [{ type: "hello" }, ...(this.conversation ? [this.#watching(this.conversation)] : [])];
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.now) setClock(frame.now);
    if (frame.type === "queue") this.#takeRows(frame.rows);
    else if (frame.type === "row") this.#takeRow(frame.row);
    else if (frame.type === "gone") this.#drop(frame.conversation);
    else if (this.conversation) this.#takeOfOpen(this.conversation, frame);
  }

  /** @param {boolean} isOffline */
  setOffline(isOffline) {
    if (this.isOffline === isOffline) return;
    this.isOffline = isOffline;
    this.#tell("line");
  }

  turnedAway() {
    this.line.close();
    void this.api.session.renew().then(() => this.line.open());
  }

  async poll() {
    const { now, rows } = await this.api.get("queue");
    this.take({ type: "queue", now, rows });
    await this.refresh();
  }

  /** Look again at the open conversation. */
  async refresh() {
    const open = this.conversation;
    if (!open) return;
    const news = await this.api.get(`${open.path}?after=${open.after}&notes_after=${open.notesAfter}`);
    this.take({ ...news, type: "conversation", conversation: open.id });
  }

  /** @param {Conversation} conversation @param {string} kind @param {number} seq @param {string} remark */
  async mark(conversation, kind, seq, remark) {
    const { mark } = await this.api.post(`${conversation.path}/marks`, { kind, seq, remark });
    const others = conversation.marks.filter((other) => other.kind !== kind || other.seq !== seq);
    conversation.marks = [...others, mark];
    this.#tell("conversation");
  }

  /** @param {Conversation} conversation @param {string} kind @param {number} seq */
  async unmark(conversation, kind, seq) {
    await this.api.remove(`${conversation.path}/marks/${kind}/${seq}`);
    conversation.marks = conversation.marks.filter((other) => other.kind !== kind || other.seq !== seq);
    this.#tell("conversation");
  }

  /** @param {Conversation} conversation */
  #watching({ id, after, notesAfter }) {
    return { type: "watch", conversation: id, after, notes_after: notesAfter };
  }

  /** @param {Row[]} rows */
  #takeRows(rows) {
    const before = this.rows;
    this.rows = new Map(rows.map((row) => [row.conversation, row]));
    if (this.isLoaded) for (const row of rows) this.#report(before.get(row.conversation), row);
    this.isLoaded = true;
    this.#tell("queue");
  }

  /** @param {Row} row */
  #takeRow(row) {
    const before = this.rows.get(row.conversation);
    this.rows.set(row.conversation, row);
    this.#report(before, row);
    this.#tell("queue");
  }

  /** @param {string} id */
  #drop(id) {
    if (this.rows.delete(id)) this.#tell("queue");
  }

  /** @param {Row | undefined} before @param {Row} after */
  #report(before, after) {
    const isInView = after.conversation === this.conversation?.id && document.hasFocus();
    const news = newsOf(before, after, isInView);
    if (news) this.#tell("news", news);
  }

  /** @param {Conversation} open @param {any} frame */
  #takeOfOpen(open, frame) {
    const about = frame.conversation ?? open.id;
    if (about !== open.id) return;
    if (frame.type === "conversation") {
      const fresh = open.take(frame);
      if (fresh.length) this.#tell("arrived", fresh);
    } else if (frame.type === "draft") open.takeDraft(frame);
    else if (frame.type === "progress") open.step = frame.step;
    else if (frame.type === "typing") open.typedAt = Date.now();
    else if (frame.type === "read") open.reads = { ...open.reads, customer: frame.seq };
    else return;
    this.#tell("conversation");
  }

  /** @param {string} name @param {any} [detail] */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Longest wait first; who waits for nobody comes last. @param {Row} a @param {Row} b */
function byWait(a, b) {
  const waited = (a.waiting_since ?? Infinity) - (b.waiting_since ?? Infinity);
  return waited || a.owned_since - b.owned_since || (a.conversation < b.conversation ? -1 : 1);
}
