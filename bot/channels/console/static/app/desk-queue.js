// The queue: live, the longest wait first, with filters that are kept.
import { build } from "./build.js";
import { DeskRow, sentenceCase } from "./desk-row.js";
import { recall, remember } from "./memory.js";
import { queueWords } from "./words.js";

/** @typedef {import("./conversation.js").Row} Row */
/** @typedef {"all" | "unclaimed" | "mine"} Whose */

/** @type {Record<Whose, (row: Row) => boolean>} */
const WHOSE = { all: () => true, unclaimed: (row) => row.state === "queued", mine: (row) => row.mine };

export class DeskQueue extends HTMLElement {
  /** @type {Map<string, DeskRow>} */
  #shown = new Map();
  #isDue = false;

  /** @param {import("./desk.js").Desk} desk @param {(id: string) => void} claim */
  attach(desk, claim) {
    this.desk = desk;
    this.claim = claim;
    this.whose = /** @type {Whose} */ (recall("sessionStorage", "whose") ?? "all");
    this.reason = "";
    this.heading = build("h2", { id: "queue-heading", tabIndex: -1 }, queueWords.heading);
    this.list = build("div", { role: "list", "aria-label": queueWords.list, className: "rows" });
    this.empty = build("p", { className: "empty" });
    this.setAttribute("role", "region");
    this.setAttribute("aria-labelledby", "queue-heading");
    this.append(
      build("div", { className: "head" }, this.heading, this.#filters()),
      build("div", { className: "scroll" }, this.list, this.empty),
    );
    this.list.addEventListener("keydown", (event) => this.#press(event));
    for (const change of ["queue", "conversation"]) desk.addEventListener(change, () => this.#showSoon());
    this.show();
  }

  /** The row that has the focus, else the open one. @returns {Row | null} */
  get chosen() {
    const focused = [...this.#shown.values()].find((row) => row.contains(document.activeElement));
    const id = focused?.conversation ?? this.desk.conversation?.id;
    return (id && this.desk.rows.get(id)) || null;
  }

  /** Move the focus down or up the list. @param {1 | -1} step */
  go(step) {
    const rows = [...this.#shown.values()];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const from = at >= 0 ? at : rows.findIndex((row) => row.conversation === this.desk.conversation?.id);
    const next = from < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, from + step))];
    next?.focus();
  }

  /** Put the focus on a conversation, or on the heading when it is not listed. @param {string | undefined} id */
  focusOn(id) {
    (this.#shown.get(id ?? "") ?? this.heading).focus();
  }

  show() {
    this.#showReasons();
    const rows = this.desk.inOrder.filter((row) => this.#fits(row));
    /** @type {Map<string, DeskRow>} */
    const wanted = new Map();
    for (const row of rows) {
      const element = this.#shown.get(row.conversation) ?? DeskRow.claimedWith(this.claim);
      const isOpen = row.conversation === this.desk.conversation?.id;
      element.show(row, isOpen, this.desk.api.session.answersCustomers);
      wanted.set(row.conversation, element);
    }
    this.#arrange(wanted);
    this.list.hidden = !rows.length;
    this.empty.textContent = rows.length || !this.desk.isLoaded ? "" : this.#emptyWords();
  }

  /** Once for all that changes before the next picture. */
  #showSoon() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.show();
    });
  }

  /** @param {Map<string, DeskRow>} wanted */
  #arrange(wanted) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    for (const [id, element] of this.#shown) if (!wanted.has(id)) element.remove();
    [...wanted.values()].forEach((element, position) => {
      const there = this.list.children[position] ?? null;
      if (there !== element) this.list.insertBefore(element, there);
    });
    this.#shown = wanted;
    if (focused && focused !== document.activeElement && this.list.contains(focused)) focused.focus();
  }

  /** @param {Row} row */
  #fits(row) {
    return WHOSE[this.whose](row) && (!this.reason || row.reason === this.reason);
  }

  #emptyWords() {
    if (this.reason || (this.desk.rows.size && this.whose !== "mine")) return queueWords.emptyFilter;
    return this.whose === "mine" ? queueWords.emptyMine : queueWords.empty;
  }

  #filters() {
    const choices = /** @type {Whose[]} */ (Object.keys(WHOSE)).map((whose) => {
      const input = build("input", {
        type: "radio",
        name: "whose",
        checked: whose === this.whose,
        onchange: () => this.#choose(whose),
      });
      return build("label", {}, input, build("span", {}, queueWords[whose]));
    });
    this.reasons = /** @type {HTMLSelectElement} */ (
      build("select", { "aria-label": queueWords.reason, onchange: () => this.#narrow() })
    );
    const whose = build("fieldset", { className: "segments" }, build("legend", {}, queueWords.whose));
    whose.append(...choices);
    return build("div", { className: "filters" }, whose, this.reasons);
  }

  /** @param {Whose} whose */
  #choose(whose) {
    this.whose = whose;
    remember("sessionStorage", "whose", whose);
    this.show();
  }

  #narrow() {
    this.reason = this.reasons.value;
    this.show();
  }

  /** Offer the reasons that there are, and the chosen one even when its last conversation has gone. */
  #showReasons() {
    const counted = new Map([["", { text: queueWords.anyReason, count: this.desk.rows.size }]]);
    for (const { reason, reason_text } of this.desk.rows.values()) {
      if (!reason) continue;
      const text = sentenceCase(reason_text);
      counted.set(reason, { text, count: (counted.get(reason)?.count ?? 0) + 1 });
    }
    if (!counted.has(this.reason))
      counted.set(this.reason, { text: this.reasonText ?? this.reason, count: 0 });
    this.reasonText = counted.get(this.reason)?.text;
    const key = JSON.stringify([...counted]);
    if (key === this.reasons.dataset.shown) return;
    this.reasons.dataset.shown = key;
    this.reasons.replaceChildren(
      ...[...counted].map(([value, { text, count }]) => build("option", { value }, `${text} (${count})`)),
    );
    this.reasons.value = this.reason;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    this.go(step);
  }
}

customElements.define("desk-queue", DeskQueue);
