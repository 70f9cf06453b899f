// The desk's numbers: who waits now, what was handed over and why, and what was answered without a person.
import { build } from "./build.js";
import { chart, seriesOf, totalOf } from "./numbers-chart.js";
import { numbersWords as say } from "./numbers-words.js";
import { lasting, timeOf } from "./time.js";
import { words } from "./words.js";

const AGAIN_MS = 15000;

/** @typedef {{confirmed: number, silent: number, came_back: number}} AnsweredAlone */
/** @typedef {{reason: string, reason_text: string, count: number}} Reason */
/** @typedef {{day: string, by_reason: Record<string, number>, answered_alone: AnsweredAlone}} Day */
/**
 * @typedef {{handed_over: {total: number, by_reason: Reason[]}, answered_alone: AnsweredAlone,
 *   first_reply_median_ms: number | null, untruthful: number, satisfaction: {count: number, mean: number | null}}} Today
 */
/**
 * @typedef {{now: number, waiting: {queued: number, claimed: number, longest_ms: number}, today: Today, days: Day[],
 *   reasons: Record<string, string>}} Numbers
 */

/** @param {{get: (path: string) => Promise<Numbers>}} api @returns {HTMLElement} */
export function numbersView(api) {
  const spans = say.spans.map((days) => build("option", { value: String(days) }, say.lastDays(days)));
  const span = /** @type {HTMLSelectElement} */ (build("select", { id: "numbers-span" }, ...spans));
  const status = build("p", { role: "status", className: "quiet" }, words.loading);
  const shown = build("div", { className: "numbers" });
  const view = build(
    "section",
    { className: "page" },
    build("link", { rel: "stylesheet", href: new URL("../numbers.css", import.meta.url).href }),
    build("h2", { tabIndex: -1 }, say.heading),
    build("div", { className: "numbers-head" }, build("label", { htmlFor: span.id }, say.span), span, status),
    shown,
  );
  const look = () => read(api, span, status, shown);
  span.onchange = () => void look();
  void look();
  keepLooking(view, look);
  return view;
}

/** Look again for as long as the page is open. @param {HTMLElement} view @param {() => Promise<void>} look */
function keepLooking(view, look) {
  const timer = setInterval(() => {
    if (!view.isConnected) clearInterval(timer);
    else if (!document.hidden) void look();
  }, AGAIN_MS);
}

/**
 * @param {{get: (path: string) => Promise<Numbers>}} api @param {HTMLSelectElement} span
 * @param {HTMLElement} status @param {HTMLElement} shown
 */
