// The form with which an agent says that an answer of the bot's is wrong.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { field } from "./dialog.js";
import { evidenceWords } from "./evidence-words.js";
import { actWords, words } from "./words.js";

const MAX_CHARACTERS = 500;

export class Verdict {
  /** @param {(seq: number, remark: string) => Promise<void>} mark */
  constructor(mark) {
    this.mark = mark;
    this.seq = 0;
    this.remark = /** @type {HTMLTextAreaElement} */ (
      build("textarea", { rows: 2, maxLength: MAX_CHARACTERS })
    );
    this.element = build("form", { className: "verdict", hidden: true });
    this.element.onsubmit = (event) => {
      event.preventDefault();
      void this.#give();
    };
    this.element.append(
      build("h3", {}, evidenceWords.wrongTitle),
      build("p", { className: "quiet" }, evidenceWords.wrongHint),
      field(actWords.remark, this.remark),
      build(
        "div",
        { className: "choices" },
        button(words.cancel, () => this.close()),
        build("button", { type: "submit", className: "main" }, evidenceWords.wrongMark),
      ),
    );
  }

  /** @param {number} seq the message in question */
  open(seq) {
    this.seq = seq;
    this.remark.value = "";
    this.element.hidden = false;
    this.element.scrollIntoView({ block: "nearest" });
    this.remark.focus();
  }

  close() {
    this.element.hidden = true;
  }

  async #give() {
    await this.mark(this.seq, this.remark.value.trim());
    this.close();
  }
}
