// The canned replies: everybody reads them, content people and admins change them.
import { announce, warn } from "./announcer.js";
import { build } from "./build.js";
import { button } from "./buttons.js";
import { ask, field } from "./dialog.js";
import { newId } from "./timing.js";
import { replyWords, words } from "./words.js";

const LOCALE = "[a-z]{2,3}";

/** @typedef {import("./insertions.js").CannedReply} CannedReply */
/** @typedef {import("./server.js").Api} Api */

/** @param {Api} api @returns {HTMLElement} */
export function repliesView(api) {
  const list = build("ul", { className: "canned" });
  const status = build("p", { role: "status", className: "quiet" }, words.loading);
  const fill = () => show(api, list, status, fill);
  const add = button(replyWords.add, () => void edit(api, null, fill), { className: "main" });
  void fill();
  return build(
    "section",
    { className: "page" },
    build("h2", { tabIndex: -1 }, replyWords.heading),
    build("p", { className: "quiet" }, replyWords.hint),
    ...(api.session.editsReplies ? [add] : []),
    status,
    list,
  );
}

/** @param {Api} api @param {HTMLElement} list @param {HTMLElement} status @param {() => Promise<void>} again */
async function show(api, list, status, again) {
  try {
    const { canned } = await api.get("canned");
    list.replaceChildren(...canned.map((/** @type {CannedReply} */ reply) => item(api, reply, again)));
    status.textContent = canned.length ? "" : replyWords.none;
  } catch (error) {
    status.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {Api} api @param {CannedReply} reply @param {() => Promise<void>} again */
function item(api, reply, again) {
  const changes = [
    button(replyWords.edit, () => void edit(api, reply, again), {
      "aria-label": replyWords.editOf(reply.title),
    }),
    button(replyWords.remove, () => void remove(api, reply, again), {
      "aria-label": replyWords.removeOf(reply.title),
    }),
  ];
  return build(
    "li",
    {},
    build("h3", {}, build("bdi", {}, reply.title), " ", build("span", { className: "tag" }, reply.locale)),
    build("p", { className: "plain" }, reply.text),
    ...(api.session.editsReplies ? [build("div", { className: "choices" }, ...changes)] : []),
  );
}

/** @param {Api} api @param {CannedReply | null} reply null for a new one @param {() => Promise<void>} again */
async function edit(api, reply, again) {
  const { id, title, text, locale } = reply ?? { id: newId(), title: "", text: "", locale: "en" };
  const given = await ask({
    title: reply ? replyWords.editOf(title) : replyWords.add,
    yes: words.save,
    body: [
      field(replyWords.name, build("input", { name: "title", value: title, required: true, maxLength: 200 })),
      field(
        replyWords.text,
        build("textarea", { name: "text", value: text, required: true, rows: 6, maxLength: 4000 }),
      ),
      field(
        replyWords.locale,
        build("input", { name: "locale", value: locale, required: true, pattern: LOCALE }),
      ),
    ],
  });
  if (!given) return;
  const body = Object.fromEntries(given);
  await settle(api.put(`canned/${encodeURIComponent(id)}`, body), replyWords.saved, again);
}

/** @param {Api} api @param {CannedReply} reply @param {() => Promise<void>} again */
async function remove(api, { id, title }, again) {
  const given = await ask({
    title: replyWords.removeTitle(title),
    yes: replyWords.remove,
    isDanger: true,
    body: [build("p", {}, replyWords.removeHint)],
  });
  if (given) await settle(api.remove(`canned/${encodeURIComponent(id)}`), replyWords.removed, again);
}

/** @param {Promise<unknown>} doing @param {string} done @param {() => Promise<void>} again */
async function settle(doing, done, again) {
  try {
    await doing;
    announce(done);
    await again();
  } catch (error) {
    warn(/** @type {Error} */ (error).message);
  }
}
