// Internal notes, and the one place where they are written. Nothing here can reach a customer: the only address it
// knows is that of the notes.
import { build, icon } from "./build.js";
import { button, icons } from "./buttons.js";
import { recall, remember } from "./memory.js";
import { timeOf } from "./time.js";
import { newId } from "./timing.js";
import { noteWords } from "./words.js";

const MAX_CHARACTERS = 4000;

/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./conversation.js").Note} Note */

/** Events: `refused` (detail is the error), `added`. */
export class DeskNotes extends HTMLElement {
  #shown = 0;

  /** @param {import("./server.js").Api} api */
  attach(api) {
    this.api = api;
    this.list = build("ol", { className: "notes", "aria-live": "off" });
    this.none = build("p", { className: "quiet" }, noteWords.none);
    this.box = /** @type {HTMLTextAreaElement} */ (
      build("textarea", {
        id: "note",
        rows: 3,
        maxLength: MAX_CHARACTERS,
        placeholder: noteWords.placeholder,
        "aria-describedby": "note-hint",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
        oninput: () => this.#typed(),
      })
    );
    this.add = button(noteWords.add, () => void this.#send(), { className: "note-button", path: icons.lock });
    const hint = build("p", { id: "note-hint", className: "hint" }, icon(icons.lock), noteWords.hint);
    this.append(
      build("h3", {}, noteWords.heading),
      this.none,
      this.list,
      build(
        "div",
        { className: "note-composer" },
        build("label", { htmlFor: "note" }, noteWords.label),
        hint,
        this.box,
        this.add,
      ),
    );
  }

  /** Begin with another conversation. @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    this.noteId = newId();
    this.#shown = 0;
    this.#setSending(false);
    this.list.replaceChildren();
    this.box.value = recall("sessionStorage", this.#nameOf(conversation)) ?? "";
    this.show();
  }

  show() {
    const fresh = this.conversation.notesInOrder.filter(({ seq }) => seq > this.#shown);
    this.list.append(...fresh.map(noteItem));
    this.#shown = this.conversation.notesAfter;
    this.none.hidden = this.#shown > 0;
  }

  focus() {
    this.box.focus();
  }

  /** @param {Conversation} conversation */
  #nameOf({ id }) {
    return `note.${this.api.session.agent?.id}.${id}`;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    void this.#send();
  }

  #typed() {
    this.noteId = newId();
    remember("sessionStorage", this.#nameOf(this.conversation), this.box.value || null);
  }

  async #send() {
    const { conversation, noteId } = this;
    const text = this.box.value.trim();
    if (!text || this.add.disabled) return this.box.focus();
    this.#setSending(true);
    try {
      const { note } = await this.api.post(`${conversation.path}/note`, { client_message_id: noteId, text });
      this.#added(conversation, note);
    } catch (error) {
      if (conversation === this.conversation) this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @param {Error} error */
  #fail(error) {
    this.#setSending(false);
    this.dispatchEvent(new CustomEvent("refused", { detail: error }));
  }

  /** @param {boolean} isSending */
  #setSending(isSending) {
    this.add.disabled = isSending;
    this.box.readOnly = isSending;
  }

  /** @param {Conversation} conversation @param {Note | undefined} note */
  #added(conversation, note) {
    // A note from before it may still be on its way: then the line brings both.
    if (note && note.seq === conversation.notesAfter + 1) conversation.notes.set(note.seq, note);
    remember("sessionStorage", this.#nameOf(conversation), null);
    if (conversation !== this.conversation) return;
    this.#setSending(false);
    this.box.value = "";
    this.noteId = newId();
    this.show();
    this.box.focus();
    this.dispatchEvent(new Event("added"));
  }
}

/** @param {Note} note */
function noteItem({ author, automated, summary, text, at }) {
  const by = summary ? noteWords.summary : automated ? noteWords.automated : author;
  return build(
    "li",
    { className: automated ? "automated" : "" },
    build("p", { className: "by" }, build("b", {}, by), " ", timeOf(at)),
    build("p", { className: "plain" }, text),
  );
}

customElements.define("desk-notes", DeskNotes);
