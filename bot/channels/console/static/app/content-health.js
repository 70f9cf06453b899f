// Whether the articles are up to date, what is live, how to go back, and what each run of the sync did.
import { build } from "./build.js";
import { commandLine, factList, filling, quiet, section, statusLine, theirs } from "./content-parts.js";
import { tableOf } from "./content-table.js";
import { contentWords, healthWords as say } from "./content-words.js";
import { lasting, spanOf, timeOf } from "./time.js";

/**
 * @typedef {{id: string, started: number, ended: number | null, outcome: string, source: string, seen: number, added: number,
 *   changed: number, retired: number, withheld: number, skipped: number, embedded: number, tokens: number, error: string}} Run
 */
/**
 * @typedef {{id: string, fingerprint: string, published: number | null, articles: number, passages: number,
 *   recall_at_3: number | null}} Generation
 */
/**
 * @typedef {{now: number, last_good: number | null, every_s: number | null, late: boolean, old: boolean, runs: Run[],
 *   generation: Generation | null, previous: Generation | null}} Health
 */

/** @param {import("./server.js").Api} api @returns {import("./content-parts.js").Tab} */
export function healthTab(api) {
  const status = statusLine();
  const shown = build("div");
  const look = () =>
    filling(
      status,
      () => api.get("content/health"),
      (/** @type {Health} */ health) => {
        shown.replaceChildren(
          tiles(health),
          ...unwatched(health),
          ...todo(health),
          live(health),
          wayBack(health),
          runs(health),
        );
        return build("span", {}, `${contentWords.asOf} `, timeOf(health.now));
      },
    );
  return { panel: build("div", {}, status, shown), look };
}

/** @param {Health} health */
function tiles({ now, last_good, every_s, late, old }) {
  const state = late
    ? say.late
    : last_good === null
      ? say.nothing
      : every_s === null
        ? say.unwatched
        : say.fine;
  const ago = last_good === null ? say.never : say.ago(agoOf(now - last_good));
  return build(
    "dl",
    { className: "tiles" },
    tile(
      say.state,
      old ? `${state}, ${say.told}` : state,
      late || last_good === null ? "tile wrong" : "tile",
    ),
    tile(say.lastGood, ago),
    tile(say.expected, every_s === null ? say.unscheduled : say.every(spanOf(every_s))),
  );
}

/** @param {number} ms @returns {string} */
function agoOf(ms) {
  const minutes = Math.floor(ms / 60000);
  if (minutes < 1) return say.aMoment;
  return minutes < 60 ? spanOf(minutes * 60) : lasting(ms);
}

/** @param {string} name @param {string} value */
function tile(name, value, className = "tile") {
  return build("div", { className }, build("dt", {}, name), build("dd", {}, value));
}

/** Nothing can be late that nobody expects. @param {Health} health */
function unwatched({ every_s }) {
  return every_s === null ? [quiet(say.watchIt)] : [];
}

/** @param {Health} health */
function todo({ late, last_good }) {
  if (!late && last_good !== null) return [];
  const [look, worker, once] = say.todo;
  const steps = build(
    "ol",
    {},
    build("li", {}, look),
    build("li", {}, worker, commandLine(say.worker)),
    build("li", {}, once, commandLine(say.once)),
  );
  const note = section(say.todoHeading, steps);
  note.className = "late-note";
  return [note];
}

/** @param {Health} health */
function live({ generation }) {
  return section(say.live, generation ? factsOf(generation) : build("p", {}, say.nothingLive));
}

/** @param {Health} health */
function wayBack({ previous }) {
  if (!previous) return section(say.back, quiet(say.noBack));
  return section(
    say.back,
    build("p", {}, say.backHint),
    commandLine(say.backCommand),
    build("p", {}, say.backTo),
    factsOf(previous),
    quiet(say.backHeld),
  );
}

/** @param {Generation} generation */
function factsOf({ id, fingerprint, published, articles, passages, recall_at_3 }) {
  const { facts } = say;
  return factList([
    [facts.articles, say.counted(articles, passages)],
    [facts.published, published === null ? contentWords.unknown : timeOf(published)],
    [facts.recall, recall_at_3 === null ? "" : say.recall(recall_at_3)],
    [facts.fingerprint, fingerprint],
    [facts.id, id],
  ]);
}

/** @param {Health} health */
function runs({ runs: all }) {
  if (!all.length) return section(say.runs, quiet(say.noRuns));
  const { columns } = say;
  const numbers = [
    columns.seen,
    columns.added,
    columns.changed,
    columns.retired,
    columns.withheld,
    columns.skipped,
  ];
  const heads = [
    { label: columns.started, kind: /** @type {const} */ ("head") },
    { label: columns.outcome },
    { label: columns.took },
    ...numbers.map((label) => ({ label, kind: /** @type {const} */ ("number") })),
    { label: columns.embedded },
    { label: columns.note },
  ];
  return section(say.runs, tableOf(say.runs, heads, all.map(runCells)));
}

/** @param {Run} run @returns {(Node | string)[]} */
function runCells(run) {
  const counts = [run.seen, run.added, run.changed, run.retired, run.withheld, run.skipped].map(String);
  const isGood = run.outcome === "done" || run.outcome === "running";
  const ended = say.outcomes[run.outcome] ?? run.outcome;
  return [
    timeOf(run.started),
    isGood ? ended : build("b", { className: "wrong" }, ended),
    run.ended === null ? say.notYet : lasting(run.ended - run.started),
    ...counts,
    say.embedded(run.embedded, run.tokens),
    build("span", {}, theirs(run.source), ...(run.error ? [": ", theirs(run.error, "wrong")] : [])),
  ];
}
