// Buttons, with a word and sometimes an icon.
import { build, icon } from "./build.js";

export const icons = {
  alarm: "M12 3a6 6 0 0 0-6 6c0 6-2 7-2 7h16s-2-1-2-7a6 6 0 0 0-6-6zM10 20h4",
  back: "M15 5l-7 7 7 7",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.4-1 1-1 2.2M12 17.5v.5",
  leave: "M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  panel: "M4 5h16v14H4zM14 5v14",
  send: "M4 12l16-8-6 16-3-6z",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  text: "M5 6h14M5 11h14M5 16h9",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
};

/**
 * @param {string} label
 * @param {(event: MouseEvent) => void} press
 * @param {Record<string, any>} [more] properties or attributes, and `path` for an icon before the label
 * @returns {HTMLButtonElement}
 */
export function button(label, press, { path, ...more } = {}) {
  const inside = path ? [icon(path), build("span", {}, label)] : [label];
  return /** @type {HTMLButtonElement} */ (
    build("button", { type: "button", onclick: press, ...more }, ...inside)
  );
}

/**
 * A button that shows its icon only.
 * @param {string} label @param {string} path @param {(event: MouseEvent) => void} press
 */
export function iconButton(label, path, press) {
  return /** @type {HTMLButtonElement} */ (
    build(
      "button",
      { type: "button", className: "icon", "aria-label": label, title: label, onclick: press },
      icon(path),
    )
  );
}
