// Articles that say nearly the same or contradict each other, what was decided about them, and how to decide.
import { announce, warn } from "./announcer.js";
import { build } from "./build.js";
import { button } from "./buttons.js";
import { articleButton } from "./content-article.js";
import { differing } from "./content-diff.js";
import { PATIENCE_MS, filling, quiet, section, statusLine, theirs } from "./content-parts.js";
import { contentWords, pairWords as say } from "./content-words.js";
import { ask } from "./dialog.js";
import { dayOf, timeOf } from "./time.js";

/** @typedef {import("./server.js").Api} Api */
/** @typedef {{id: string, title: string, url: string | null, last_modified: number | null}} Side */
/** @typedef {{left: string, right: string, differs: string[]}} Sentences */
/**
 * @typedef {{key: string, kind: string, cosine: number, left: Side, right: Side, heading: string, sentences: Sentences[]}} Pair
 */
/** @typedef {{key: string, kind: string, who: string, at: number, left: Side, right: Side}} Decided left is what was superseded */
/** @typedef {{pairs: Pair[], decided: Decided[], total: number}} Answer */
/** @typedef {{api: Api, again: () => Promise<void>}} Doing */

/** @param {Api} api @returns {import("./content-parts.js").Tab} */
export function pairsTab(api) {
  const status = statusLine();
  status.tabIndex = -1; // where the focus goes when what had it was decided
  const shown = build("div");
  const look = () =>
    filling(
      status,
      () => api.get("content/pairs", PATIENCE_MS),
      (/** @type {Answer} */ { pairs, decided, total }) => {
        const doing = { api, again };
        const list = pairs.map((pair, index) => pairPart(doing, pair, index));
        shown.replaceChildren(...list, section(say.decided, decidedList(doing, decided)));
        return pairs.length ? say.count(pairs.length, total) : say.none;
      },
    );
  const again = async () => {
    status.dispatchEvent(new CustomEvent("decided", { bubbles: true }));
    await look();
    status.focus();
  };
  const hints = [quiet(say.hint), ...(api.session.editsReplies ? [] : [quiet(contentWords.readOnly)])];
  return { panel: build("div", {}, ...hints, status, shown), look };
}

/** @param {Doing} doing @param {Pair} pair @param {number} index */
function pairPart(doing, pair, index) {
  const { kind, cosine, heading, left, right, sentences } = pair;
  const about = [
    build("span", { className: "quiet" }, say.cosine(cosine)),
    ...(heading ? [build("span", { className: "quiet" }, `${say.under} `, theirs(heading))] : []),
  ];
  const part = section(
    say.title(say.kinds[kind] ?? kind, index + 1),
    build("p", { className: "about-pair" }, ...about),
    sideBySide(doing, pair, left, right, sentences),
  );
  part.className = `pair ${kind}`;
  if (doing.api.session.editsReplies) {
    const press = () => void markDistinct(doing, pair);
    part.append(build("div", { className: "choices" }, button(say.distinct, press)));
  }
  return part;
}

/** @param {Doing} doing @param {Pair} pair @param {Side} left @param {Side} right @param {Sentences[]} sentences */
function sideBySide(doing, pair, left, right, sentences) {
  const heads = [sideHead(doing, pair, left, right), sideHead(doing, pair, right, left)];
  const rows = sentences.flatMap((one) => sentenceRows(one));
  const none = build("tr", {}, build("td", { colSpan: 2 }, say.same));
  return build(
    "table",
    { className: "sides" },
    build("caption", {}, say.sentences),
    build("thead", {}, build("tr", {}, ...heads)),
    build("tbody", {}, ...(rows.length ? rows : [none])),
  );
}

/** @param {Doing} doing @param {Pair} pair @param {Side} side @param {Side} other */
function sideHead(doing, pair, side, other) {
  const when = side.last_modified === null ? [say.undated] : [`${say.modified} `, dayOf(side.last_modified)];
  const modified = build("span", { className: "quiet" }, ...when);
  const keep = button(say.keep, () => void keepOne(doing, pair, side, other), {
    "aria-label": `${say.keep}: ${side.title}`,
  });
  const inside = [
    articleButton(doing.api, side),
    modified,
    ...(doing.api.session.editsReplies ? [keep] : []),
  ];
  return build("th", { scope: "col" }, build("div", {}, ...inside));
}

