// Times as people read them, and one timer for all that tick.
import { build } from "./build.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR_DAYS = 365.25;
const MONTH_DAYS = YEAR_DAYS / 12;

let ahead = 0; // how far the server's clock is before ours

/** Learn the server's time. @param {number} serverNow */
export function setClock(serverNow) {
  ahead = serverNow - Date.now();
}

/** @returns {number} the server's time */
export function now() {
  return Date.now() + ahead;
}

/** How long something has lasted. @param {number} ms @returns {string} */
export function lasting(ms) {
  const whole = Math.max(0, ms);
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}:${two(Math.floor((whole % MINUTE) / SECOND))}`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)} h ${two(Math.floor((whole % HOUR) / MINUTE))} min`;
  return `${Math.floor(whole / DAY)} d ${Math.floor((whole % DAY) / HOUR)} h`;
}

/** How often something happens. @param {number} seconds @returns {string} such as 15 min */
export function spanOf(seconds) {
  const ms = seconds * SECOND;
  if (ms < HOUR) return `${Math.max(1, Math.round(ms / MINUTE))} min`;
  return ms < 2 * DAY ? `${tenths(ms / HOUR)} h` : `${tenths(ms / DAY)} days`;
}

/** @param {number} at @returns {HTMLElement} the time of day, with the day when it was not today */
export function timeOf(at) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now()).toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const day = isToday ? {} : { day: "numeric", month: "short" };
  const text = date.toLocaleString([], { ...day, hour: "2-digit", minute: "2-digit" });
  return build("time", { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** @param {number} at @returns {HTMLElement} the day, for what is no matter of hours */
export function dayOf(at) {
  const date = new Date(at);
  const text = date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
  return build("time", { dateTime: date.toISOString(), title: date.toLocaleString() }, text);
}

/** How old something is, roughly. @param {number} ms @returns {string} */
export function ageOf(ms) {
  const days = Math.max(0, Math.floor(ms / DAY));
  if (days < 60) return days === 1 ? "1 day" : `${days} days`;
  return days < 2 * YEAR_DAYS
    ? `${Math.floor(days / MONTH_DAYS)} months`
    : `${tenths(days / YEAR_DAYS)} years`;
}

/** @param {number} since @returns {HTMLElement} a time that counts up from *since* */
export function ticking(since) {
  const dateTime = new Date(since).toISOString();
  return build("time", { className: "ticking", dateTime, "data-since": since }, lasting(now() - since));
}

/** Let everything that counts up count on. */
export function startTicking() {
  setInterval(() => {
    for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("time.ticking"))) {
      const text = lasting(now() - Number(time.dataset.since));
      if (time.textContent !== text) time.textContent = text;
    }
  }, SECOND);
}

/** @param {number} number */
function tenths(number) {
  return Math.round(number * 10) / 10;
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, "0");
}
