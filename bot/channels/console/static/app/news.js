// What an agent should hear of when a row of the queue changes.
import { queueWords } from "./words.js";

/** @typedef {import("./conversation.js").Row} Row */
/** @typedef {{text: string, conversation: string}} News */

/** @param {Row | undefined} before @param {Row} after @param {boolean} isInView @returns {News | null} */
export function newsOf(before, after, isInView) {
  const text = sentence(before, after, isInView);
  return text ? { text, conversation: after.conversation } : null;
}

/** @param {Row | undefined} before @param {Row} after @param {boolean} isInView @returns {string} */
function sentence(before, after, isInView) {
  if (after.state === "queued" && before?.state !== "queued") return queueWords.arrived(after.reason_text);
  if (!after.mine) return "";
  if (before?.agent && !before.mine) return queueWords.transferred(after.customer, before.agent.name);
  if (after.alarm && !before?.alarm) return queueWords.stillWaits(after.customer);
  if (!isInView && after.unread > (before?.unread ?? 0)) return queueWords.wroteAgain(after.customer);
  return "";
}
