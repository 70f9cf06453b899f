// Single keys, for agents who never touch the mouse. They rest while somebody writes, and can be switched off.
import { isOn } from "./settings.js";

/** @param {Record<string, () => void>} actions by key */
export function listenForKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !isOn("keys")) return;
    if (isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  });
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof HTMLElement && Boolean(target.closest("input, textarea, select"));
}
