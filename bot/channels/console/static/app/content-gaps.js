// What customers asked and no article answered: groups of questions, how agents answered them, and drafts made of that.
import { build } from "./build.js";
import { articleButton } from "./content-article.js";
import {
  PATIENCE_MS,
  conversationLink,
  daysChoice,
  figure,
  filling,
  quiet,
  statusLine,
  theirs,
} from "./content-parts.js";
import { contentWords, gapWords as say } from "./content-words.js";
import { timeOf } from "./time.js";

/**
 * @typedef {{conversation: string, turn: string, text: string, at: number, reason: string, reason_text: string,
 *   triage: string | null, triage_text: string | null, best_cosine: number | null, threshold: number | null,
 *   article: string | null, remark: string, today: {passes: boolean, best_cosine: number | null, article: string | null,
 *   title: string} | null}} Question
 */
/** @typedef {{conversation: string, agent: string, text: string, at: number}} Reply */
/**
 * @typedef {{id: string, label: string[], count: number, last: number, triage: string | null, triage_text: string | null,
 *   answered_by: string | null, questions: Question[], replies: Reply[]}} Gap
 */
/** @typedef {{gaps: Gap[], questions: number, left_out: number, not_asked: number, problem: string | null}} Answer */

/** @param {import("./server.js").Api} api @returns {import("./content-parts.js").Tab} */
export function gapsTab(api) {
  const days = daysChoice();
  const status = statusLine();
  const csv = /** @type {HTMLAnchorElement} */ (
    build("a", { download: "gaps.csv", className: "download" }, say.csv)
  );
  const shown = build("ol", { className: "gaps" });
  const look = () => {
    const span = days.select.value;
    csv.href = `/console/v1/content/gaps.csv?days=${span}`;
    return filling(
      status,
      () => api.get(`content/gaps?days=${span}`, PATIENCE_MS),
      (/** @type {Answer} */ answer) => {
        shown.replaceChildren(...answer.gaps.map((gap, index) => gapItem(api, gap, index, span)));
        return summaryOf(answer);
      },
    );
  };
  days.select.onchange = () => void look();
  const hints = [quiet(say.hint), quiet(api.session.editsReplies ? say.draftHint : contentWords.readOnly)];
  const controls = build("div", { className: "controls" }, days.element, csv);
  return { panel: build("div", {}, ...hints, controls, status, shown), look };
}

/** @param {Answer} answer @returns {string} */
function summaryOf({ gaps, questions, left_out, not_asked, problem }) {
  const more = [
    left_out ? say.leftOut(left_out) : "",
    not_asked ? say.notAsked(not_asked) : "",
    problem ? say.asRecorded(problem) : "",
  ];
  return [say.count(gaps.length, questions), ...more].filter(Boolean).join(" ");
}

/** @param {import("./server.js").Api} api @param {Gap} gap @param {number} index @param {string} span */
function gapItem(api, gap, index, span) {
  const { label, count, last, triage_text, answered_by, questions, replies } = gap;
  const title = build(
    "h3",
    {},
    build("span", { className: "unseen" }, `${say.group(index + 1)}: `),
    ...quoted(label),
  );
  const facts = build(
    "p",
    { className: "gap-facts" },
    build("b", {}, say.asked(count)),
    build("span", { className: "quiet" }, `${say.last} `, timeOf(last)),
    ...(answered_by
      ? [build("span", { className: "tag", "data-status": "active" }, say.answeredBy, theirs(answered_by))]
      : []),
    ...(triage_text && !answered_by ? [build("span", { className: "tag" }, triage_text)] : []),
  );
  const items = questions.map((question) => questionItem(api, question));
  const asked = fold(say.questions(questions.length), build("ul", {}, ...items));
  const answered = replies.length
    ? fold(say.replies(replies.length), build("ul", {}, ...replies.map(replyItem)))
    : quiet(say.noReplies);
  const draft = api.session.editsReplies ? [draftLink(gap, span)] : [];
  return build("li", { className: "gap" }, title, facts, asked, answered, ...draft);
}

/** @param {string[]} label */
function quoted(label) {
  return label.flatMap((text, index) => [index ? " · " : "", build("q", {}, theirs(text))]);
}

/** @param {string} summary @param {HTMLElement} content */
function fold(summary, content) {
  return build("details", {}, build("summary", {}, summary), content);
}

/** @param {import("./server.js").Api} api @param {Question} question */
function questionItem(api, question) {
  const { conversation, text, at, reason_text, triage_text, best_cosine, threshold } = question;
  const why = [reason_text, triage_text].filter(Boolean).join(" · ");
  const measured = best_cosine === null ? [] : [` · ${say.cosine(figure(best_cosine), figure(threshold))}`];
  return build(
    "li",
    {},
    conversationLink(conversation, theirs(text)),
    build("div", { className: "quiet" }, timeOf(at), ` · ${why}`, ...measured, ...nearest(api, question)),
    ...laterLines(question),
  );
}

/** The article that came nearest, by its title where today's search meets it too. @param {import("./server.js").Api} api @param {Question} question */
function nearest(api, { article: id, today }) {
  if (!id) return [];
  return [` · ${say.nearest} `, articleButton(api, { id, title: today?.article === id ? today.title : "" })];
}

/** What was said or came after the question. @param {Question} question */
function laterLines({ remark, today }) {
  const said = remark ? [build("div", { className: "quiet" }, `${say.remark}: `, theirs(remark))] : [];
  if (!today?.passes) return said;
  const found = theirs(today.title || today.article || contentWords.unknown);
  return [...said, build("div", { className: "quiet" }, `${say.today} `, found)];
}

/** @param {Reply} reply */
function replyItem({ conversation, agent, text, at }) {
  return build(
    "li",
    {},
    build("blockquote", { className: "plain", dir: "auto" }, text),
    build("div", { className: "quiet" }, conversationLink(conversation, theirs(agent)), ", ", timeOf(at)),
  );
}

/** @param {Gap} gap @param {string} span */
function draftLink({ id, label }, span) {
  const href = `/console/v1/content/gaps/${encodeURIComponent(id)}/draft?days=${span}`;
  const more = {
    href,
    download: `${id}.md`,
    className: "download",
    "aria-label": say.draftOf(label[0] ?? id),
  };
  return build("p", {}, build("a", more, say.draft));
}
