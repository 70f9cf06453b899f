// What an agent should hear of when a row of the queue changes.
import { queueWords } from "./words.js";

/** @typedef {import("./conversation.js").Row} Row */
/** @typedef {{text: string, conversation: string}} News */

/** @param {Row | undefined} before @param {Row} after @returns {News | null} */
export function newsOf(before, after) {
  const text = sentence(before, after);
  return text ? { text, conversation: after.conversation } : null;
}

/** @param {Row | undefined} before @param {Row} after @returns {string} */
function sentence(before, after) {
  if (after.state === "queued" && before?.state !== "queued") return queueWords.arrived(after.reason_text);
  if (!after.mine) return "";
  if (before?.agent && !before.mine) return queueWords.transferred(after.customer, before.agent.name);
  if (after.alarm && !before?.alarm) return queueWords.stillWaits(after.customer);
  if (after.unread > (before?.unread ?? 0)) return queueWords.wroteAgain(after.customer);
  return "";
}
