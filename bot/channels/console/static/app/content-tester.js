// What a search would find for a question or a conversation: exactly what is embedded, every rank, and the verdict.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { articleButton } from "./content-article.js";
import { figure, filling, quiet, section, statusLine, theirs } from "./content-parts.js";
import { tableOf } from "./content-table.js";
import { contentWords, testerWords as say } from "./content-words.js";
import { bar } from "./evidence-parts.js";

const LONGEST = 1500;
const MOST_MESSAGES = 10;
const LOCALE = "[a-z]{2,3}";

/** @typedef {import("./server.js").Api} Api */
/** @typedef {{role: string, text: string}} Message */
/** @typedef {{seq: number, text: string, why_text?: string}} Considered */
/**
 * @typedef {{rank: number, article_id: string, title: string, url: string | null, headings: string[], text: string,
 *   cosine: number | null, freshness: number | null, score: number | null, rival: boolean}} Passage
 */
/**
 * @typedef {{query: {text: string, own: string, bare: string, used: Considered[], dropped: Considered[]} | null,
 *   passages: Passage[], best: number | null, threshold: number | null, passes: boolean, fingerprint: string | null,
 *   generation: string | null, routed: string | null, problem: string | null}} Tried
 */

/** @param {Api} api @returns {import("./content-parts.js").Tab} */
export function testerTab(api) {
  const list = build("ol", { className: "messages" });
  const locale = localeField();
  const status = statusLine();
  const shown = build("div");
  const form = /** @type {HTMLFormElement} */ (
    build(
      "form",
      { className: "tester" },
      build("fieldset", {}, build("legend", {}, say.legend), list, adding(list)),
      build("label", { className: "choice" }, build("span", {}, say.locale), locale),
      build("button", { type: "submit", className: "main" }, say.go),
    )
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const messages = messagesOf(list);
    const body = { messages, locale: locale.value || null };
    void filling(
      status,
      () => api.post("content/try", body),
      (/** @type {Tried} */ tried) => {
        shown.replaceChildren(...resultOf(api, messages, tried));
        return verdictOf(tried);
      },
    );
  };
  addMessage(list);
  return { panel: build("div", {}, quiet(say.hint), form, status, shown), look: async () => {} };
}

function localeField() {
  return /** @type {HTMLInputElement} */ (
    build("input", {
      pattern: LOCALE,
      maxLength: 3,
      autocomplete: "off",
      size: 4,
    })
  );
}

/** @param {HTMLElement} list */
function adding(list) {
  const add = button(say.add, () => {
    addMessage(list).focus();
    add.disabled = list.children.length >= MOST_MESSAGES;
  });
  list.addEventListener("removed", () => {
    add.disabled = false;
    add.focus();
  });
  return add;
}

/** @param {HTMLElement} list @returns {HTMLElement} where to write */
function addMessage(list) {
  const options = say.roles.map(([value, text]) => build("option", { value }, text));
  const role = build("select", {}, ...options);
  const text = build("textarea", { rows: 2, required: true, maxLength: LONGEST, dir: "auto" });
  const item = build("li", {}, role, text);
  const remove = button(say.remove, () => {
    item.remove();
    number(list);
    list.dispatchEvent(new CustomEvent("removed"));
  });
  item.append(remove);
  list.append(item);
  number(list);
  return text;
}

/** Name every control by its message's number; the only message stays. @param {HTMLElement} list */
function number(list) {
  [...list.children].forEach((item, index) => {
    const [role, text, remove] = item.children;
    role.setAttribute("aria-label", say.role(index + 1));
    text.setAttribute("aria-label", say.message(index + 1));
    remove.setAttribute("aria-label", say.removeOf(index + 1));
    remove.toggleAttribute("hidden", list.children.length === 1);
  });
}

/** @param {HTMLElement} list @returns {Message[]} */
function messagesOf(list) {
  return [...list.children].map((item) => ({
    role: /** @type {HTMLSelectElement} */ (item.children[0]).value,
    text: /** @type {HTMLTextAreaElement} */ (item.children[1]).value,
  }));
}

/** @param {Tried} tried */
function verdictOf(tried) {
  const { problem, passes, routed } = tried;
  const className = problem ? "failing" : passes ? "passed" : "";
  const before = routed ? [say.routed(routed), " "] : [];
  return build("span", {}, ...before, build("b", { className }, judged(tried)));
}

