// Searching past conversations.
import { build } from "./build.js";
import { timeOf } from "./time.js";
import { nameOf } from "./who.js";
import { queueWords, searchWords, talkWords, words } from "./words.js";

/**
 * @typedef {{conversation: string, customer: string, verified: boolean, state: string, at: number, seq: number,
 *   excerpt: string}} Found
 */

/** @param {import("./server.js").Api} api @returns {HTMLElement} */
export function searchView(api) {
  const box = /** @type {HTMLInputElement} */ (
    build("input", { type: "search", id: "search", required: true, maxLength: 200, autocomplete: "off" })
  );
  const status = build("p", { role: "status", className: "quiet" });
  const list = build("ul", { className: "found" });
  const form = /** @type {HTMLFormElement} */ (
    build(
      "form",
      { role: "search", className: "search-form" },
      build("label", { htmlFor: "search" }, searchWords.label),
      box,
      build("button", { type: "submit", className: "main" }, searchWords.go),
    )
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    void look(api, box.value, status, list);
  };
  return build(
    "section",
    { className: "page" },
    build("h2", { tabIndex: -1 }, searchWords.heading),
    form,
    status,
    list,
  );
}

/** @param {import("./server.js").Api} api @param {string} text @param {HTMLElement} status @param {HTMLElement} list */
async function look(api, text, status, list) {
  status.textContent = words.loading;
  try {
    const { found } = await api.get(`search?q=${encodeURIComponent(text)}`);
    list.replaceChildren(...found.map(foundItem));
    status.textContent = found.length ? searchWords.found(found.length) : searchWords.none;
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {Found} found */
function foundItem({ conversation, customer, verified, state, at, excerpt }) {
  const href = `#/conversation/${encodeURIComponent(conversation)}`;
  const link = build("a", { href }, ...nameOf({ customer, verified }));
  const tag = build("span", { className: "tag" }, talkWords.states[state] ?? state);
  return build(
    "li",
    {},
    build("p", {}, link, " ", tag, " ", timeOf(at)),
    build("p", { className: "plain" }, excerpt || queueWords.noText),
  );
}
