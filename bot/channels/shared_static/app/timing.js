// Fresh ids, waiting, and how long to wait before trying again.

const LEAST_MS = 500;
const MOST_MS = 30000;
const FIRST_MS = 1000;

/** @returns {string} 128 random bits; `randomUUID` is missing on pages without TLS */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** Full jitter, so that all browsers do not return at once after a restart. @param {number} attempt */
export function retryDelay(attempt) {
  const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** attempt);
  return LEAST_MS + Math.random() * (ceiling - LEAST_MS);
}

const alarm = new EventTarget();
addEventListener("online", wake);

/** End every pause now, because what it waited for may be back. */
export function wake() {
  alarm.dispatchEvent(new Event("wake"));
}

/** Wait, or less when something wakes us. @param {number} ms @returns {Promise<void>} */
export function pause(ms) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      alarm.removeEventListener("wake", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    alarm.addEventListener("wake", done);
  });
}
