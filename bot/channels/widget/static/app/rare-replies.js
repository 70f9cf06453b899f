// What can be tapped when the bot does not have the conversation: a rating at its end, and in the queue another try to look up in the
// customer's account what could not be, for as long as no person has taken it up.
import { build } from "./build.js";
import { rarely } from "./words.js";

/** @typedef {import("./client.js").Client} Client */

/** @param {Client} client @param {Element} place @returns {Promise<Element | undefined>} */
export async function asked(client, place) {
  const { state, inOrder } = client.transcript;
  if (state === "resolved") return (await import("./rating.js")).rating(client, place);
  const refusal = inOrder.filter(({ reason }) => reason).at(-1);
  return refusal?.reason === "records_unavailable" ? retry(client) : undefined;
}

/** @param {Client} client @returns {Promise<Element>} */
async function retry(client) {
  const { tryAgain } = await rarely();
  const press = () => client.outbox.put("messages", { text: tryAgain, retry: true }, tryAgain);
  return build("button", { type: "button", onclick: press }, tryAgain);
}