/** @param {Sentences} sentences */
function sentenceRows({ left, right, differs }) {
  const [a, b] = differing(left, right);
  const row = build("tr", {}, build("td", {}, marked(a)), build("td", {}, marked(b)));
  if (!differs.length) return [row];
  const words = build(
    "td",
    { colSpan: 2, className: "differs" },
    `${say.differs}: `,
    theirs(differs.join(" · ")),
  );
  return [row, build("tr", {}, words)];
}

/** What differs is underlined and bold too. @param {import("./content-diff.js").Piece[]} pieces */
function marked(pieces) {
  if (!pieces.length) return build("span", { className: "quiet" }, say.absent);
  const parts = pieces.flatMap(({ text, differs }) => (differs ? markOf(text) : [text]));
  return build("bdi", { dir: "auto", className: "plain" }, ...parts);
}

/** @param {string} text @returns {(Node | string)[]} the mark ends with the last word */
function markOf(text) {
  const end = text.trimEnd().length;
  return [build("mark", {}, text.slice(0, end)), text.slice(end)];
}

/** @param {Doing} doing @param {Decided[]} decided */
function decidedList(doing, decided) {
  if (!decided.length) return quiet(say.decidedNone);
  return build("ul", { className: "decided" }, ...decided.map((one) => decidedItem(doing, one)));
}

/** @param {Doing} doing @param {Decided} decided */
function decidedItem(doing, decided) {
  const { kind, who, at, left, right } = decided;
  const isSuperseded = kind === "superseded";
  const sentence = [
    theirs(left.title || left.id),
    ` ${isSuperseded ? say.superseded : say.isDistinct} `,
    theirs(right.title || right.id),
    isSuperseded ? "" : ` ${say.areDistinct}`,
  ];
  const by = build("span", { className: "quiet" }, `${say.by} `, theirs(who), ", ", timeOf(at));
  const undo = button(say.undo, () => void takeBack(doing, decided), {
    "aria-label": say.undoOf(`${left.title} / ${right.title}`),
  });
  const text = build("div", {}, build("p", {}, ...sentence), by);
  return build("li", {}, text, ...(doing.api.session.editsReplies ? [undo] : []));
}

/** @param {Doing} doing @param {Pair} pair @param {Side} side @param {Side} other */
async function keepOne(doing, { key }, side, other) {
  const body = [build("p", {}, say.keepHint(other.title || other.id))];
  const given = await ask({
    title: say.keepTitle(side.title || side.id),
    yes: say.keepYes,
    isDanger: true,
    body,
  });
  const decision = { decision: "supersede", keep: side.id };
  if (given) await settle(doing, doing.api.post(pathOf(key), decision), say.kept);
}

/** @param {Doing} doing @param {Pair} pair */
async function markDistinct(doing, { key, left, right }) {
  const titles = build(
    "ul",
    {},
    ...[left, right].map(({ title, id }) => build("li", {}, theirs(title || id))),
  );
  const body = [titles, build("p", {}, say.distinctHint)];
  const given = await ask({ title: say.distinctTitle, yes: say.distinct, body });
  if (given) await settle(doing, doing.api.post(pathOf(key), { decision: "distinct" }), say.distinctDone);
}

/** @param {Doing} doing @param {Decided} decided */
async function takeBack(doing, { key, kind, left }) {
  const hint = kind === "superseded" ? say.undoSuperseded(left.title || left.id) : say.undoDistinct;
  const given = await ask({ title: say.undoTitle, yes: say.undo, body: [build("p", {}, hint)] });
  if (given) await settle(doing, doing.api.remove(pathOf(key)), say.undone);
}

/** @param {string} key */
function pathOf(key) {
  return `content/pairs/${encodeURIComponent(key)}`;
}

/** @param {Doing} doing @param {Promise<unknown>} asking @param {string} done */
async function settle({ again }, asking, done) {
  try {
    await asking;
    announce(done);
  } catch (error) {
    warn(/** @type {Error} */ (error).message); // most often because somebody else was first: the list says so
  }
  await again();
}
