// Short sentences for everybody: seen for some seconds, and read out without interrupting.
import { build } from "./build.js";

const SHOWN_MS = 5000;

const status = build("div", { role: "status", className: "toast" });
const alert = build("div", { role: "alert", className: "toast warning" });
let timer = 0;

/** @returns {HTMLElement} where they are shown */
export function announcer() {
  return build("div", { className: "toasts" }, status, alert);
}

/** Say that something was done or has happened. @param {string} text */
export function announce(text) {
  put(status, text);
}

/** Say that something was refused. @param {string} text */
export function warn(text) {
  put(alert, text);
}

/** @param {HTMLElement} place @param {string} text */
function put(place, text) {
  clearTimeout(timer);
  for (const one of [status, alert]) one.textContent = one === place ? text : "";
  timer = window.setTimeout(() => (place.textContent = ""), SHOWN_MS);
}
