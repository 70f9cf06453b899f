// The conversation: keeps one element per message, in order, and shows the running answer under them.
import { build } from "./build.js";
import { CandorMessage, rich } from "./candor-message.js";
import "./candor-replies.js";
import { fill, words } from "./words.js";

const NEAR_END_PX = 80;
const MARGIN_PX = 12;

/** @typedef {import("./transcript.js").Transcript} Transcript */

export class CandorLog extends HTMLElement {
  /** @type {Map<string, CandorMessage>} */
  #shown = new Map();

  attach() {
    const greeting = CandorMessage.of(/** @type {any} */ ({ ...GREETING, text: words.greeting }));
    this.list = build(
      "div",
      { role: "log", "aria-live": "polite", "aria-label": words.log, className: "list" },
      greeting,
    );
    // What is final is announced once, in the list; the running answer is only seen.
    this.draft = build("candor-message", { className: "bot draft", hidden: true, "aria-live": "off" });
    this.progress = build("p", { role: "status", className: "progress" });
    this.replies = /** @type {import("./candor-replies.js").CandorReplies} */ (build("candor-replies"));
    // A scrolling region must be reachable by keyboard.
    this.tabIndex = 0;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", words.log);
    this.append(this.list, this.draft, this.progress, this.replies);
  }

  /** @param {import("./client.js").Client} client */
  show(client) {
    const { transcript } = client;
    const wasAtEnd = this.scrollHeight - this.scrollTop - this.clientHeight < NEAR_END_PX;
    const before = this.#shown.size;
    this.#showMessages(transcript);
    this.#showDraft(transcript);
    this.#showProgress(transcript, client.about?.articles);
    void this.replies.show(client);
    if (wasAtEnd || this.#shown.size !== before) this.toEnd();
  }

  /** To the beginning of what was said last, so that a long answer is read from its top. */
  toEnd() {
    const last = this.draft.hidden ? this.list.lastElementChild : this.draft;
    this.scrollTop = last.offsetTop - MARGIN_PX;
  }

  /** @param {Transcript} transcript */
  #showMessages({ inOrder, sending }) {
    /** @type {Map<string, CandorMessage>} */
    const wanted = new Map();
    for (const message of inOrder) {
      const key = keyOf(message);
      const element = this.#shown.get(key) ?? CandorMessage.of(message);
      element.settle(message);
      wanted.set(key, element);
    }
    for (const { id, text } of sending)
      wanted.set(id, this.#shown.get(id) ?? CandorMessage.sending(text));
    for (const [key, element] of this.#shown) if (!wanted.has(key)) element.remove();
    /** @type {Element} */
    let last = this.list.firstElementChild;
    for (const element of wanted.values()) {
      // Moving an element would make a screen reader read it again.
      if (last.nextElementSibling !== element) last.after(element);
      last = element;
    }
    this.#shown = wanted;
  }

  /** @param {Transcript} transcript */
  #showDraft({ draft }) {
    const html = draft.map((block) => block?.html ?? "").join("");
    if (html === this.draft.dataset.html) return;
    this.draft.dataset.html = html;
    this.draft.hidden = !html;
    this.draft.replaceChildren(rich(html));
  }

  /** @param {Transcript} transcript @param {number} [articles] how many are searched, if it is known */
  #showProgress({ answering, step, draft, sending }, articles) {
    const isWaiting = answering && !sending.length;
    const known = step ?? (draft.length ? "writing" : "");
    const said = known === "searching" && articles ? words.searchingAll : (words.steps[known] ?? words.wait);
    const text = isWaiting ? fill(said, { count: articles ?? 0 }) : "";
    if (this.progress.textContent !== text) this.progress.textContent = text;
  }

  /** @param {import("./transcript.js").Message} message */
  elementOf(message) {
    return this.#shown.get(keyOf(message));
  }
}

const GREETING = { role: "bot", kind: "text", html: null, sources: [] };

/** @param {import("./transcript.js").Message} message */
function keyOf(message) {
  return message.client_message_id ?? `seq ${message.seq}`;
}

customElements.define("candor-log", CandorLog);
