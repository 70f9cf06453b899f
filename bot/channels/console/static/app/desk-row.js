// One conversation in the queue.
import { build, icon } from "./build.js";
import { button, icons } from "./buttons.js";
import { ticking } from "./time.js";
import { nameOf } from "./who.js";
import { queueWords, talkWords } from "./words.js";

/** @typedef {import("./conversation.js").Row} Row */

export class DeskRow extends HTMLElement {
  #shown = "";
  /** @type {(id: string) => void} */
  claim;

  /** @param {(id: string) => void} claim @returns {DeskRow} */
  static claimedWith(claim) {
    const row = /** @type {DeskRow} */ (build("desk-row", { role: "listitem" }));
    row.claim = claim;
    return row;
  }

  /** @param {Row} row @param {boolean} isOpen @param {boolean} mayClaim */
  show(row, isOpen, mayClaim) {
    const key = JSON.stringify([row, isOpen, mayClaim]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.conversation = row.conversation;
    this.className = [row.state, row.alarm && "alarm", row.mine && "mine", isOpen && "open"]
      .filter(Boolean)
      .join(" ");
    const hadFocus = this.contains(document.activeElement) && document.activeElement?.tagName;
    this.link = build(
      "a",
      { href: `#/conversation/${encodeURIComponent(row.conversation)}` },
      ...this.#lines(row),
    );
    if (isOpen) this.link.setAttribute("aria-current", "true");
    this.replaceChildren(this.link);
    if (row.state === "queued" && mayClaim) this.append(this.#claimButton(row));
    if (hadFocus) this.link.focus();
  }

  focus() {
    this.link?.focus();
  }

  /** @param {Row} row */
  #lines(row) {
    return [
      build("span", { className: "who" }, build("b", {}, ...nameOf(row)), ...unread(row), wait(row)),
      build("span", { className: "why" }, sentenceCase(row.reason_text || queueWords.takenOver)),
      build("span", { className: "said" }, row.first_line || queueWords.noText),
      build("span", { className: "tags" }, holder(row), ...flags(row)),
    ];
  }

  /** @param {Row} row */
  #claimButton({ conversation, customer }) {
    return button(queueWords.claim, () => this.claim(conversation), {
      className: "small",
      "aria-label": queueWords.claimOf(customer),
    });
  }
}

/** @param {Row} row */
function unread({ unread }) {
  return unread ? [build("span", { className: "unread" }, queueWords.unread(unread))] : [];
}

/** @param {Row} row */
function wait({ waiting_since }) {
  if (!waiting_since) return build("span", { className: "wait quiet" }, queueWords.answered);
  return build("span", { className: "wait" }, `${queueWords.waiting} `, ticking(waiting_since));
}

/** @param {Row} row */
function holder({ state, agent, mine }) {
  const who = mine ? queueWords.you : agent?.name;
  const text = who
    ? queueWords.withAgent(who)
    : state === "queued"
      ? queueWords.unclaimedRow
      : talkWords.states[state];
  return build("span", { className: mine ? "tag mine" : "tag" }, text);
}

/** @param {Row} row */
function flags({ alarm, late }) {
  const flag = (/** @type {string} */ text, /** @type {string} */ path, /** @type {string} */ name) =>
    build("span", { className: `tag ${name}` }, icon(path), text);
  return [
    ...(alarm ? [flag(queueWords.alarm, icons.alarm, "alarm")] : []),
    ...(late ? [flag(queueWords.late, icons.clock, "late")] : []),
  ];
}

/** @param {string} text */
export function sentenceCase(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

customElements.define("desk-row", DeskRow);
