// What an agent has chosen for this browser. Nothing that makes a noise is on until it is switched on.
import { recall, remember } from "./memory.js";

/** @typedef {"sounds" | "notifications" | "keys"} Setting */

/** @type {Record<Setting, boolean>} */
const DEFAULTS = { sounds: false, notifications: false, keys: true };

/** @param {Setting} name @returns {boolean} */
export function isOn(name) {
  return recall("localStorage", name) ?? DEFAULTS[name];
}

/** @param {Setting} name @param {boolean} isWanted */
export function turn(name, isWanted) {
  remember("localStorage", name, isWanted);
}
