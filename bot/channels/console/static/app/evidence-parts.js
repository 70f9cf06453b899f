// The parts of an answer's evidence: what was searched for, what was found, which steps were taken.
import { build } from "./build.js";
import { articleLink } from "./desk-message.js";
import { draw } from "./drawing.js";
import { evidenceWords } from "./evidence-words.js";

const BAR = { width: 100, height: 10 };

/** @typedef {{seq: number, role: string, text: string}} Used */
/** @typedef {{seq: number, why: string, why_text: string, text: string}} Dropped */
/**
 * @typedef {{article_id: string, title: string, url: string | null, text: string, cosine: number | null, freshness: number,
 *   score: number, blended: boolean, passed: boolean}} Passage
 */
/**
 * @typedef {{name: string, name_text: string, status: string, status_text: string, ms: number, error: string | null,
 *   finding: string | null}} Stage
 */

/** @param {{text: string, used: Used[], dropped: Dropped[]} | null} query */
export function searched(query) {
  if (!query) return section(evidenceWords.searched, quiet(evidenceWords.noSearch));
  const { text, used, dropped } = query;
  return section(
    evidenceWords.searched,
    build("blockquote", { className: "plain" }, text),
    ...listOf(evidenceWords.usedFrom, used, ({ seq, text }) => [messageButton(seq), " ", text]),
    ...listOf(evidenceWords.dropped, dropped, ({ seq, why_text, text }) => [
      messageButton(seq),
      " ",
      build("em", {}, why_text),
      ": ",
      text,
    ]),
  );
}

/** @param {Passage[]} passages @param {number | null} threshold */
export function found(passages, threshold) {
  if (!passages.length) return section(evidenceWords.passages, quiet(evidenceWords.noPassages));
  const items = passages.map((passage) => build("li", {}, ...passageLines(passage, threshold)));
  const legend = threshold === null ? evidenceWords.noThreshold : evidenceWords.legend(figure(threshold));
  return section(evidenceWords.passages, quiet(legend), build("ol", { className: "passages" }, ...items));
}

/** @param {Stage[]} stages */
export function steps(stages) {
  const heads = [evidenceWords.stage, evidenceWords.result, evidenceWords.took];
  const head = build("tr", {}, ...heads.map((text) => build("th", { scope: "col" }, text)));
  const rows = stages.map(({ name_text, status, status_text, ms, error, finding }) => {
    const result = [status_text, error, finding].filter(Boolean).join(": ");
    const cells = [build("td", {}, result), build("td", { className: "number" }, `${Math.round(ms)} ms`)];
    return build("tr", { className: status }, build("th", { scope: "row" }, name_text), ...cells);
  });
  return build("table", {}, build("thead", {}, head), build("tbody", {}, ...rows));
}

/** @param {string} title @param {...(Node | string)} children */
export function section(title, ...children) {
  return build("section", {}, build("h3", {}, title), ...children);
}

/** @param {string} text */
export function quiet(text) {
  return build("p", { className: "quiet" }, text);
}

/** @param {Passage} passage @param {number | null} threshold */
function passageLines({ title, url, text, cosine, passed }, threshold) {
  const isBelow = cosine !== null && threshold !== null && cosine < threshold;
  const verdict = passed ? evidenceWords.passed : isBelow ? evidenceWords.below : evidenceWords.leftOut;
  const label = evidenceWords.meter(figure(cosine), figure(threshold), verdict);
  return [
    build("p", { className: "title" }, articleLink(title, url)),
    build(
      "p",
      { className: "measure" },
      bar(cosine ?? 0, threshold, passed, label),
      build("span", { className: "number", "aria-hidden": "true" }, figure(cosine)),
      build("span", { className: passed ? "passed" : "below", "aria-hidden": "true" }, verdict),
    ),
    build("details", {}, build("summary", {}, excerpt(text)), build("p", { className: "plain" }, text)),
  ];
}

/**
 * A cosine as a bar, the threshold as a line across it.
 * @param {number} cosine @param {number | null} threshold @param {boolean} passed @param {string} label
 */
export function bar(cosine, threshold, passed, label) {
  const { width, height } = BAR;
  const along = (/** @type {number} */ value) => Math.max(0, Math.min(1, value)) * width;
  const box = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" };
  const svg = draw("svg", { ...box, role: "img", "aria-label": label, class: "bar" });
  svg.append(
    draw("rect", { class: "track", width, height, rx: 2 }),
    draw("rect", { class: passed ? "passed" : "below", width: along(cosine), height, rx: 2 }),
  );
  if (threshold !== null) {
    const x = along(threshold);
    svg.append(draw("line", { class: "threshold", x1: x, x2: x, y1: 0, y2: height }));
  }
  return svg;
}

/** @template Item @param {string} title @param {Item[]} items @param {(item: Item) => (Node | string)[]} line */
function listOf(title, items, line) {
  if (!items.length) return [];
  const entries = items.map((item) => build("li", {}, ...line(item)));
  return [build("h4", {}, title), build("ul", { className: "messages" }, ...entries)];
}

/** Leads to the message in the transcript. @param {number} seq */
function messageButton(seq) {
  const button = build("button", { type: "button", className: "link" }, evidenceWords.message(seq));
  button.onclick = () => button.dispatchEvent(new CustomEvent("go-to", { bubbles: true, detail: seq }));
  return button;
}

/** @param {number | null} value */
function figure(value) {
  return value === null ? evidenceWords.unknown : value.toFixed(3);
}

/** @param {string} text */
function excerpt(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
