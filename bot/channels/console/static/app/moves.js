// What an agent does with a conversation, and what has to be asked before.
import { build } from "./build.js";
import { ask, field } from "./dialog.js";
import { actWords } from "./words.js";

const GAP = "knowledge_gap";
const MAX_CHARACTERS = 500;

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {"claim" | "release" | "return" | "transfer" | "resolve" | "gap"} Move */

/**
 * Each says what was done; nothing when the agent thought better of it.
 * @type {Record<Move, (desk: Desk, conversation: Conversation) => Promise<string>>}
 */
export const moves = {
  claim: (desk, conversation) => plain(desk, conversation, "claim"),
  release: (desk, conversation) => plain(desk, conversation, "release"),
  return: (desk, conversation) => plain(desk, conversation, "return"),
  transfer,
  resolve,
  gap,
};

/**
 * Which moves fit the conversation, the likeliest first.
 * @param {Conversation} conversation @param {boolean} answersCustomers @returns {Move[]}
 */
export function movesFor({ state, mine }, answersCustomers) {
  if (!answersCustomers) return [];
  if (state === "queued" || state === "bot") return ["claim"];
  return state === "claimed" && mine ? ["resolve", "transfer", "return", "release"] : [];
}

/** @param {Move} move @param {Conversation} conversation @returns {string} */
export function labelOf(move, { state }) {
  if (move === "claim" && state === "bot") return actWords.takeOver;
  return move === "return" ? actWords.returned : actWords[move];
}

/**
 * Say that an answer of the bot's is wrong.
 * @param {Desk} desk @param {Conversation} conversation @param {number} seq @param {string} remark
 */
export async function markWrong(desk, conversation, seq, remark) {
  await desk.mark(conversation, "wrong_answer", seq, remark);
  return actWords.done.marked;
}

/** @param {Desk} desk @param {Conversation} conversation @param {"claim" | "release" | "return"} move */
async function plain(desk, conversation, move) {
  await desk.move(conversation, move);
  return actWords.done[move];
}

/** @param {Desk} desk @param {Conversation} conversation */
async function transfer(desk, conversation) {
  const { agents } = await desk.api.get("agents");
  const me = desk.api.session.agent?.id;
  const others = agents.filter((/** @type {any} */ { id, role }) => id !== me && role !== "content");
  const given = await ask({
    title: actWords.transferTitle,
    yes: actWords.transferred,
    body: [others.length ? colleagues(others) : build("p", {}, actWords.nobody)],
  });
  const to = given?.get("to");
  if (!to) return "";
  await desk.move(conversation, "transfer", { to });
  return actWords.done.transfer;
}

/** @param {{id: string, name: string, here: boolean}[]} agents */
function colleagues(agents) {
  const present = [...agents].sort((a, b) => Number(b.here) - Number(a.here) || a.name.localeCompare(b.name));
  const options = present.map(({ id, name, here }) =>
    build("option", { value: id }, `${name} (${here ? actWords.here : actWords.away})`),
  );
  return field(actWords.transferTo, build("select", { name: "to", required: true }, ...options));
}

/** @param {Desk} desk @param {Conversation} conversation */
async function resolve(desk, conversation) {
  const seen = conversation.lastCustomerSeq;
  const choices = Object.entries(actWords.resolutions).map(([code, text]) => {
    const input = build("input", { type: "radio", name: "code", value: code, required: true });
    return build("label", { className: "check" }, input, build("span", {}, text));
  });
  const legend = build("legend", {}, actWords.resolveLegend);
  const given = await ask({
    title: actWords.resolveTitle,
    yes: actWords.resolved,
    body: [build("fieldset", {}, legend, ...choices)],
  });
  if (!given) return "";
  await desk.move(conversation, "resolve", { code: given.get("code"), seen });
  return actWords.done.resolve;
}

/** @param {Desk} desk @param {Conversation} conversation */
async function gap(desk, conversation) {
  if (conversation.markOf(GAP, 0)) {
    await desk.unmark(conversation, GAP, 0);
    return actWords.done.unmarked;
  }
  const remark = build("textarea", { name: "remark", rows: 2, maxLength: MAX_CHARACTERS });
  const given = await ask({
    title: actWords.gapTitle,
    yes: actWords.mark,
    body: [build("p", {}, actWords.gapHint), field(actWords.remark, remark)],
  });
  if (!given) return "";
  await desk.mark(conversation, GAP, 0, String(given.get("remark")).trim());
  return actWords.done.marked;
}
