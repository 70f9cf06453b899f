// How the customer was helped, asked once the conversation is resolved: a score, and a few words if they like.
import { build } from "./build.js";
import { call } from "./server.js";
import { style } from "./style.js";
import { newId } from "./timing.js";
import { fill, rarely } from "./words.js";

const SCORES = [1, 2, 3, 4, 5];
const LONGEST_COMMENT = 1000;

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./words.js").Rarely} Words */

/** @param {Client} client @returns {Promise<HTMLElement>} the question, or thanks when it was answered */
export async function rating(client) {
  const [words] = await Promise.all([rarely(), style("rating.css")]);
  return client.transcript.status.rating ? thanks(words) : form(client, words);
}

/** @param {Words} words */
function thanks({ rated }) {
  return build("p", { role: "status", className: "rated", tabIndex: -1 }, rated);
}

/** @param {Client} client @param {Words} words */
function form(client, words) {
  const id = newId(); // the same for every try, so that a repeat is harmless
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
  asked.onchange = () => (more.hidden = false);
  asked.onsubmit = async (event) => {
    event.preventDefault();
    const score = Number(new FormData(asked).get("score"));
    try {
      await call("POST", "rating", {
        token: client.token,
        body: { client_message_id: id, score, comment: comment.value.trim() },
      });
    } catch {
      problem.textContent = words.failed;
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
