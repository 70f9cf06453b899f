// What can be tapped when the bot does not have the conversation: a rating at its end, and in the queue another try to look up in the
// customer's account what could not be, for as long as no person has taken it up.
import { build } from "./build.js";
import { rating } from "./rating.js";
import { rarely } from "./words.js";

/** @typedef {import("./client.js").Client} Client */

/** @param {Client} client @param {Element} place @param {() => boolean} isWanted whether nothing has changed meanwhile */
export async function show(client, place, isWanted) {
  const { state, inOrder } = client.transcript;
  const refusal = inOrder.filter(({ reason }) => reason).at(-1);
  const isRetry = state === "queued" && refusal?.reason === "records_unavailable";
  const asked = state === "resolved" ? await rating(client, place) : isRetry ? await retry(client) : "";
  // What is there already keeps the focus.
  if (isWanted() && (asked === "" || asked.parentElement !== place)) place.replaceChildren(asked);
}

/** @param {Client} client @returns {Promise<Element>} */
async function retry(client) {
  const { tryAgain } = await rarely();
  const press = () => client.outbox.put("messages", { text: tryAgain, retry: true }, tryAgain);
  return build("button", { type: "button", onclick: press }, tryAgain);
}
