// What is shown of the people at the desk: the place in the queue, who has joined, who writes, and what was seen.
import { build } from "./build.js";
import { fill, rarely, words as always, written } from "./words.js";

const MINUTE_S = 60;
const MOST_MINUTES = 90; // a longer wait is told in hours

/** @typedef {import("./candor-log.js").CandorLog} Log */
/** @typedef {import("./transcript.js").Transcript} Transcript */
/** @typedef {import("./transcript.js").Status} Status */
/** @typedef {import("./words.js").Rarely} Words */

export class People {
  /** @param {Log} log @param {Words} words */
  constructor(log, words) {
    this.log = log;
    this.words = words;
    // Not announced: it comes and goes, and the message that follows is.
    this.typing = build("p", { className: "typing", hidden: true });
    // To look at, for a screen reader would say it in the middle of something else.
    this.seen = build("small", { className: "seen", "aria-live": "off" }, words.seen);
    log.progress.after(this.typing);
  }

  /** @param {Log} log */
  static async around(log) {
    return new People(log, await rarely());
  }

  /** Where the customer stands with them. @param {Status} status @returns {string} */
  tell({ state, position, expected_wait_s, opens_at, agent }) {
    if (state === "claimed" && agent) return fill(this.words.joined, { name: agent });
    if (state !== "queued" || !position) return always.states[state] ?? "";
    return opens_at ? back(opens_at, this.words) : place(position, expected_wait_s, this.words);
  }

  /** @param {Transcript} transcript */
  show(transcript) {
    const { inOrder, status, agentTypes, readByAgents } = transcript;
    // What agents edited or deleted has a place in the count, and none in what is shown.
    if (transcript.after > inOrder.length)
      import("./revised.js").then(({ revise }) => revise(this.log, transcript, this.words)).catch(() => {});
    this.typing.hidden = !agentTypes;
    this.typing.textContent = fill(this.words.types, { name: status.agent ?? always.agent });
    const last = inOrder.findLast((message) => message.role !== "bot");
    const isSeen = last?.role === "customer" && last.seq <= readByAgents;
    const element = isSeen ? this.log.elementOf(last) : undefined;
    if (!element) this.seen.remove();
    else if (this.seen.parentElement !== element) element.append(this.seen);
  }
}

/** The place in the queue and, as far as it is known, the wait. @param {number} position @param {number | null} waitS @param {Words} words */
function place(position, waitS, words) {
  const wait = waitS === null ? words.waitUnknown : fill(words.waitKnown, { wait: amount(waitS) });
  return `${fill(words.place, { position })} ${wait}`;
}

/** Rounded up, so that no wait sounds shorter than it was. @param {number} waitS */
function amount(waitS) {
  const minutes = Math.max(2, Math.ceil(waitS / MINUTE_S));
  const [count, unit] = minutes > MOST_MINUTES ? [Math.ceil(minutes / 60), "hour"] : [minutes, "minute"];
  return new Intl.NumberFormat(written, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** When the team is back, in the reader's own time zone. @param {number} opensAt @param {Words} words */
function back(opensAt, words) {
  const date = new Date(opensAt);
  const day = date.toLocaleDateString(written, { weekday: "long" });
  const time = date.toLocaleTimeString(written, { hour: "numeric", minute: "2-digit" });
  return fill(words.closed, { day, time });
}
