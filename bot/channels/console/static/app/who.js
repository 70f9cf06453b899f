// Who a customer is and where they write. All of it comes from outside: it is shown as text, kept apart from what stands around it.
import { build, icon } from "./build.js";
import { icons } from "./buttons.js";
import { talkWords, words } from "./words.js";

/** @typedef {{url: string, title: string}} Page */

/** A name, and a tick for whom the site vouches for. @param {{customer: string, verified: boolean}} who @returns {Node[]} */
export function nameOf({ customer, verified }) {
  const name = build("bdi", {}, customer);
  return verified ? [name, tick()] : [name];
}

/** @param {Page} page @returns {HTMLElement} */
export function pageFact({ url, title }) {
  const parts = [...(title ? [build("bdi", {}, title)] : []), ...(url ? [addressOf(url)] : [])];
  return build("span", { className: "page-fact" }, `${talkWords.page}: `, ...parts.flatMap(apart));
}

function tick() {
  const said = { className: "tick", role: "img", title: talkWords.verifiedHint, "aria-label": talkWords.verified };
  return build("span", said, icon(icons.tick));
}

/** Only an address of the web is a link, and it says where it leads. @param {string} url */
function addressOf(url) {
  if (!/^https?:\/\//.test(url)) return build("bdi", {}, url);
  const opening = { href: url, target: "_blank", rel: "noopener noreferrer nofollow", title: words.newWindow };
  return build("a", opening, build("bdi", {}, url));
}

/** @param {Node} part @param {number} index @returns {(Node | string)[]} */
function apart(part, index) {
  return index ? [" ", part] : [part];
}