async function read(api, span, status, shown) {
  const days = span.value;
  try {
    const numbers = await api.get(`numbers?days=${days}`);
    if (span.value !== days) return;
    const { today } = numbers;
    const parts = [waitingPart(numbers), todayPart(today), reasonsPart(today), alonePart(today), daysPart(numbers)];
    shown.replaceChildren(...parts);
    status.replaceChildren(`${say.asOf} `, timeOf(numbers.now));
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {Numbers} numbers */
function waitingPart({ waiting: { queued, claimed, longest_ms } }) {
  const longest = tile(say.longest, queued ? lasting(longest_ms) : say.nobody);
  return part(say.waiting, tiles(tile(say.queued, String(queued)), longest, tile(say.claimed, String(claimed))));
}

/** @param {Today} today */
function todayPart({ handed_over, first_reply_median_ms, untruthful, satisfaction }) {
  const median = first_reply_median_ms === null ? say.noReply : lasting(first_reply_median_ms);
  const lie = tile(say.untruthful, String(untruthful), untruthful ? "tile wrong" : "tile");
  const verdict = untruthful
    ? build("p", { role: "alert", className: "wrong" }, say.lied(untruthful))
    : build("p", { className: "quiet" }, say.truthful);
  const { count, mean } = satisfaction;
  const rated = tile(say.satisfaction, mean === null ? say.noRating : say.rated(mean, count));
  const total = tile(say.handedOver, String(handed_over.total));
  return part(say.today, tiles(total, tile(say.median, median), rated, lie), verdict);
}

/** @param {Today} today */
function reasonsPart({ handed_over: { by_reason } }) {
  if (!by_reason.length) return part(say.byReason, build("p", { className: "quiet" }, say.noHandoff));
  const most = Math.max(...by_reason.map(({ count }) => count));
  const rows = by_reason.map(({ reason_text, count }) => {
    const drawn = build("td", { className: "bar" }, bar(count, most));
    return build("tr", {}, rowHead(sentence(reason_text)), cell(count), drawn);
  });
  const head = build("tr", {}, columnHead(say.reason), columnHead(say.count), build("td"));
  return part(say.byReason, table(say.byReason, head, rows));
}

/** @param {Today} today */
function alonePart({ answered_alone }) {
  const hint = build("p", { className: "quiet" }, say.aloneHint);
  const all = answered_alone.confirmed + answered_alone.silent + answered_alone.came_back;
  if (!all) return part(say.alone, hint, build("p", {}, say.noAnswer));
  const items = say.endings.flatMap(([key, name, meaning]) => [
    build("dt", {}, bar(answered_alone[key], all, key), `${name}: ${answered_alone[key]}`),
    build("dd", { className: "quiet" }, meaning),
  ]);
  return part(say.alone, hint, build("dl", { className: "endings" }, ...items));
}

/** @param {Numbers} numbers */
function daysPart({ days, reasons }) {
  const series = seriesOf(days, reasons);
  const legend = series.map(({ text, colour }) =>
    build("li", {}, build("span", { className: `key ${colour}` }), sentence(text)),
  );
  const heads = [say.day, say.handedOver, ...say.endings.map(([, name]) => name), say.reasons];
  const rows = [...days].reverse().map((day) => dayRow(day, reasons));
  return part(
    say.days,
    build("div", { className: "chart-frame" }, chart(days, series)),
    build("ul", { className: "legend" }, ...legend),
    table(say.days, build("tr", {}, ...heads.map(columnHead)), rows),
  );
}

/** @param {Day} day @param {Record<string, string>} reasons */
function dayRow(day, reasons) {
  const why = Object.entries(day.by_reason).map(([code, count]) => `${count} × ${reasons[code] ?? code}`);
  const ended = say.endings.map(([key]) => cell(day.answered_alone[key]));
  const reasonCell = build("td", { className: "why" }, why.join("; ") || say.none);
  return build("tr", {}, rowHead(dayText(day.day), "day"), cell(totalOf(day)), ...ended, reasonCell);
}

/** @param {string} day a date without a time, which no time zone may move */
function dayText(day) {
  /** @type {Intl.DateTimeFormatOptions} */
  const shown = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString([], shown);
}

/** @param {string} heading @param {...Node} children */
function part(heading, ...children) {
  return build("section", {}, build("h3", {}, heading), ...children);
}

/** @param {...HTMLElement} children */
function tiles(...children) {
  return build("dl", { className: "tiles" }, ...children);
}

/** @param {string} name @param {string} value */
function tile(name, value, className = "tile") {
  return build("div", { className }, build("dt", {}, name), build("dd", {}, value));
}

/**
 * A table that scrolls by itself where it is too wide.
 * @param {string} caption @param {HTMLElement} head @param {HTMLElement[]} rows
 */
function table(caption, head, rows) {
  const parts = [build("caption", {}, caption), build("thead", {}, head), build("tbody", {}, ...rows)];
  const content = build("table", {}, ...parts);
  return build("div", { className: "table-frame", role: "region", "aria-label": caption, tabIndex: 0 }, content);
}

/** @param {string} text */
function columnHead(text) {
  return build("th", { scope: "col" }, text);
}

/** @param {string} text */
function rowHead(text, className = "") {
  return build("th", { scope: "row", className }, text);
}

/** @param {number} count */
function cell(count) {
  return build("td", { className: "number" }, String(count));
}

/** A bar without words: its number stands beside it. @param {number} count @param {number} of */
function bar(count, of, className = "") {
  return build("progress", { className, max: of, value: count, "aria-hidden": "true" });
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
