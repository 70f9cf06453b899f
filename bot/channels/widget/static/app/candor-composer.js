// Where the customer writes. Enter sends, Shift+Enter starts a new line.
import { build, icon } from "./build.js";
import { words } from "./words.js";

const ARROW = "M4 12l16-8-6 16-3-6z";
const MAX_CHARACTERS = 4000;

export class CandorComposer extends HTMLElement {
  /** @param {(text: string) => void} say @param {() => void} typing */
  attach(say, typing) {
    this.say = say;
    this.box = /** @type {HTMLTextAreaElement} */ (
      build("textarea", {
        rows: 1,
        dir: "auto",
        maxLength: MAX_CHARACTERS,
        "aria-label": words.composer,
        enterKeyHint: "send",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
        oninput: () => {
          this.#fit();
          typing();
        },
      })
    );
    const send = build(
      "button",
      { type: "button", className: "send", "aria-label": words.send, onclick: () => this.#send() },
      icon(ARROW),
    );
    this.append(this.box, send);
  }

  /** Invite what fits the conversation's state. @param {string} state */
  show(state) {
    this.box.placeholder = words.invite[state] ?? words.invite.bot;
  }

  focus() {
    this.box.focus();
  }

  get written() {
    return this.box.value;
  }

  /** Put a text back that was not accepted, before what was written since. @param {string} text */
  giveBack(text) {
    if (!text) return;
    this.box.value = [text, this.box.value].filter(Boolean).join("\n");
    this.#fit();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#send();
  }

  #send() {
    const text = this.box.value;
    if (!text.trim()) return;
    this.box.value = "";
    this.#fit();
    this.box.focus();
    this.say(text);
  }

  #fit() {
    this.box.style.height = "auto";
    this.box.style.height = `${this.box.scrollHeight + 2}px`;
  }
}

customElements.define("candor-composer", CandorComposer);
