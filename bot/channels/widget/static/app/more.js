// What can be done with the conversation as a whole: begin a new one, or take it along.
import { build } from "./build.js";
import { Refused, request } from "./server.js";
import { style } from "./style.js";
import { rarely } from "./words.js";

const FILE_NAME = /filename="([\w.-]+)"/;

/** @typedef {import("./candor-widget.js").CandorWidget} Widget */
/** @typedef {import("./words.js").Rarely} Words */

/** @param {Widget} widget */
export async function offerMore(widget) {
  const [words] = await Promise.all([rarely(), style("more.css")]);
  const dialog = /** @type {HTMLDialogElement} */ (build("dialog", { className: "menu", "aria-label": widget.more.ariaLabel }));
  dialog.onkeydown = (event) => event.stopPropagation(); // Escape closes this alone
  dialog.onclick = ({ target }) => target === dialog && dialog.close(); // beside what it offers
  dialog.onclose = () => dialog.remove();
  // The page may close the widget; what is modal in it would lock the rest.
  widget.addEventListener("closed", () => dialog.close(), { once: true });
  dialog.append(offers(dialog, widget, words));
  widget.panel.append(dialog);
  dialog.showModal();
}

/** @param {HTMLDialogElement} dialog @param {Widget} widget @param {Words} words */
function offers(dialog, widget, words) {
  const { client } = widget;
  const isBusy = client.transcript.sending.length > 0; // what is on its way belongs to this conversation
  const confirm = () => dialog.replaceChildren(confirmation(dialog, widget, words));
  return build(
    "div",
    {},
    item(words.restart, confirm, isBusy),
    item(words.download, () => attempt(dialog, words, () => download(client.token))),
    item(words.cancel, () => dialog.close()),
  );
}

/** @param {HTMLDialogElement} dialog @param {Widget} widget @param {Words} words */
function confirmation(dialog, widget, words) {
  const question = build("p", { id: "restart-ask" }, words.restartAsk);
  const cancel = item(words.cancel, () => dialog.close());
  const begin = async () => {
    // Whose token it is, the server knows; an identity may be too old by now.
    await widget.client.openSession({ restart: true, identity: undefined });
    dialog.addEventListener("close", () => widget.composer.focus());
  };
  const restart = item(words.restart, () => attempt(dialog, words, begin));
  restart.className = "primary";
  dialog.setAttribute("role", "alertdialog");
  dialog.setAttribute("aria-describedby", question.id);
  queueMicrotask(() => cancel.focus());
  return build("div", {}, question, restart, cancel);
}

/** @param {HTMLDialogElement} dialog @param {Words} words @param {() => Promise<void>} act */
async function attempt(dialog, words, act) {
  try {
    await act();
    dialog.close();
  } catch (error) {
    const reason = error instanceof Refused ? error.message : words.failed;
    dialog.querySelector(".problem")?.remove();
    dialog.firstElementChild?.append(build("p", { role: "alert", className: "problem" }, reason));
  }
}

/** @param {string | null} token */
async function download(token) {
  const response = await request("GET", "transcript", { token });
  const name = FILE_NAME.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "conversation.txt";
  const href = URL.createObjectURL(await response.blob());
  build("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href));
}

/** @param {string} label @param {() => unknown} press @param {boolean} [disabled] */
function item(label, press, disabled = false) {
  return build("button", { type: "button", onclick: press, disabled }, label);
}
