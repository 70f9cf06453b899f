// Answers to tap under the newest message: the bot's suggestions, or whether it helped.
import { build } from "./build.js";
import { words } from "./words.js";

/** @typedef {import("./transcript.js").Transcript} Transcript */

export class CandorReplies extends HTMLElement {
  #shownFor = "";

  /** @param {import("./client.js").Client} client */
  attach(client) {
    this.client = client;
  }

  /** @param {Transcript} transcript */
  show(transcript) {
    const last = transcript.inOrder.at(-1);
    const isOpen = transcript.state === "bot" && !transcript.answering && !transcript.sending.length;
    const about = isOpen && last?.role === "bot" && !last.reason ? last : null;
    const key = about ? String(about.seq) : "";
    if (key === this.#shownFor) return;
    this.#shownFor = key;
    this.replaceChildren(...(about ? this.#repliesTo(about) : []));
  }

  /** @param {import("./transcript.js").Message} message */
  #repliesTo({ seq, options, sources }) {
    if (options.length)
      return options.map((option) => this.#button(option, () => this.client.say(option)));
    if (!sources.length) return [];
    return [
      build("span", {}, words.didThisHelp),
      this.#button(words.yes, () => this.client.judge(seq, true)),
      this.#button(words.no, () => this.client.judge(seq, false)),
    ];
  }

  /** @param {string} label @param {() => void} press */
  #button(label, press) {
    return build("button", { type: "button", onclick: press }, label);
  }
}

customElements.define("candor-replies", CandorReplies);
