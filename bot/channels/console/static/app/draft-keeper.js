// Keeps what an agent has begun to write: at once in this tab, and with the server for other ones.
import { recall, remember } from "./memory.js";
import { newId } from "./timing.js";

const PAUSE_MS = 800;

/** @typedef {import("./conversation.js").Conversation} Conversation */

export class DraftKeeper {
  /** @type {Map<string, number>} */
  #timers = new Map();

  /** @param {import("./server.js").Api} api */
  constructor(api) {
    this.api = api;
  }

  /**
   * What was begun, under the id that it will be sent with: a reply whose receipt was lost is sent again, not twice.
   * @param {Conversation} conversation @returns {{text: string, id: string}}
   */
  found(conversation) {
    return recall("sessionStorage", this.#name(conversation)) ?? { text: conversation.keptDraft, id: newId() };
  }

  /** @param {Conversation} conversation @param {string} text @param {string} id */
  keep(conversation, text, id) {
    remember("sessionStorage", this.#name(conversation), { text, id });
    clearTimeout(this.#timers.get(conversation.id));
    this.#timers.set(
      conversation.id,
      window.setTimeout(() => this.#save(conversation, text), PAUSE_MS),
    );
  }

  /** It was sent. @param {Conversation} conversation */
  forget(conversation) {
    clearTimeout(this.#timers.get(conversation.id));
    remember("sessionStorage", this.#name(conversation), null);
    void this.#save(conversation, "");
  }

  /** @param {Conversation} conversation @param {string} text */
  async #save(conversation, text) {
    conversation.keptDraft = text;
    try {
      await this.api.put(`${conversation.path}/draft`, { text });
    } catch {
      // the tab has it; the next change tries again
    }
  }

  /** @param {Conversation} conversation */
  #name({ id }) {
    return `draft.${this.api.session.agent?.id}.${id}`;
  }
}
