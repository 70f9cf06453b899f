// Why the bot did what it did: the evidence of one turn, the handoffs, and the place to say that an answer is wrong.
import { build } from "./build.js";
import { found, quiet, searched, section, steps } from "./evidence-parts.js";
import { asked } from "./evidence-records.js";
import { evidenceWords } from "./evidence-words.js";
import { Refused } from "./server.js";
import { sentenceCase } from "./desk-row.js";
import { timeOf } from "./time.js";
import { Verdict } from "./verdict.js";
import { words } from "./words.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

export class DeskEvidence extends HTMLElement {
  /** @type {Map<string, any>} */
  #known = new Map();
  /** @type {string | null | undefined} */
  #turn = undefined; // which is shown; undefined for none yet

  /** @param {import("./server.js").Api} api @param {(seq: number, remark: string) => Promise<void>} mark */
  attach(api, mark) {
    this.api = api;
    this.summary = build("div", { className: "summary" });
    this.verdict = new Verdict(mark);
    this.body = build("div");
    this.append(this.summary, this.verdict.element, this.body);
  }

  /** Begin with another conversation. @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    this.asked = null;
    this.#turn = undefined;
    this.#known.clear();
    this.verdict.close();
    this.show();
  }

  /** Follow the conversation, unless an agent has asked about an answer. */
  show() {
    this.#showSummary();
    void this.#showTurn(this.asked ?? this.conversation.turnInQuestion);
  }

  /** @param {string} turn */
  ask(turn) {
    this.asked = turn;
    this.#turn = undefined; // what could not be read before is tried again
    this.verdict.close();
    this.show();
  }

  /** @param {string} turn @param {number} seq */
  judge(turn, seq) {
    this.ask(turn);
    this.verdict.open(seq);
  }

  #showSummary() {
    const note = this.conversation.notesInOrder.findLast(({ summary }) => summary);
    const key = String(note?.seq ?? 0);
    if (this.summary.dataset.shown === `${this.conversation.id} ${key}`) return;
    this.summary.dataset.shown = `${this.conversation.id} ${key}`;
    const lines = note ? [section(evidenceWords.summary, build("p", { className: "plain" }, note.text))] : [];
    this.summary.replaceChildren(...lines);
  }

  /** @param {string | null} turn */
  async #showTurn(turn) {
    const handoffs = handoffList(this.conversation);
    if (turn === this.#turn) return void this.body.querySelector(".handoffs")?.replaceWith(handoffs);
    this.#turn = turn;
    if (turn === null) return this.body.replaceChildren(quiet(evidenceWords.noTurn), handoffs);
    this.body.replaceChildren(quiet(words.loading));
    const parts = await this.#partsOf(turn);
    if (turn === this.#turn) this.body.replaceChildren(...parts, handoffList(this.conversation));
  }

  /** @param {string} turn @returns {Promise<Node[]>} */
  async #partsOf(turn) {
    const path = `${this.conversation.path}/turns/${encodeURIComponent(turn)}`;
    try {
      const evidence = this.#known.get(turn) ?? (await this.api.get(path));
      this.#known.set(turn, evidence);
      return partsOf(evidence);
    } catch (error) {
      const isGone = error instanceof Refused && error.status === 404;
      return [quiet(isGone ? evidenceWords.gone : /** @type {Error} */ (error).message)];
    }
  }
}

/** @param {any} evidence @returns {Node[]} */
function partsOf(evidence) {
  const { query, passages, threshold, stages, records } = evidence;
  const table = section(evidenceWords.stages, steps(stages));
  const list = query || passages.length ? [found(passages, threshold)] : [];
  const own = records ? [asked(records)] : [];
  return [why(evidence), ...own, searched(query), ...list, table, details(evidence)];
}

/** @param {any} evidence */
function why({ outcome, reason, reason_text, rule, triage_text, failing, truthful, records, passages }) {
  const isOwn = outcome === "answer" && records && !passages.length;
  const ended = isOwn ? "records" : outcome;
  const said = reason
    ? build("p", { className: "reason" }, `${sentenceCase(reason_text)}.`)
    : build("p", {}, evidenceWords.answerOf(evidenceWords.outcomes[ended] ?? ended));
  const lines = [said];
  if (triage_text) lines.push(build("p", {}, `${sentenceCase(triage_text)}.`));
  if (rule) lines.push(build("p", {}, `${evidenceWords.rule}: ${rule}`));
  if (failing) {
    const what = [failing.stage_text, failing.error].filter(Boolean).join(": ");
    lines.push(build("p", { className: "failing" }, `${evidenceWords.failed}: ${what}`));
  }
  if (truthful === false) lines.push(build("p", { className: "failing" }, evidenceWords.untruthful));
  return section(reason ? evidenceWords.handoff : evidenceWords.answer, ...lines);
}

/** @param {any} evidence */
function details(evidence) {
  const entries = Object.entries(evidenceWords.names)
    .filter(([name]) => evidence[name] !== null && evidence[name] !== undefined && evidence[name] !== "")
    .flatMap(([name, label]) => {
      const value = name === "settled_at" ? timeOf(evidence[name]) : String(evidence[name]);
      return [build("dt", {}, label), build("dd", {}, value)];
    });
  return build(
    "details",
    { className: "technical" },
    build("summary", {}, evidenceWords.details),
    build("dl", {}, ...entries),
  );
}

/** @param {Conversation} conversation */
function handoffList({ handoffs }) {
  const items = handoffs.map(({ opened_at, reason_text, closed_at }) => {
    const end = closed_at ? [" – ", timeOf(closed_at)] : [` (${evidenceWords.handoffOpen})`];
    return build("li", {}, timeOf(opened_at), ...end, build("br"), sentenceCase(reason_text));
  });
  const box = build("div", { className: "handoffs" });
  if (items.length) box.append(section(evidenceWords.handoffs, build("ol", {}, ...items)));
  return box;
}

customElements.define("desk-evidence", DeskEvidence);
