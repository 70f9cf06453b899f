// What the parts of the content page have in common.
import { build } from "./build.js";
import { articleLink } from "./desk-message.js";
import { contentWords as say } from "./content-words.js";
import { Refused } from "./server.js";
import { dayOf } from "./time.js";
import { words } from "./words.js";

const PAUSE_MS = 250;

export const PATIENCE_MS = 120000; // comparing all articles, or thousands of questions, takes longer than other requests

/** @typedef {import("./server.js").Api} Api */
/** @typedef {{panel: HTMLElement, look: () => Promise<void>}} Tab looks whenever it comes into view */

/** @param {string} heading @param {...(Node | string)} children */
export function section(heading, ...children) {
  return build("section", {}, build("h3", {}, heading), ...children);
}

/** @param {string} text */
export function quiet(text) {
  return build("p", { className: "quiet" }, text);
}

/** A line that says what is going on, for eyes and ears. */
export function statusLine() {
  return build("p", { role: "status", className: "quiet state" });
}

/** What somebody wrote: as it is, in its own direction. @param {string} text @param {string} [className] */
export function theirs(text, className = "") {
  return build("bdi", { dir: "auto", className }, text);
}

/** @param {[string, Node | string][]} facts those without content are left out */
export function factList(facts) {
  const shown = facts.filter(([, content]) => content !== "");
  return build(
    "dl",
    {},
    ...shown.flatMap(([name, content]) => [build("dt", {}, name), build("dd", {}, content)]),
  );
}

/** @param {string} command */
export function commandLine(command) {
  return build("pre", { className: "command" }, build("code", {}, command));
}

/** @param {string} title @param {string | null} url a link where there is an address, else the title alone */
export function titled(title, url) {
  return build("bdi", { dir: "auto" }, articleLink(title, url));
}

/** @param {string} conversation @param {...(Node | string)} inside */
export function conversationLink(conversation, ...inside) {
  return build("a", { href: `#/conversation/${encodeURIComponent(conversation)}` }, ...inside);
}

/** @param {number | null} at @param {string} without what to say when there is none @returns {Node | string} */
export function dayOrNone(at, without = say.unknown) {
  return at === null ? without : dayOf(at);
}

/** @param {number | null} value @returns {string} */
export function figure(value) {
  return value === null ? say.unknown : value.toFixed(3);
}

/** @param {string} label @param {[string, string][]} options @param {string} [chosen] */
export function choiceOf(label, options, chosen = options[0][0]) {
  const entries = options.map(([value, text]) => build("option", { value }, text));
  const select = /** @type {HTMLSelectElement} */ (build("select", {}, ...entries));
  select.value = chosen;
  return { select, element: build("label", { className: "choice" }, build("span", {}, label), select) };
}

/** @returns {ReturnType<typeof choiceOf>} for how many days */
export function daysChoice() {
  const spans = say.spans.map((days) => /** @type {[string, string]} */ ([String(days), say.days(days)]));
  return choiceOf(say.span, spans, "30");
}

/**
 * Ask the server, say so meanwhile, and show what it answered unless something newer was asked since.
 * @template Answer
 * @param {HTMLElement} status
 * @param {() => Promise<Answer>} fetching
 * @param {(answer: Answer) => Node | string} show puts the answer in place and returns what to say
 */
export async function filling(status, fetching, show) {
  const mine = (asked.get(status) ?? 0) + 1;
  asked.set(status, mine);
  if (!status.hasChildNodes()) status.textContent = words.loading;
  try {
    const answer = await fetching();
    if (asked.get(status) === mine) status.replaceChildren(show(answer));
  } catch (error) {
    if (asked.get(status) === mine) status.textContent = reasonOf(/** @type {Error} */ (error));
  }
}

/** Some stores cannot list articles, and then the page has no routes. @param {Error} error @returns {string} */
function reasonOf(error) {
  return error instanceof Refused && error.code === "not_found" ? say.notHere : error.message;
}

/** @type {WeakMap<HTMLElement, number>} */
const asked = new WeakMap();

/** Run *what* once somebody pauses. @param {() => void} what */
export function later(what) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(what, PAUSE_MS);
  };
}
