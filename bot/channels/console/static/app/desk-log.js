// The transcript: one element per message, in order, the running answer under them, and who is typing.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { TYPING_MS } from "./conversation.js";
import { DeskMessage, rich } from "./desk-message.js";
import { talkWords } from "./words.js";

const NEAR_END_PX = 80;

/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./conversation.js").Message} Message */

export class DeskLog extends HTMLElement {
  /** @type {Map<number, DeskMessage>} */
  #shown = new Map();
  #typing = 0;

  attach() {
    this.tabIndex = 0; // a scrolling region must be reachable by keyboard
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", talkWords.log);
    this.list = build("div", {
      role: "log",
      "aria-label": talkWords.log,
      "aria-live": "off",
      className: "list",
    });
    this.draft = build("div", { className: "draft", hidden: true });
    this.progress = build("p", { className: "progress" });
    this.seen = build("p", { className: "seen" }, talkWords.seen);
    this.down = button(talkWords.toNewest, () => this.toEnd(), { className: "down", hidden: true });
    this.append(this.list, this.draft, this.progress, this.down);
    this.addEventListener("scroll", () => this.#isAtEnd() && (this.down.hidden = true));
  }

  /** Begin with another conversation, without reading all of it out. */
  clear() {
    this.list.setAttribute("aria-live", "off");
    this.list.replaceChildren();
    this.#shown.clear();
    this.down.hidden = true;
  }

  /** @param {Conversation} conversation */
  show(conversation) {
    const isFirst = !this.#shown.size;
    const wasAtEnd = this.#isAtEnd();
    const before = this.#shown.size;
    for (const message of conversation.inOrder) this.#place(message, conversation).settle(conversation);
    this.#showSeen(conversation);
    this.#showDraft(conversation);
    this.#showProgress(conversation);
    if (isFirst || wasAtEnd) this.toEnd();
    else if (this.#shown.size > before) this.down.hidden = false;
    if (isFirst) requestAnimationFrame(() => this.list.setAttribute("aria-live", "polite"));
  }

  toEnd() {
    this.scrollTop = this.scrollHeight;
    this.down.hidden = true;
  }

  /** @param {number} seq @param {boolean} [withFocus] */
  goTo(seq, withFocus = true) {
    const message = this.#shown.get(seq);
    message?.scrollIntoView({ block: "center" });
    if (withFocus) message?.focus({ preventScroll: true });
  }

  #isAtEnd() {
    return this.scrollHeight - this.scrollTop - this.clientHeight < NEAR_END_PX;
  }

  /** @param {Message} message @param {Conversation} conversation */
  #place(message, conversation) {
    const known = this.#shown.get(message.seq);
    if (known?.message === message) return known;
    const why = conversation.handoffs.find(({ turn }) => turn && turn === message.turn)?.reason_text;
    const element = DeskMessage.of(message, conversation, why ?? "");
    const next = [...this.#shown.keys()].filter((seq) => seq > message.seq);
    if (known) known.replaceWith(element);
    else this.list.insertBefore(element, next.length ? this.#shown.get(Math.min(...next)) : null);
    this.#shown.set(message.seq, element);
    return element;
  }

  /** Under the last message from our side that the customer has seen. @param {Conversation} conversation */
  #showSeen({ inOrder, reads }) {
    const last = inOrder.findLast(({ role, seq }) => role === "agent" && seq <= reads.customer);
    const place = last && this.#shown.get(last.seq);
    if (place && this.seen.parentElement !== place) place.append(this.seen);
    if (!place) this.seen.remove();
  }

  /** @param {Conversation} conversation */
  #showDraft({ draft }) {
    const html = draft.map((block) => block?.html ?? "").join("");
    if (html === (this.draft.dataset.html ?? "")) return;
    this.draft.dataset.html = html;
    this.draft.hidden = !html;
    this.draft.replaceChildren(
      build("p", { className: "by" }, build("b", {}, talkWords.drafting)),
      rich(html),
    );
  }

  /** @param {Conversation} conversation */
  #showProgress(conversation) {
    clearTimeout(this.#typing);
    const { isTyping, step, state } = conversation;
    const written = state === "bot" && step ? (talkWords.steps[step] ?? "") : "";
    this.progress.textContent = isTyping ? talkWords.typing(conversation.customer) : written;
    if (isTyping) this.#typing = window.setTimeout(() => this.#showProgress(conversation), TYPING_MS);
  }
}

customElements.define("desk-log", DeskLog);
