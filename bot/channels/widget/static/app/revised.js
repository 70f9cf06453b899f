// Messages that were edited or deleted, shown in the place of what they revise: rare, so that it is loaded when it happens.
import { build } from "./build.js";

/** @typedef {import("./transcript.js").Message} Message */

/**
 * @param {import("./candor-log.js").CandorLog} log @param {import("./transcript.js").Transcript} transcript
 * @param {import("./words.js").Rarely} words
 */
export function revise(log, { messages }, words) {
  const newest = new Map([...messages.values()].sort((a, b) => a.seq - b.seq).map((one) => [one.revises, one]));
  for (const [seq, revision] of newest) {
    const original = messages.get(seq);
    const element = original && log.elementOf(original);
    if (element) show(element, original, revision, words);
  }
}

/**
 * @param {import("./candor-message.js").CandorMessage} element @param {Message} original @param {Message} revision
 * @param {import("./words.js").Rarely} words
 */
function show(element, original, { seq, kind, text, html, sources }, words) {
  // Showing it again would make a screen reader read it again.
  if (element.dataset.revision === String(seq)) return;
  element.dataset.revision = String(seq);
  element.show({ ...original, kind, text, html, sources });
  if (kind === "tombstone") element.querySelector(".bubble").textContent = words.deleted;
  else element.append(build("small", {}, words.edited));
}
