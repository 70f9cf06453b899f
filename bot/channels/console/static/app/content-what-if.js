// What another threshold would have done to recorded turns: a slider, a curve, and every turn that would have ended otherwise.
import { build } from "./build.js";
import { button } from "./buttons.js";
import {
  PATIENCE_MS,
  conversationLink,
  daysChoice,
  figure,
  filling,
  later,
  quiet,
  section,
  statusLine,
  theirs,
} from "./content-parts.js";
import { plot } from "./content-plot.js";
import { tableOf } from "./content-table.js";
import { contentWords, whatIfWords as say } from "./content-words.js";
import { sentenceCase } from "./desk-row.js";
import { timeOf } from "./time.js";

const STEP = 0.005;
const MARGIN = 0.02; // of the plot beyond what calibration saw, so that its ends can be seen

/**
 * @typedef {{conversation: string, turn: string, question: string, at: number, best_cosine: number | null,
 *   threshold: number | null, outcome: string, reason: string | null, article: string | null}} Row
 */
/**
 * @typedef {{threshold: number | null, current: number | null, lowest: number | null, highest: number | null, n: number,
 *   stopped: number, answered: number, passes: Row[], handed_over: Row[], passes_count: number, handed_over_count: number,
 *   curve: import("./content-plot.js").Point[], others: number, unread: boolean, problem: string | null}} Supposed
 */
/** @typedef {{slider: HTMLInputElement, exact: HTMLInputElement, back: HTMLButtonElement}} Controls */

/** @param {import("./server.js").Api} api @returns {import("./content-parts.js").Tab} */
export function whatIfTab(api) {
  const days = daysChoice();
  const status = statusLine();
  const controls = thresholdControls();
  const shown = build("div");
  let wanted = ""; // without a wish it is the threshold in force
  const look = () => {
    const asked = new URLSearchParams({ days: days.select.value, ...(wanted && { threshold: wanted }) });
    return filling(
      status,
      () => api.get(`content/what-if?${asked}`, PATIENCE_MS),
      (/** @type {Supposed} */ answer) => {
        fit(controls, answer);
        shown.replaceChildren(...partsOf(answer));
        return sentenceOf(answer);
      },
    );
  };
  const soon = later(() => void look());
  listen(controls, (value) => {
    wanted = value;
    soon();
  });
  days.select.onchange = () => void look();
  const frame = build("div", { className: "controls" }, ...labelled(controls), days.element, controls.back);
  return { panel: build("div", {}, quiet(say.hint), frame, status, shown), look };
}

/** @returns {Controls} */
function thresholdControls() {
  const range = { min: "0", max: "1", value: "0", disabled: true };
  const slider = build("input", { type: "range", ...range, step: String(STEP) });
  const exact = build("input", { type: "number", ...range, step: "any" });
  const back = button(say.backToCurrent, () => {}, { className: "link" });
  return /** @type {Controls} */ ({ slider, exact, back });
}

/** @param {Controls} controls */
function labelled({ slider, exact }) {
  return [
    build("label", { className: "choice wide" }, build("span", {}, say.threshold), slider),
    build("label", { className: "choice" }, build("span", {}, say.exact), exact),
  ];
}

/** @param {Controls} controls @param {(value: string) => void} wish */
function listen({ slider, exact, back }, wish) {
  slider.oninput = () => {
    exact.value = slider.value;
    wish(slider.value);
  };
  exact.oninput = () => {
    if (!exact.value || !exact.validity.valid) return;
    slider.value = exact.value;
    wish(exact.value);
  };
  back.onclick = () => wish("");
}

/**
 * Let the slider span what calibration saw, beyond which a threshold says nothing; what somebody is just choosing stays.
 * @param {Controls} controls @param {Supposed} answer
 */
