// How many turns change at each threshold, as two lines; the chosen threshold, the one in force and the calibrated range.
import { whatIfWords as say } from "./content-words.js";
import { draw } from "./drawing.js";

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 46;
const RIGHT = 14;
const TOP = 30;
const BOTTOM = 30;
const TICKS = 5;

/** @typedef {{threshold: number, passes: number, handed_over: number}} Point */
/**
 * @typedef {{curve: Point[], from: number, to: number, threshold: number, current: number | null, lowest: number | null,
 *   highest: number | null}} Plotted
 */

/** @param {Plotted} plotted @returns {SVGElement} */
export function plot({ curve, from, to, threshold, current, lowest, highest }) {
  const most = Math.max(1, ...curve.map(({ passes, handed_over }) => Math.max(passes, handed_over)));
  const across = (/** @type {number} */ value) =>
    LEFT + ((value - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const along = (/** @type {number} */ value) => Math.min(WIDTH - RIGHT, Math.max(LEFT, across(value)));
  const up = (/** @type {number} */ count) => HEIGHT - BOTTOM - (count / most) * (HEIGHT - TOP - BOTTOM);
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": say.plot };
  return draw(
    "svg",
    box,
    ...calibrated(lowest, highest, along),
    ...counts(most, up),
    ...ticks(from, to, along),
    label(LEFT, TOP - 14, say.turnsAxis, "start"),
    lineOf(
      "passes",
      curve.map((point) => [along(point.threshold), up(point.passes)]),
    ),
    lineOf(
      "handed-over",
      curve.map((point) => [along(point.threshold), up(point.handed_over)]),
    ),
    ...(current === null ? [] : [upright("current", along(current))]),
    upright("chosen", along(threshold)),
  );
}

/** @param {number | null} lowest @param {number | null} highest @param {(value: number) => number} along */
function calibrated(lowest, highest, along) {
  if (lowest === null || highest === null) return [];
  const [x, end] = [along(lowest), along(highest)];
  return [draw("rect", { class: "calibrated", x, y: TOP, width: end - x, height: HEIGHT - TOP - BOTTOM })];
}

/** @param {number} most @param {(count: number) => number} up */
function counts(most, up) {
  return [0, most].flatMap((count) => [
    draw("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: up(count), y2: up(count) }),
    label(LEFT - 6, up(count) + 5, String(count), "end"),
  ]);
}

/** @param {number} from @param {number} to @param {(value: number) => number} along */
function ticks(from, to, along) {
  return Array.from({ length: TICKS }, (_, index) => {
    const value = from + ((to - from) * index) / (TICKS - 1);
    const anchor = index === 0 ? "start" : index === TICKS - 1 ? "end" : "middle";
    return label(along(value), HEIGHT - 6, value.toFixed(2), anchor);
  });
}

/** @param {string} name @param {number[][]} points */
function lineOf(name, points) {
  return draw("polyline", {
    class: `line ${name}`,
    points: points.map((point) => point.join(",")).join(" "),
  });
}

/** @param {string} name @param {number} x */
function upright(name, x) {
  return draw("line", { class: `upright ${name}`, x1: x, x2: x, y1: TOP - 8, y2: HEIGHT - BOTTOM });
}

/** @param {number} x @param {number} y @param {string} text @param {string} anchor */
function label(x, y, text, anchor) {
  return draw("text", { x, y, "text-anchor": anchor }, text);
}
