// How the customer was helped, asked once the conversation is resolved: a score, and a few words if they like.
import { build } from "./build.js";
import { Refused, call } from "./server.js";
import { style } from "./style.js";
import { newId } from "./timing.js";
import { fill, rarely } from "./words.js";

const SCORES = [1, 2, 3, 4, 5];
const LONGEST_COMMENT = 1000;

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./words.js").Rarely} Words */

/**
 * @param {Client} client @param {Element} place where it will be, and the thanks may be already
 * @returns {Promise<Element>} the question, or thanks when it was answered
 */
export async function rating(client, place) {
  const [words] = await Promise.all([rarely(), style("rating.css")]);
  if (!client.transcript.status.rating) return form(client, words);
  return place.querySelector(".rated") ?? thanks(words);
}

/** @param {Words} words */
function thanks({ rated }) {
  return build("p", { role: "status", className: "rated", tabIndex: -1 }, rated);
}

/** @param {Client} client @param {Words} words */
function form(client, words) {
  let id = newId();
  const scores = build("div", { className: "scores" }, ...SCORES.map((score) => choice(score, words)));
  const comment = /** @type {HTMLTextAreaElement} */ (
    build("textarea", { rows: 2, maxLength: LONGEST_COMMENT, dir: "auto", placeholder: words.comment, "aria-label": words.comment })
  );
  const problem = build("p", { role: "alert", className: "problem" });
  const more = build("div", { hidden: true }, comment, build("button", { type: "submit" }, words.sendRating), problem);
  const legend = build("legend", {}, words.rate);
  const ends = build("div", { className: "ends", "aria-hidden": "true" }, build("span", {}, words.worst), build("span", {}, words.best));
  const asked = /** @type {HTMLFormElement} */ (
    build("form", { className: "rating" }, build("fieldset", {}, legend, scores, ends), more)
  );
  const show = () => asked.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(show); // once it has its place
  asked.oninput = () => {
    if (more.hidden) {
      more.hidden = false;
      show();
    }
    id = newId(); // the same only for the same words, so that a repeat is harmless
  };
  asked.onsubmit = async (event) => {
    event.preventDefault();
    const score = Number(new FormData(asked).get("score"));
    try {
      await call("POST", "rating", {
        token: client.token,
        body: { client_message_id: id, score, comment: comment.value.trim() },
      });
    } catch (error) {
      problem.textContent = error instanceof Refused ? error.message : words.failed;
      return;
    }
    const said = thanks(words);
    asked.replaceWith(said);
    said.focus();
  };
  return asked;
}

/** @param {number} score @param {Words} words */
function choice(score, words) {
  const end = score === SCORES[0] ? words.worst : score === SCORES.length ? words.best : "";
  const name = [fill(words.score, { score }), end].filter(Boolean).join(", ");
  const input = build("input", { type: "radio", name: "score", value: String(score), "aria-label": name });
  return build("label", {}, input, build("span", { "aria-hidden": "true" }, String(score)));
}
