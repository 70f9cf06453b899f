// What can be tapped under the newest message: topics to begin with, the bot's suggestions, whether it helped, a rating.
import { build } from "./build.js";
import { words } from "./words.js";

/** @typedef {import("./client.js").Client} Client */

export class CandorReplies extends HTMLElement {
  #shownFor = "";

  /** @param {Client} client */
  async show(client) {
    const { transcript, about } = client;
    const { state, status, inOrder } = transcript;
    const last = inOrder.at(-1);
    const isQuiet = !transcript.answering && !transcript.sending.length;
    const isOpen = state === "bot" && isQuiet;
    const isRare = isQuiet && (state === "resolved" || state === "queued");
    const key = isRare ? `${state} ${status.rating} ${last?.seq}` : isOpen ? `${last?.seq} ${!about}` : "";
    if (key === this.#shownFor) return;
    this.#shownFor = key;
    if (!isRare) return this.replaceChildren(...(isOpen ? repliesTo(last, client) : []));
    try {
      const rare = await import("./rare-replies.js");
      await rare.show(client, this, () => key === this.#shownFor);
    } catch {
      // Cut off: the next change tries again.
      this.#shownFor = "";
    }
  }
}

/** @param {import("./transcript.js").Message | undefined} last @param {Client} client */
function repliesTo(last, client) {
  if (!last) return topics(client);
  const { seq, role, reason, options, sources, interrupted } = last;
  if (role !== "bot" || reason) return [];
  if (options.length) return options.map((option) => button(option, () => client.say(option)));
  if (!sources.length || interrupted) return [];
  return [
    build("span", {}, words.didThisHelp),
    button(words.yes, () => client.judge(seq, true)),
    button(words.no, () => client.judge(seq, false)),
  ];
}

/** @param {Client} client */
function topics(client) {
  const categories = client.about?.categories ?? [];
  const label = build("span", { className: "quiet" }, words.topics);
  return categories.length ? [label, ...categories.map((one) => button(one, () => client.choose(one)))] : [];
}

/** @param {string} label @param {() => void} press */
function button(label, press) {
  return build("button", { type: "button", onclick: press }, label);
}

customElements.define("candor-replies", CandorReplies);
