// What customers leave beside their words: an image, and how they rated what was finished. Names and comments come from outside.
import { build } from "./build.js";
import { talkWords } from "./words.js";

/** @typedef {{episode: number, score: number, comment: string, at: number}} Rating */

/** The image of a message, which a press saves. @param {string} path of the conversation @param {{seq: number, text: string}} message */
export function imageOf(path, { seq, text }) {
  const href = `/console/v1/${path}/attachments/${seq}`;
  const image = build("img", { src: href, alt: talkWords.image(text), loading: "lazy", className: "sent" });
  return build("a", { href, download: text }, image);
}

/** The latest rating. @param {Rating[]} ratings @returns {HTMLElement[]} */
export function ratingFacts(ratings) {
  const last = ratings.at(-1);
  if (!last) return [];
  const comment = last.comment ? [": ", build("bdi", {}, last.comment)] : [];
  return [build("span", { className: "page-fact" }, talkWords.rated(last.score), ...comment)];
}
