// Choosing one of several texts to insert: type to find, Enter or a click to take.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { field, show } from "./dialog.js";
import { composeWords, words } from "./words.js";

const PAUSE_MS = 250;

/**
 * @template Item
 * @typedef {object} Choice
 * @property {string} title
 * @property {string} empty what to say when there is nothing
 * @property {(looked: string) => Promise<{items: Item[], problem?: string}>} load *problem* is why there may be more
 * @property {(item: Item) => Node[]} describe the inside of the item's button
 * @property {(item: Item) => Node | null} [beside] something next to it, such as a link
 */

/** @template Item @param {Choice<Item>} choice @returns {Promise<Item | null>} */
export function pick(choice) {
  const list = build("ul", { className: "picks" });
  const status = build("p", { role: "status", className: "quiet" }, words.loading);
  const look = /** @type {HTMLInputElement} */ (build("input", { type: "search", autocomplete: "off" }));
  const content = build("div", { className: "pick" }, field(composeWords.find, look), status, list);
  return show(choice.title, content, (settle, dismiss) => {
    content.append(build("div", { className: "choices" }, button(words.cancel, dismiss)));
    const fill = filling(choice, look, list, status, settle);
    look.oninput = later(fill);
    void fill();
  });
}

/**
 * @template Item
 * @param {Choice<Item>} choice @param {HTMLInputElement} look @param {HTMLElement} list @param {HTMLElement} status
 * @param {(item: Item) => void} settle
 */
function filling({ load, describe, beside, empty }, look, list, status, settle) {
  const entry = (/** @type {Item} */ item) => {
    const take = build("button", { type: "button", onclick: () => settle(item) }, ...describe(item));
    const more = beside?.(item);
    return build("li", {}, take, ...(more ? [more] : []));
  };
  return async () => {
    const looked = look.value.trim();
    try {
      const { items, problem } = await load(looked);
      if (looked !== look.value.trim()) return;
      list.replaceChildren(...items.map(entry));
      status.textContent = problem ?? (items.length ? "" : empty);
    } catch (error) {
      status.textContent = /** @type {Error} */ (error).message;
    }
  };
}

/** Run *what* once typing pauses. @param {() => void} what */
function later(what) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(what, PAUSE_MS);
  };
}
