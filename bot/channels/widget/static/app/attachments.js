// Files that the customer gives: images where they are welcome, elsewhere only the name, so that the bot can say so.
import { build, icon } from "./build.js";
import { call } from "./server.js";
import { rarely } from "./words.js";

const CLIP = "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4";
const TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const BUDGET_MS = 120000;
const MOST_BYTES = 5 * 1024 * 1024;

/** @typedef {import("./candor-widget.js").CandorWidget} Widget */

/** @param {File[]} files @param {Widget} widget */
export async function give(files, widget) {
  const { outbox, about } = widget.client;
  widget.warn("");
  const areWelcome = about?.attachments;
  for (const file of files) {
    if (!areWelcome) outbox.put("attachments", {}, file.name, new Blob());
    else if (TYPES.includes(file.type) && file.size <= MOST_BYTES) outbox.put("attachments", {}, file.name, file);
    else widget.warn((await rarely()).imagesOnly);
  }
}

/** @param {import("./transcript.js").Sending} sending @param {string | null} token */
export function post({ id, path, text, file }, token) {
  const headers = { "X-Candor-Message-Id": id, "X-Candor-File-Name": encodeURIComponent(text) };
  return call("POST", path, { token, headers, body: file, budgetMs: BUDGET_MS });
}

/** Put a button beside where one writes. @param {Widget} widget */
export async function invite(widget) {
  const { attach } = await rarely();
  if (widget.composer.querySelector(".attach")) return;
  const input = /** @type {HTMLInputElement} */ (
    build("input", { type: "file", accept: TYPES.join(), multiple: true, hidden: true })
  );
  input.onchange = () => {
    void give([...(input.files ?? [])], widget);
    input.value = ""; // the same file may be given again
  };
  const press = () => input.click();
  widget.composer.prepend(
    input,
    build("button", { type: "button", className: "attach", "aria-label": attach, onclick: press }, icon(CLIP)),
  );
}
