// What stands beside a conversation: evidence, notes, history.
import { build } from "./build.js";
import { iconButton, icons } from "./buttons.js";
import "./desk-evidence.js";
import "./desk-history.js";
import "./desk-notes.js";
import "./desk-tabs.js";
import { evidenceWords } from "./evidence-words.js";
import { noteWords, words } from "./words.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

/** Events: `shut`, and those of its parts, which bubble. */
export class DeskSide extends HTMLElement {
  /** @param {import("./server.js").Api} api @param {(seq: number, remark: string) => Promise<void>} mark */
  attach(api, mark) {
    this.evidence = /** @type {import("./desk-evidence.js").DeskEvidence} */ (build("desk-evidence"));
    this.notes = /** @type {import("./desk-notes.js").DeskNotes} */ (build("desk-notes"));
    this.history = /** @type {import("./desk-history.js").DeskHistory} */ (build("desk-history"));
    this.tabs = /** @type {import("./desk-tabs.js").DeskTabs} */ (build("desk-tabs"));
    this.evidence.attach(api, mark);
    this.notes.attach(api);
    this.history.attach(api);
    this.tabs.attach(evidenceWords.panel, [
      { name: "evidence", label: evidenceWords.tab, panel: this.evidence },
      { name: "notes", label: noteWords.tab(0), panel: this.notes },
      { name: "history", label: evidenceWords.historyTab, panel: this.history },
    ]);
    this.tabs.addEventListener("chosen", () => this.conversation && this.history.show());
    const shut = iconButton(words.close, icons.back, () => this.dispatchEvent(new Event("shut")));
    shut.classList.add("panel-shut");
    this.heading = build("h2", { id: "side-heading", tabIndex: -1 }, evidenceWords.panel);
    this.setAttribute("role", "complementary");
    this.setAttribute("aria-labelledby", "side-heading");
    this.append(build("div", { className: "head" }, shut, this.heading), this.tabs);
  }

  /** Begin with another conversation. @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    for (const part of [this.evidence, this.notes, this.history]) part.open(conversation);
    this.#count();
  }

  show() {
    for (const part of [this.evidence, this.notes, this.history]) part.show();
    this.#count();
  }

  /** @param {"evidence" | "notes" | "history"} name */
  choose(name) {
    this.tabs.choose(name);
  }

  #count() {
    this.tabs.rename("notes", noteWords.tab(this.conversation?.notes.size ?? 0));
  }
}

customElements.define("desk-side", DeskSide);
