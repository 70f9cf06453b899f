// One message, built once. The bot's comes as cleaned HTML, everybody else's is plain text.
import { build } from "./build.js";
import { safeFragment, safeLink } from "./safe-html.js";
import { words } from "./words.js";

/** @typedef {import("./transcript.js").Message} Message */

export class CandorMessage extends HTMLElement {
  /** @param {Message} message */
  static of(message) {
    const element = /** @type {CandorMessage} */ (build("candor-message"));
    element.show(message);
    return element;
  }

  /** A message of the customer's that the server does not have yet. @param {string} text */
  static sending(text) {
    const element = /** @type {CandorMessage} */ (build("candor-message", { className: "customer sending" }));
    const note = build("small", {}, words.sending);
    element.append(author("customer"), build("div", { className: "bubble plain" }, text), note);
    return element;
  }

  /** The server has it, perhaps in other words than the button's. @param {Message} message */
  settle(message) {
    if (this.classList.contains("sending")) this.show(message);
  }

  /** @param {Message} message */
  show(message) {
    this.className = message.reason ? "bot notice" : message.role;
    const bubble = message.html === null ? plain(message) : rich(message.html);
    this.replaceChildren(author(message.role, message.agent), bubble);
    if (message.reason) bubble.prepend(build("b", {}, words.handedOver));
    if (message.sources.length) bubble.append(sources(message));
    if (message.interrupted) this.append(build("small", {}, words.interrupted));
  }
}

/** @param {string} role @param {string | null} [name] */
function author(role, name) {
  const roles = /** @type {Record<string, string>} */ (words);
  return build("span", { className: "author" }, name ?? roles[role] ?? words.bot);
}

/** @param {string} html */
export function rich(html) {
  const said = safeFragment(html);
  for (const block of said.children) /** @type {HTMLElement} */ (block).dir = "auto";
  return build("div", { className: "bubble" }, said);
}

/** @param {Message} message */
function plain({ kind, text }) {
  const said = kind === "feedback" ? (text === "yes" ? words.helped : words.didNotHelp) : text;
  return build("div", { className: `bubble plain ${kind}` }, said);
}

/** @param {Message} message */
function sources(message) {
  const items = message.sources.map((source) => {
    const link = safeLink(source.title, source.url);
    if (link instanceof HTMLAnchorElement)
      link.append(build("span", { className: "quiet" }, ` (${words.newWindow})`));
    return build("li", {}, link);
  });
  return build("div", { className: "sources", dir: "auto" }, build("span", {}, words.sources), build("ul", {}, ...items));
}

customElements.define("candor-message", CandorMessage);
