// Where an agent writes to the customer. It takes nothing but replies: notes have a place of their own.
import { build } from "./build.js";
import { button, icons } from "./buttons.js";
import { DraftKeeper } from "./draft-keeper.js";
import { insertArticle, insertCanned } from "./insertions.js";
import { newId } from "./timing.js";
import { Refused } from "./server.js";
import { composeWords } from "./words.js";

const MAX_CHARACTERS = 4000;

/** @typedef {import("./conversation.js").Conversation} Conversation */

/** Events: `refused` (detail is the error), `sent`. */
export class DeskComposer extends HTMLElement {
  /** @param {import("./desk.js").Desk} desk */
  attach(desk) {
    this.desk = desk;
    this.keeper = new DraftKeeper(desk.api);
    this.label = build("label", { htmlFor: "reply" });
    this.box = /** @type {HTMLTextAreaElement} */ (
      build("textarea", {
        id: "reply",
        rows: 3,
        maxLength: MAX_CHARACTERS,
        placeholder: composeWords.placeholder,
        "aria-describedby": "reply-hint",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
        oninput: () => this.#typed(),
      })
    );
    this.hint = build("p", { id: "reply-hint", className: "hint" });
    this.send = button(composeWords.send, () => void this.#send(), {
      className: "main",
      path: icons.send,
      title: composeWords.shortcut,
    });
    this.tools = [
      button(composeWords.canned, () => this.#insert(insertCanned), { path: icons.text }),
      button(composeWords.articles, () => this.#insert(insertArticle), { path: icons.book }),
    ];
    this.append(
      build("div", { className: "top" }, this.label, this.hint),
      this.box,
      build("div", { className: "tools" }, ...this.tools, this.send),
    );
  }

  /** Begin with another conversation. @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    const { text, id } = this.keeper.found(conversation);
    this.messageId = id;
    this.isSending = false;
    this.box.value = text;
    this.label.textContent = composeWords.label(conversation.customer);
    this.show();
  }

  /** Say who may reply, and why not. */
  show() {
    const locked = this.#locked();
    this.box.readOnly = Boolean(locked) || this.isSending;
    this.send.disabled = Boolean(locked) || this.isSending;
    for (const tool of this.tools) tool.disabled = Boolean(locked) || this.isSending;
    const hint = locked || (this.isSending ? composeWords.sending : composeWords.hint);
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    this.classList.toggle("locked", Boolean(locked));
  }

  focus() {
    this.box.focus();
  }

  #locked() {
    const { state, mine, agent } = this.conversation;
    if (!this.desk.api.session.answersCustomers) return composeWords.locked.role;
    if (state === "claimed") return mine ? "" : composeWords.withOther(agent?.name ?? "");
    return composeWords.locked[state] ?? "";
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    void this.#send();
  }

  #typed() {
    this.messageId = newId(); // another text is another message
    this.keeper.keep(this.conversation, this.box.value, this.messageId);
    if (this.conversation.mine) this.desk.typing(this.conversation);
  }

  async #send() {
    const { conversation, messageId } = this;
    const text = this.box.value.trim();
    if (this.send.disabled) return;
    if (!text) return this.box.focus();
    this.#setSending(true);
    try {
      const body = { client_message_id: messageId, text, seen: conversation.lastCustomerSeq };
      await this.desk.move(conversation, "reply", body);
      this.#sent(conversation);
    } catch (error) {
      if (conversation === this.conversation) this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @param {Conversation} conversation */
  #sent(conversation) {
    this.keeper.forget(conversation);
    if (conversation !== this.conversation) return;
    this.box.value = "";
    this.messageId = newId();
    this.#setSending(false);
    this.box.focus();
    this.dispatchEvent(new Event("sent"));
  }

  /** @param {Error} error */
  #fail(error) {
    this.#setSending(false);
    if (error instanceof Refused && error.code === "claim_lost") this.conversation.mine = false;
    this.dispatchEvent(new CustomEvent("refused", { detail: error }));
  }

  /** @param {boolean} isSending */
  #setSending(isSending) {
    this.isSending = isSending;
    this.show();
  }

  /** @param {(api: import("./server.js").Api, conversation: Conversation) => Promise<string>} choose */
  async #insert(choose) {
    const { conversation } = this;
    const text = await choose(this.desk.api, conversation);
    if (!text || conversation !== this.conversation) return;
    this.box.focus();
    this.box.setRangeText(text, this.box.selectionStart, this.box.selectionEnd, "end");
    this.#typed();
  }
}

customElements.define("desk-composer", DeskComposer);
