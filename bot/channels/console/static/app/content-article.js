// One article in a dialog: its facts, and its text as the source has it.
import { warn } from "./announcer.js";
import { build } from "./build.js";
import { button } from "./buttons.js";
import { dayOrNone, factList, theirs, titled } from "./content-parts.js";
import { articleWords as say, contentWords } from "./content-words.js";
import { tell } from "./dialog.js";
import { dayOf } from "./time.js";

/**
 * @typedef {{id: string, title: string, url: string | null, category: string, tags: string[], locale: string, status: string,
 *   superseded_by: string | null, last_modified: number | null, added: number, changed: number, evergreen: boolean,
 *   old: boolean, cited: number}} Article
 */

/** A button that opens an article. @param {import("./server.js").Api} api @param {{id: string, title: string}} article */
export function articleButton(api, { id, title }) {
  const label = build("bdi", { dir: "auto" }, title || id);
  const more = { className: "link title", "aria-label": contentWords.openArticle(title || id) };
  const made = button("", () => void openArticle(api, id), more);
  made.replaceChildren(label);
  return made;
}

/** @param {import("./server.js").Api} api @param {string} id */
async function openArticle(api, id) {
  try {
    const article = await api.get(`content/articles/${encodeURIComponent(id)}`);
    await tell(article.title || id, [factsOf(article), ...textOf(article.body)]);
  } catch (error) {
    warn(/** @type {Error} */ (error).message);
  }
}

/** @param {Article} article */
function factsOf(article) {
  const { facts } = say;
  return factList([
    [facts.id, theirs(article.id)],
    [facts.status, statusOf(article)],
    [facts.category, article.category && theirs(article.category)],
    [facts.tags, article.tags.length ? theirs(article.tags.join(", ")) : ""],
    [facts.locale, article.locale],
    [facts.modified, dayOrNone(article.last_modified, say.undated)],
    [facts.evergreen, article.evergreen ? say.yes : ""],
    [facts.added, dayOf(article.added)],
    [facts.changed, dayOf(article.changed)],
    [facts.cited, say.times(article.cited)],
    [facts.url, article.url ? titled(article.url, article.url) : ""],
  ]);
}

/** @param {string} body */
function textOf(body) {
  const text = body.trim();
  return [
    build("h3", {}, say.text),
    text ? build("div", { className: "plain article-text", dir: "auto" }, text) : build("p", {}, say.empty),
  ];
}

/** @param {{status: string, superseded_by: string | null}} article @returns {HTMLElement} */
export function statusOf({ status, superseded_by }) {
  const by = superseded_by ? ` ${say.supersededBy} ${superseded_by}` : "";
  return build("span", { className: "tag", "data-status": status }, `${say.statuses[status] ?? status}${by}`);
}
