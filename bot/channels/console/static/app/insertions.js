// Texts that an agent inserts into a reply: canned ones, and passages of articles with their link.
import { build } from "./build.js";
import { articleLink } from "./desk-message.js";
import { pick } from "./pick-dialog.js";
import { plainText } from "./plain-text.js";
import { composeWords } from "./words.js";

/** @typedef {{id: string, title: string, text: string, locale: string}} CannedReply */
/** @typedef {{id: string, title: string, url: string | null, excerpt: string, cosine: number}} Suggestion */
/** @typedef {import("./server.js").Api} Api */
/** @typedef {import("./conversation.js").Conversation} Conversation */

/** @param {Api} api @param {Conversation} conversation @returns {Promise<string>} "" when nothing was chosen */
export async function insertCanned(api, { row }) {
  /** @type {Promise<CannedReply[]> | null} */
  let all = null;
  const locale = row?.locale ?? "";
  const found = await pick({
    title: composeWords.cannedTitle,
    empty: composeWords.cannedEmpty,
    load: async (looked) => {
      all ??= api.get("canned").then((answer) => answer.canned);
      const matching = (await all).filter((reply) => holds(`${reply.title} ${reply.text}`, looked));
      return { items: matching.sort((a, b) => Number(b.locale === locale) - Number(a.locale === locale)) };
    },
    describe: (/** @type {CannedReply} */ { title, text, locale }) => [
      build("b", {}, title),
      build("span", { className: "tag" }, locale),
      build("span", { className: "text" }, text),
    ],
  });
  return found?.text ?? "";
}

/** @param {Api} api @param {Conversation} conversation @returns {Promise<string>} "" when nothing was chosen */
export async function insertArticle(api, { path }) {
  const found = await pick({
    title: composeWords.articlesTitle,
    empty: composeWords.articlesEmpty,
    load: async (looked) => {
      const query = looked ? `?q=${encodeURIComponent(looked)}` : "";
      const { articles, problem } = await api.get(`${path}/suggestions${query}`);
      return { items: articles, problem: problem?.text };
    },
    describe: (/** @type {Suggestion} */ { title, excerpt }) => [
      build("b", {}, title),
      build("span", { className: "text" }, plainText(excerpt)),
    ],
    beside: ({ title, url }) => (url ? articleLink(composeWords.openArticle(title), url) : null),
  });
  return found ? asAnswer(found) : "";
}

/** @param {Suggestion} suggestion */
function asAnswer({ title, url, excerpt }) {
  const link = url ? `${title}: ${new URL(url, location.origin).href}` : "";
  return [plainText(excerpt), link].filter(Boolean).join("\n\n");
}

/** @param {string} text @param {string} looked */
function holds(text, looked) {
  const lower = text.toLowerCase();
  return looked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
