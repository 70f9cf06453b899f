// What outlives a reload: texts not sent yet for this tab, settings for this browser.

/** @type {Map<string, unknown>} */
const fallback = new Map(); // where the browser refuses storage

/** @param {"localStorage" | "sessionStorage"} place @param {string} name @returns {any} null when there is nothing */
export function recall(place, name) {
  try {
    return JSON.parse(window[place].getItem(`candor.desk.${name}`) ?? "null");
  } catch {
    return fallback.get(name) ?? null;
  }
}

/** @param {"localStorage" | "sessionStorage"} place @param {string} name @param {unknown} value null to forget it */
export function remember(place, name, value) {
  fallback.set(name, value);
  try {
    if (value === null) window[place].removeItem(`candor.desk.${name}`);
    else window[place].setItem(`candor.desk.${name}`, JSON.stringify(value));
  } catch {
    // full or forbidden; the fallback has it
  }
}
