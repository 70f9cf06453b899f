// All articles that the index knows: found by their words, chosen by status and tag, each with its text.
import { build } from "./build.js";
import { articleButton, statusOf } from "./content-article.js";
import { choiceOf, filling, later, quiet, statusLine, theirs } from "./content-parts.js";
import { tableOf } from "./content-table.js";
import { articleWords as say } from "./content-words.js";
import { ageOf, dayOf, now } from "./time.js";

/** @typedef {import("./content-article.js").Article} Article */
/** @typedef {{articles: Article[], tags: string[], found: number, total: number, cited_days: number}} Answer */

const MOST_CHARACTERS = 200;

/** @param {import("./server.js").Api} api @returns {import("./content-parts.js").Tab} */
export function articlesTab(api) {
  const words = /** @type {HTMLInputElement} */ (
    build("input", { type: "search", id: "article-words", maxLength: MOST_CHARACTERS, autocomplete: "off" })
  );
  const statuses = /** @type {[string, string][]} */ (Object.entries(say.statuses));
  const status = choiceOf(say.status, [["", say.anyStatus], ...statuses]);
  const tag = choiceOf(say.tag, [["", say.anyTag]]);
  const state = statusLine();
  const shown = build("div");
  const look = () => {
    const asked = new URLSearchParams({
      q: words.value.trim(),
      status: status.select.value,
      tag: tag.select.value,
    });
    return filling(
      state,
      () => api.get(`content/articles?${asked}`),
      (/** @type {Answer} */ answer) => {
        fillTags(tag.select, answer.tags);
        shown.replaceChildren(...(answer.articles.length ? [listOf(api, answer), hintOf(answer)] : []));
        return answer.articles.length ? countOf(answer) : say.nothing;
      },
    );
  };
  words.oninput = later(() => void look());
  status.select.onchange = tag.select.onchange = () => void look();
  return {
    panel: build("div", {}, searchForm(words, [status.element, tag.element], look), state, shown),
    look,
  };
}

/** @param {HTMLInputElement} words @param {HTMLElement[]} choices @param {() => Promise<void>} look */
function searchForm(words, choices, look) {
  const label = build("label", { className: "choice wide" }, build("span", {}, say.label), words);
  const form = /** @type {HTMLFormElement} */ (
    build("form", { role: "search", className: "controls" }, label, ...choices)
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    void look();
  };
  return form;
}

/** @param {Answer} answer @returns {string} */
function countOf({ articles, found, total }) {
  return articles.length < found ? say.first(articles.length, found) : say.count(found, total);
}

/** What is chosen stays, even if nothing has it now. @param {HTMLSelectElement} select @param {string[]} tags */
function fillTags(select, tags) {
  const chosen = select.value;
  const all = chosen && !tags.includes(chosen) ? [chosen, ...tags] : tags;
  const options = all.map((tag) => build("option", { value: tag }, tag));
  select.replaceChildren(build("option", { value: "" }, say.anyTag), ...options);
  select.value = chosen;
}

/** @param {import("./server.js").Api} api @param {Answer} answer */
function listOf(api, { articles }) {
  const { columns } = say;
  return tableOf(
    say.caption,
    [
      { label: columns.title, kind: "head" },
      { label: columns.status },
      { label: columns.age },
      { label: columns.changed },
      { label: columns.cited, kind: "number" },
    ],
    articles.map((article) => [
      titleOf(api, article),
      statusOf(article),
      ageText(article),
      dayOf(article.changed),
      String(article.cited),
    ]),
  );
}

/** @param {import("./server.js").Api} api @param {Article} article */
function titleOf(api, article) {
  const tags = [article.locale, article.category, ...article.tags].filter(Boolean);
  const beside = tags.map((text) => build("span", { className: "tag" }, theirs(text)));
  return build("div", {}, articleButton(api, article), build("div", { className: "tags" }, ...beside));
}

/** @param {Article} article @returns {Node} */
function ageText({ last_modified, evergreen, old }) {
  const age = last_modified === null ? say.undated : ageOf(now() - last_modified);
  const mark = old ? [" ", build("span", { className: "tag late" }, say.old)] : [];
  return build("span", {}, evergreen ? `${age}, ${say.evergreen}` : age, ...mark);
}

/** @param {Answer} answer */
function hintOf({ cited_days }) {
  return quiet(say.citedHint(cited_days));
}
