// What outlives a reload. Browsers may refuse storage to a frame; then it lasts as long as the frame does.

/** @type {Map<string, unknown>} */
const fallback = new Map();
// All tabs share what they have to agree on; what is still to be sent belongs to the tab that wrote it.
const places = {
  token: () => localStorage,
  subject: () => localStorage,
  seen: () => localStorage,
  left: () => localStorage,
  sending: () => sessionStorage,
};

/** @typedef {keyof typeof places} Name */

/** @param {Name} name @returns {any} null when there is nothing */
export function recall(name) {
  try {
    return JSON.parse(places[name]().getItem(`candor.${name}`) ?? "null");
  } catch {
    return fallback.get(name) ?? null;
  }
}

/** @param {Name} name @param {unknown} value */
export function remember(name, value) {
  fallback.set(name, value);
  try {
    places[name]().setItem(`candor.${name}`, JSON.stringify(value));
  } catch {
    // full or forbidden; the fallback has it
  }
}

export function forgetAll() {
  for (const name of /** @type {Name[]} */ (Object.keys(places))) remember(name, null);
}

/** Learn what other tabs remember. @param {(name: string | undefined) => void} listener */
export function onOthers(listener) {
  addEventListener("storage", ({ key }) => listener(key?.split("candor.")[1]));
}
