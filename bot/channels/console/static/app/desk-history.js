// What has happened to a conversation, in words.
import { build } from "./build.js";
import { evidenceWords } from "./evidence-words.js";
import { timeOf } from "./time.js";
import { words } from "./words.js";

/** @typedef {{at: number, who: string, what: string, what_text: string, detail_text: string}} HistoryRow */
/** @typedef {import("./conversation.js").Conversation} Conversation */

export class DeskHistory extends HTMLElement {
  #shownFor = "";

  /** @param {import("./server.js").Api} api */
  attach(api) {
    this.api = api;
    this.list = build("ol", { className: "history" });
    this.status = build("p", { className: "quiet" }, words.loading);
    this.append(build("h3", {}, evidenceWords.history), this.status, this.list);
  }

  /** Begin with another conversation. @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    this.#shownFor = "";
    this.list.replaceChildren();
    this.show();
  }

  /** Look again when the owner has changed; nothing else is in the history. */
  show() {
    const { id, state, agent, after } = this.conversation;
    const key = JSON.stringify([id, state, agent?.id, after]);
    if (this.hidden || key === this.#shownFor) return;
    this.#shownFor = key;
    void this.#load(this.conversation);
  }

  /** @param {Conversation} conversation */
  async #load(conversation) {
    try {
      const { rows } = await this.api.get(`${conversation.path}/history`);
      if (conversation !== this.conversation) return;
      this.list.replaceChildren(...rows.map(historyItem));
      this.status.textContent = rows.length ? "" : evidenceWords.noHistory;
    } catch (error) {
      this.#shownFor = "";
      this.status.textContent = /** @type {Error} */ (error).message;
    }
  }
}

/** @param {HistoryRow} row */
function historyItem({ at, who, what_text, detail_text }) {
  const what = [what_text, detail_text].filter(Boolean).join(": ");
  return build("li", {}, timeOf(at), " ", build("b", {}, who), build("br"), what);
}

customElements.define("desk-history", DeskHistory);
