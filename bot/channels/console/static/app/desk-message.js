// One message of the transcript. Only what the bot wrote comes as cleaned HTML; everybody else's is plain text.
import { build } from "./build.js";
import { button } from "./buttons.js";
import { imageOf } from "./left-behind.js";
import { safeFragment, safeLink } from "./safe-html.js";
import { timeOf } from "./time.js";
import { talkWords, words } from "./words.js";

/** @typedef {import("./conversation.js").Message} Message */
/** @typedef {import("./conversation.js").Conversation} Conversation */

/** Events, which bubble: `evidence` (detail: turn and seq), `verdict` (the same), `unmark` (detail: seq). */
export class DeskMessage extends HTMLElement {
  #verdict = "";
  /** @type {Message} */
  message;
  foot = build("div", { className: "foot" });

  /** @param {Message} message @param {Conversation} conversation @param {string} why the reason in words, for a handoff */
  static of(message, { customer, path }, why) {
    const element = /** @type {DeskMessage} */ (
      build("desk-message", { id: `message-${message.seq}`, tabIndex: -1 })
    );
    element.message = message;
    element.className = [message.role, message.reason && "handoff", message.kind].filter(Boolean).join(" ");
    element.append(
      build("p", { className: "by" }, build("b", {}, authorOf(message, customer)), " ", timeOf(message.at)),
      element.#bubble(path, why),
      element.foot,
    );
    return element;
  }

  /** Show what agents think of it. @param {Conversation} conversation */
  settle(conversation) {
    const mark = conversation.markOf("wrong_answer", this.message.seq);
    const key = JSON.stringify(mark);
    if (key === this.#verdict) return;
    this.#verdict = key;
    this.foot.replaceChildren(...(mark ? this.#marked(mark) : this.#questions()));
  }

  /** @param {string} path @param {string} why */
  #bubble(path, why) {
    const { html, reason, sources, options, interrupted, revised, kind } = this.message;
    const style = kind === "tombstone" ? "bubble plain quiet" : "bubble plain";
    const bubble = html === null ? build("div", { className: style }, plainText(this.message)) : rich(html);
    if (reason)
      bubble.prepend(build("b", { className: "banner" }, `${talkWords.handedOver}: ${why || reason}`));
    if (options.length)
      bubble.append(build("p", { className: "quiet" }, `${talkWords.options}: ${options.join(" · ")}`));
    if (sources.length) bubble.append(sourceList(sources));
    if (this.message.attachment) bubble.append(imageOf(path, this.message));
    if (revised && kind !== "tombstone") bubble.append(build("p", { className: "quiet" }, talkWords.edited));
    if (interrupted) bubble.append(build("p", { className: "cut" }, talkWords.interrupted));
    return bubble;
  }

  #questions() {
    const { role, turn, kind, reason } = this.message;
    if (role !== "bot" || !turn || kind !== "text") return [];
    if (reason) return [this.#button(talkWords.whyHandedOver, "evidence")];
    return [this.#button(talkWords.why, "evidence"), this.#button(talkWords.wrong, "verdict")];
  }

  /** @param {import("./conversation.js").Mark} mark */
  #marked({ agent, remark }) {
    const text = [talkWords.markedWrong(agent), remark].filter(Boolean).join(": ");
    return [
      this.#button(talkWords.why, "evidence"),
      build("span", { className: "marked" }, text),
      this.#button(talkWords.unmark, "unmark"),
    ];
  }

  /** @param {string} label @param {string} event */
  #button(label, event) {
    const { turn, seq } = this.message;
    const detail = { turn, seq };
    const press = () => this.dispatchEvent(new CustomEvent(event, { bubbles: true, detail }));
    return button(label, press, { className: "link" });
  }
}

/** @param {Message} message @param {string} customer */
function authorOf({ role, kind, agent }, customer) {
  if (role === "agent") return agent ?? talkWords.agent;
  if (role === "customer") return customer;
  return kind === "notice" ? talkWords.notice : talkWords.bot;
}

/** @param {Message} message */
function plainText({ kind, text }) {
  if (kind === "feedback") return text === "yes" ? talkWords.helped : talkWords.didNotHelp;
  if (kind === "tombstone") return talkWords.deleted;
  return text || (kind === "file" ? talkWords.file : "");
}

/** @param {string} html cleaned by the server; checked again here @returns {HTMLElement} */
export function rich(html) {
  return build("div", { className: "bubble" }, safeFragment(html));
}

/** @param {import("./conversation.js").Source[]} sources */
function sourceList(sources) {
  const items = sources.map(({ title, url }) => build("li", {}, articleLink(title, url)));
  return build(
    "div",
    { className: "sources" },
    build("span", {}, `${talkWords.sources}:`),
    build("ul", {}, ...items),
  );
}

/** @param {string} title @param {string | null} url @returns {HTMLElement} */
export function articleLink(title, url) {
  const link = safeLink(title, url);
  if (link instanceof HTMLAnchorElement)
    link.append(build("span", { className: "unseen" }, ` (${words.newWindow})`));
  return link;
}

customElements.define("desk-message", DeskMessage);
