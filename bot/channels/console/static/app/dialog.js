// A question in front of everything else. The browser keeps the focus inside and gives it back.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { words } from "./words.js";

let opened = 0;

/**
 * Ask with a form.
 * @param {{title: string, body: Node[], yes: string, isDanger?: boolean}} question
 * @returns {Promise<FormData | null>} what was filled in; null when it was dismissed
 */
export function ask({ title, body, yes, isDanger = false }) {
  const accept = build("button", { type: "submit", className: isDanger ? "main danger" : "main" }, yes);
  const form = /** @type {HTMLFormElement} */ (build("form", { method: "dialog" }, ...body));
  return show(title, form, (settle, dismiss) => {
    form.onsubmit = (event) => {
      event.preventDefault();
      settle(new FormData(form));
    };
    form.append(build("div", { className: "choices" }, button(words.cancel, dismiss), accept));
  });
}

/** Tell something. @param {string} title @param {Node[]} body @returns {Promise<null>} */
export function tell(title, body) {
  return show(title, build("div", {}, ...body), (_, dismiss, content) => {
    content.append(build("div", { className: "choices" }, button(words.close, dismiss)));
  });
}

/**
 * @template Answer
 * @param {string} title
 * @param {HTMLElement} content
 * @param {(settle: (answer: Answer) => void, dismiss: () => void, content: HTMLElement) => void} arrange
 * @returns {Promise<Answer | null>}
 */
export function show(title, content, arrange) {
  const id = `dialog-${++opened}`;
  const dialog = /** @type {HTMLDialogElement} */ (
    build("dialog", { "aria-labelledby": id }, build("h2", { id }, title), content)
  );
  return new Promise((resolve) => {
    /** @type {Answer | null} */
    let answer = null;
    dialog.onclose = () => {
      dialog.remove();
      resolve(answer);
    };
    const settle = (/** @type {Answer} */ given) => {
      answer = given;
      dialog.close();
    };
    arrange(settle, () => dialog.close(), content);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A labelled field of a form. @param {string} label @param {HTMLElement} control */
export function field(label, control) {
  return build("label", { className: "field" }, build("span", {}, label), control);
}
