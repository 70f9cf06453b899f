// Columns by day, stacked by reason. Colours are classes, because the page's policy allows no inline style.
import { draw } from "./drawing.js";
import { numbersWords } from "./numbers-words.js";

const WIDTH = 360;
const HEIGHT = 140;
const TOP = 14;
const BOTTOM = 18;
const WIDEST = 28;
const FILLED = 0.66; // of a day's width
const LABELS = 10; // so many days are named below; more would overlap
const COLOURS = 6; // so many reasons have a colour of their own, and the rest share one

/** @typedef {import("./numbers-view.js").Day} Day */
/** @typedef {{code: string, text: string, colour: string}} Series */

/**
 * The reasons of *days*, the most frequent first; the last series stands for all that have no colour.
 * @param {Day[]} days @param {Record<string, string>} texts @returns {Series[]}
 */
export function seriesOf(days, texts) {
  const totals = new Map();
  for (const { by_reason } of days) {
    for (const [code, count] of Object.entries(by_reason)) totals.set(code, (totals.get(code) ?? 0) + count);
  }
  const codes = [...totals.keys()].sort((a, b) => totals.get(b) - totals.get(a) || (a < b ? -1 : 1));
  const own = codes.slice(0, COLOURS);
  const series = own.map((code, index) => ({ code, text: texts[code] ?? code, colour: `series-${index}` }));
  const rest = { code: "", text: numbersWords.otherReasons, colour: "series-rest" };
  return codes.length > own.length ? [...series, rest] : series;
}

/** @param {Day[]} days @param {Series[]} series @returns {SVGElement} */
export function chart(days, series) {
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}` };
  const svg = draw("svg", { class: "chart", ...size, role: "img", "aria-label": numbersWords.chart });
  const most = Math.max(1, ...days.map(totalOf));
  const base = HEIGHT - BOTTOM;
  const step = WIDTH / days.length;
  const width = Math.min(WIDEST, step * FILLED);
  const every = Math.ceil(days.length / LABELS);
  svg.append(draw("line", { class: "axis", x1: 0, x2: WIDTH, y1: base + 0.5, y2: base + 0.5 }));
  days.forEach((day, index) => {
    const middle = (index + 0.5) * step;
    svg.append(...column(day, series, { middle, base, width, perOne: (base - TOP) / most }));
    const isNamed = (days.length - 1 - index) % every === 0;
    if (isNamed) svg.append(label(middle, HEIGHT - 5, dayOfMonth(day.day)));
  });
  return svg;
}

/** @typedef {{middle: number, base: number, width: number, perOne: number}} Place */
/** @param {Day} day @param {Series[]} series @param {Place} place */
function column(day, series, { middle, base, width, perOne }) {
  const total = totalOf(day);
  if (!total) return [];
  let top = base;
  const parts = series.map(({ colour }, index) => {
    const height = countOf(day, series, index) * perOne;
    top -= height;
    return draw("rect", { class: colour, x: middle - width / 2, y: top, width, height });
  });
  return [...parts, label(middle, top - 4, String(total))];
}

/** @param {Day} day @param {Series[]} series @param {number} index */
function countOf(day, series, index) {
  const { code } = series[index];
  if (code) return day.by_reason[code] ?? 0;
  const named = series.reduce((sum, other) => sum + (day.by_reason[other.code] ?? 0), 0);
  return totalOf(day) - named;
}

/** @param {Day} day */
export function totalOf({ by_reason }) {
  return Object.values(by_reason).reduce((sum, count) => sum + count, 0);
}

/** @param {string} day such as 2026-11-30 @returns {string} the day of the month */
function dayOfMonth(day) {
  return String(Number(day.slice(8)));
}

/** @param {number} x @param {number} y @param {string} text */
function label(x, y, text) {
  return draw("text", { x, y, "text-anchor": "middle" }, text);
}