/** @param {Tried} tried @returns {string} */
function judged({ problem, best, threshold, passes }) {
  if (problem) return say.unjudged(problem);
  if (threshold === null) return say.uncalibrated(figure(best));
  return (passes ? say.passes : say.stopped)(figure(best), figure(threshold));
}

/** @param {Api} api @param {Message[]} messages @param {Tried} tried */
function resultOf(api, messages, { query, passages, threshold, fingerprint, generation }) {
  const marks = [
    fingerprint && `${say.searchedIn} ${fingerprint}`,
    generation && `${say.generation} ${generation}`,
  ];
  return [
    embeddedPart(query, messages),
    ranksPart(api, passages, threshold),
    quiet(marks.filter(Boolean).join(" · ")),
  ];
}

/** @param {Tried["query"]} query @param {Message[]} messages */
function embeddedPart(query, messages) {
  if (!query) return section(say.embedded, quiet(say.unsearched));
  const { text, own, bare, used, dropped } = query;
  const [window, ...others] = [...new Set([text, own, bare])].filter(Boolean);
  const names = new Map([
    [own, say.own],
    [bare, say.bare],
  ]);
  return section(
    say.embedded,
    ...embeddedText(say.window, window),
    ...others.flatMap((other) => embeddedText(names.get(other) ?? say.bare, other)),
    ...consideredList(say.used, used, messages),
    ...consideredList(say.dropped, dropped, messages),
  );
}

/** @param {string} heading @param {string} text */
function embeddedText(heading, text) {
  return [build("h4", {}, heading), build("blockquote", { className: "plain", dir: "auto" }, text)];
}

/** @param {string} heading @param {Considered[]} considered @param {Message[]} messages */
function consideredList(heading, considered, messages) {
  if (!considered.length) return [];
  const items = considered.map(({ seq, text, why_text }) =>
    build(
      "li",
      {},
      build("b", {}, `${say.roleNames[messages[seq - 1]?.role] ?? contentWords.unknown}: `),
      theirs(text),
      ...(why_text ? [build("em", { className: "quiet" }, ` (${why_text})`)] : []),
    ),
  );
  return [build("h4", {}, heading), build("ul", {}, ...items)];
}

/** @param {Api} api @param {Passage[]} passages @param {number | null} threshold */
function ranksPart(api, passages, threshold) {
  if (!passages.length) return section(say.ranks, quiet(say.none));
  const { columns } = say;
  const heads = [
    { label: columns.rank, kind: /** @type {const} */ ("number") },
    { label: columns.article, kind: /** @type {const} */ ("head") },
    { label: columns.cosine },
    { label: columns.freshness, kind: /** @type {const} */ ("number") },
    { label: columns.score, kind: /** @type {const} */ ("number") },
  ];
  const legend = threshold === null ? [] : [quiet(say.legendBar(figure(threshold)))];
  const rows = passages.map((passage) => passageCells(api, passage, threshold));
  return section(say.ranks, ...legend, quiet(say.order), tableOf(say.ranks, heads, rows));
}

/** @param {Api} api @param {Passage} passage @param {number | null} threshold @returns {(Node | string)[]} */
function passageCells(api, passage, threshold) {
  const { rank, article_id, title, headings, text, cosine, freshness, score, rival } = passage;
  const about = build(
    "div",
    {},
    articleButton(api, { id: article_id, title }),
    ...(rival ? [" ", build("span", { className: "tag late" }, say.rival)] : []),
    build(
      "details",
      {},
      build("summary", {}, headings.length ? theirs(headings.join(" › ")) : excerpt(text)),
      textOf(text),
    ),
  );
  return [
    String(rank),
    about,
    measure(cosine, threshold),
    freshness === null ? say.noFreshness : freshness.toFixed(2),
    score === null ? contentWords.unknown : score.toFixed(3),
  ];
}

/** @param {string} text */
function textOf(text) {
  return build("p", { className: "plain", dir: "auto" }, text);
}

/** @param {number | null} cosine @param {number | null} threshold */
function measure(cosine, threshold) {
  const passes = cosine !== null && threshold !== null && cosine >= threshold;
  const drawn = bar(cosine ?? 0, threshold, passes, say.meter(figure(cosine), figure(threshold)));
  return build(
    "span",
    { className: "measure" },
    drawn,
    build("span", { "aria-hidden": "true" }, figure(cosine)),
  );
}

/** @param {string} text */
function excerpt(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return theirs(line.length > 90 ? `${line.slice(0, 89)}…` : line);
}
