// The buttons over a conversation: only those that fit its state.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { labelOf, movesFor } from "./moves.js";
import { actWords } from "./words.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {import("./moves.js").Move} Move */

export class DeskActions extends HTMLElement {
  #shown = "";

  /** @param {(move: Move) => Promise<void>} act @param {boolean} answersCustomers */
  attach(act, answersCustomers) {
    this.act = act;
    this.answersCustomers = answersCustomers;
    this.buttons = build("div", { role: "group", "aria-label": actWords.actions, className: "moves" });
    this.gap = button(actWords.gap, () => void act("gap"), { className: "toggle" });
    this.append(this.buttons, this.gap);
  }

  /** @param {Conversation} conversation */
  show(conversation) {
    this.gap.setAttribute("aria-pressed", String(Boolean(conversation.markOf("knowledge_gap", 0))));
    const fitting = movesFor(conversation, this.answersCustomers);
    const key = `${conversation.id} ${conversation.state} ${fitting}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.buttons.replaceChildren(
      ...fitting.map((move, position) =>
        button(labelOf(move, conversation), () => void this.#press(move), {
          className: position ? "" : "main",
        }),
      ),
    );
  }

  /** One at a time: a second press must not do it twice. @param {Move} move */
  async #press(move) {
    if (this.isBusy) return;
    this.isBusy = true;
    await this.act(move);
    this.isBusy = false;
  }
}

customElements.define("desk-actions", DeskActions);