function fit({ slider, exact, back }, { threshold, lowest, highest }) {
  const isKnown = threshold !== null && lowest !== null && highest !== null;
  slider.disabled = exact.disabled = back.disabled = !isKnown;
  if (!isKnown) return;
  const range = {
    min: String(Math.ceil(lowest * 1000) / 1000),
    max: String(Math.floor(highest * 1000) / 1000),
  };
  Object.assign(slider, range);
  Object.assign(exact, range);
  if (document.activeElement !== slider) slider.value = String(threshold);
  if (document.activeElement !== exact) exact.value = figure(threshold);
  slider.setAttribute("aria-valuetext", figure(threshold));
}

/** @param {Supposed} answer */
function sentenceOf({ problem, n, threshold, passes_count, stopped, handed_over_count, answered }) {
  if (problem) return build("b", { className: "failing" }, sentenceCase(problem));
  if (!n) return say.nothing;
  const said = say.said(figure(threshold), passes_count, stopped, handed_over_count, answered);
  return build("span", {}, build("b", {}, said), ` ${say.turns(n)}.`);
}

/** @param {Supposed} answer */
function partsOf(answer) {
  const { current, lowest, highest } = answer;
  if (current === null || lowest === null || highest === null) return [];
  const facts = [say.current(figure(current)), say.range(figure(lowest), figure(highest))];
  if (answer.others) facts.push(say.others(answer.others));
  if (answer.unread) facts.push(say.unread);
  if (!answer.n) return [quiet(facts.join(" "))];
  return [
    quiet(facts.join(" ")),
    ...curvePart(answer),
    listPart(say.passes, say.passesHint, say.noPasses, answer.passes, answer.passes_count),
    listPart(
      say.handedOver,
      say.handedOverHint,
      say.noHandedOver,
      answer.handed_over,
      answer.handed_over_count,
    ),
  ];
}

/** @param {Supposed} answer */
function curvePart(answer) {
  const { curve, threshold, current, lowest, highest } = answer;
  if (curve.length < 2 || threshold === null || lowest === null || highest === null) return [];
  const span = { from: lowest - MARGIN, to: highest + MARGIN };
  const drawn = plot({ curve, ...span, threshold, current, lowest, highest });
  const columns = say.curveColumns;
  const table = tableOf(
    say.curve,
    [
      { label: columns.threshold, kind: "head" },
      { label: columns.passes, kind: "number" },
      { label: columns.handedOver, kind: "number" },
    ],
    curve.map((point) => [figure(point.threshold), String(point.passes), String(point.handed_over)]),
  );
  return [
    build("div", { className: "plot-frame" }, drawn, legend()),
    build("details", {}, build("summary", {}, say.curve), table),
  ];
}

function legend() {
  const entries = [
    ["passes", say.passes],
    ["handed-over", say.handedOver],
    ["chosen", say.legend.chosen],
    ["current", say.legend.current],
    ["calibrated", say.legend.calibrated],
  ];
  const items = entries.map(([name, text]) =>
    build("li", {}, build("span", { className: `key ${name}` }), text),
  );
  return build("ul", { className: "legend" }, ...items);
}

/** @param {string} heading @param {string} hint @param {string} none @param {Row[]} rows @param {number} total */
function listPart(heading, hint, none, rows, total) {
  const title = `${heading} (${total})`;
  if (!rows.length) return section(title, quiet(none));
  const { columns } = say;
  const table = tableOf(
    heading,
    [
      { label: columns.question, kind: "head" },
      { label: columns.best, kind: "number" },
      { label: columns.threshold, kind: "number" },
      { label: columns.article },
      { label: columns.at },
    ],
    rows.map((row) => [
      conversationLink(row.conversation, theirs(row.question)),
      figure(row.best_cosine),
      figure(row.threshold),
      row.article ? theirs(row.article) : contentWords.none,
      timeOf(row.at),
    ]),
  );
  const more = rows.length < total ? [quiet(say.more(rows.length, total))] : [];
  return section(title, quiet(hint), table, ...more);
}
