// What the content page says by itself; reasons, triage and refusals come in words from the server.

/** @typedef {Record<string, string>} Texts */
/** @typedef {import("./content-view.js").TabName} TabName */

const many = (/** @type {number} */ count, /** @type {string} */ one, more = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

export const contentWords = {
  heading: "Content",
  tabs: "Parts of the content page",
  names: /** @type {Record<TabName, string>} */ ({
    health: "Health",
    articles: "Articles",
    pairs: "Pairs",
    gaps: "Gaps",
    tester: "Search tester",
    "what-if": "What-if",
  }),
  asOf: "As of",
  again: "Refresh",
  notHere: "The store of this installation cannot list its articles, so this page has nothing to show.",
  unknown: "unknown",
  none: "none",
  readOnly: "Your role reads this; people with the role content or admin decide.",
  openArticle: (/** @type {string} */ title) => `Read “${title}”`,
  days: (/** @type {number} */ days) => `Last ${days} days`,
  span: "Days looked at",
  spans: [7, 30, 90],
};

export const healthWords = {
  lastGood: "Last good sync",
  never: "never",
  notYet: "not yet",
  ago: (/** @type {string} */ lasting) => `${lasting} ago`,
  expected: "Expected",
  every: (/** @type {string} */ every) => `every ${every}`,
  unscheduled: "no schedule known",
  state: "State",
  fine: "Up to date",
  unwatched: "Not watched",
  watchIt: "Set KB_SYNC_EVERY, or run the worker with --every, so that Candor can say when a sync is late.",
  late: "Late",
  told: "and customers are told so",
  nothing: "Nothing was synced",
  aMoment: "less than a minute",
  todoHeading: "What to do",
  todo: [
    "Look at the newest run below: its note says what failed and what helps.",
    "See whether the worker runs. Whoever operates Candor starts it with:",
    "Or sync once by hand:",
  ],
  worker: "python -m kb_sync --every 15m",
  once: "python -m kb_sync",
  live: "What customers are answered from",
  nothingLive: "No articles are live: nothing can be answered from articles until a sync succeeds.",
  facts: /** @type {Texts} */ ({
    articles: "Articles",
    passages: "Passages",
    published: "Live since",
    fingerprint: "Embedding",
    recall: "Recorded questions found",
    id: "Generation",
  }),
  recall: (/** @type {number} */ share) => `${Math.round(share * 100)} % among the first three articles`,
  back: "How to go back",
  backHint: "This command puts the state before in place at once; nothing is embedded again.",
  backCommand: "python -m kb_sync --rollback",
  backTo: "It would make live:",
  backHeld: "The same articles are then not synced again until the source changes, or --forward is given.",
  noBack: "There is no state before the live one to go back to.",
  counted: (/** @type {number} */ articles, /** @type {number} */ passages) =>
    `${many(articles, "article")}, ${many(passages, "passage")}`,
  runs: "Runs of the sync, newest first",
  noRuns: "No run is recorded yet.",
  columns: {
    started: "Started",
    outcome: "Ended",
    took: "Took",
    seen: "Seen",
    added: "New",
    changed: "Changed",
    retired: "Retired",
    withheld: "Withheld",
    skipped: "Left out",
    embedded: "Embedded",
    note: "Note",
  },
  outcomes: /** @type {Texts} */ ({
    running: "running",
    done: "done",
    withheld: "done, retirements withheld",
    failed: "failed",
    busy: "another run was busy",
    held: "held after a rollback",
    stopped: "stopped",
    rolled_back: "rolled back",
  }),
  embedded: (/** @type {number} */ passages, /** @type {number} */ tokens) =>
    tokens ? `${many(passages, "passage")}, ${many(tokens, "token")}` : many(passages, "passage"),
};

export const articleWords = {
  label: "Words in title, tags or text",
  status: "Status",
  anyStatus: "Any status",
  tag: "Tag",
  anyTag: "Any tag",
  statuses: /** @type {Texts} */ ({
    active: "Active",
    draft: "Draft",
    superseded: "Superseded",
    retired: "Retired",
  }),
  caption: "Articles of the live index",
  columns: { title: "Article", status: "Status", age: "Age", changed: "Last change", cited: "Cited" },
  supersededBy: "by",
  undated: "undated",
  evergreen: "evergreen",
  citedHint: (/** @type {number} */ days) => `Cited counts the answers of the last ${days} days.`,
  old: "old",
  count: (/** @type {number} */ found, /** @type {number} */ total) =>
    found < total ? `${found} of ${many(total, "article")}` : many(total, "article"),
  first: (/** @type {number} */ shown, /** @type {number} */ found) =>
    `The first ${shown} of ${many(found, "article")}; search to narrow them down.`,
  nothing: "No article fits.",
  facts: /** @type {Texts} */ ({
    id: "Id",
    status: "Status",
    category: "Category",
    tags: "Tags",
    locale: "Language",
    modified: "Last modified",
    evergreen: "Evergreen",
    added: "Here since",
    changed: "Text changed",
    cited: "Cited",
    url: "Address",
  }),
  yes: "yes, its age does not count",
  times: (/** @type {number} */ count) => many(count, "time"),
  text: "Text, as the source has it",
  empty: "This article has no text.",
};

export const pairWords = {
  hint: "Active articles that say nearly the same, or state different figures or conditions under the same heading.",
  none: "No pair needs a decision.",
  count: (/** @type {number} */ shown, /** @type {number} */ total) =>
    shown < total
      ? `The ${shown} most pressing of ${many(total, "pair")} to decide`
      : `${many(total, "pair")} to decide`,
  kinds: /** @type {Texts} */ ({ duplicate: "Near-duplicate", contradiction: "Contradiction" }),
  title: (/** @type {string} */ kind, /** @type {number} */ number) => `${kind} ${number}`,
  cosine: (/** @type {number} */ cosine) => `Cosine ${cosine.toFixed(3)}`,
  under: "Under",
  sentences: "Sentences that differ, side by side",
  same: "The passages say the same in the same words.",
  absent: "(nothing like it)",
  differs: "Differs in",
  keep: "Keep this one",
  keepOf: (/** @type {string} */ title) => `Keep “${title}”`,
  keepTitle: (/** @type {string} */ title) => `Keep “${title}” and supersede the other?`,
  keepHint: (/** @type {string} */ loser) =>
    `“${loser}” is superseded at once: customers are no longer answered from it. You can undo this here.`,
  keepYes: "Supersede the other",
  kept: "Decided. The other article is superseded.",
  distinct: "Mark as distinct",
  distinctTitle: "Mark these articles as distinct?",
  distinctHint: "Both stay active, and this pair is not shown again. You can undo this here.",
  distinctDone: "Marked as distinct.",
  decided: "Decided",
  decidedNone: "Nothing has been decided yet.",
  undo: "Undo",
  undoOf: (/** @type {string} */ titles) => `Undo the decision about ${titles}`,
  undoTitle: "Undo this decision?",
  undoSuperseded: (/** @type {string} */ loser) =>
    `“${loser}” is active again at once, if its source says so too.`,
  undoDistinct: "The pair is shown again.",
  undone: "Undone.",
  superseded: "is superseded by",
  isDistinct: "and",
  areDistinct: "are distinct",
  by: "by",
  modified: "last modified",
  undated: "undated",
};

export const gapWords = {
  hint: "What customers asked and the articles did not answer, grouped by meaning; each group is named by questions that were really asked.",
  count: (/** @type {number} */ groups, /** @type {number} */ questions) =>
    groups
      ? `${many(questions, "question")} in ${many(groups, "group")}.`
      : "No gap was found in these days.",
  leftOut: (/** @type {number} */ count) => `${many(count, "older question")} left out.`,
  notAsked: (/** @type {number} */ count) =>
    `${many(count, "gap")} shown as recorded, without a look at today's articles.`,
  asRecorded: (/** @type {string} */ problem) => `${problem} All is shown as it was recorded.`,
  answeredBy: "Answered by now: ",
  remark: "the agent's remark",
  today: "asked today, it finds",
  csv: "Download as CSV",
  draft: "Draft an article",
  draftOf: (/** @type {string} */ question) => `Draft an article about “${question}”`,
  draftHint:
    "A draft is a Markdown file in the source's format that quotes the agents' answers. Nothing is published by itself.",
  group: (/** @type {number} */ number) => `Gap ${number}`,
  asked: (/** @type {number} */ count) => `asked ${count === 1 ? "once" : `${count} times`}`,
  last: "last",
  questions: (/** @type {number} */ count) => `Questions (${count})`,
  replies: (/** @type {number} */ count) => `How agents answered (${count})`,
  noReplies: "No agent has answered one of these yet.",
  nearest: "nearest article",
  cosine: (/** @type {string} */ best, /** @type {string} */ threshold) =>
    `cosine ${best}, threshold ${threshold}`,
};

export const testerWords = {
  hint: "Ask as a customer would, and see what would be searched and found. Nothing is kept, and no answer is written.",
  legend: "Conversation, oldest first; the last message is the customer's question",
  message: (/** @type {number} */ number) => `Message ${number}`,
  role: (/** @type {number} */ number) => `Who wrote message ${number}`,
  roles: /** @type {[string, string][]} */ ([
    ["customer", "Customer"],
    ["bot", "Assistant"],
    ["agent", "Agent"],
  ]),
  roleNames: /** @type {Texts} */ ({ customer: "Customer", bot: "Assistant", agent: "Agent" }),
  add: "Add a message",
  remove: "Remove",
  removeOf: (/** @type {number} */ number) => `Remove message ${number}`,
  locale: "Customer's language, such as en or pt; empty for that of the articles",
  go: "Search",
  passes: (/** @type {string} */ best, /** @type {string} */ threshold) =>
    `Enough evidence: the best cosine is ${best}, and ${threshold} is needed. The assistant would answer from these passages.`,
  stopped: (/** @type {string} */ best, /** @type {string} */ threshold) =>
    `Not enough evidence: the best cosine is ${best}, and ${threshold} is needed. The assistant would hand over to a person.`,
  uncalibrated: (/** @type {string} */ best) =>
    `There is no threshold for this embedding model; the best cosine is ${best}. Run “python -m bot calibrate”.`,
  unsearched: "Nothing was searched.",
  routed: (/** @type {string} */ why) => `A real message would have ended before any search: ${why}.`,
  unjudged: (/** @type {string} */ why) => `The search could not be judged: ${why}.`,
  embedded: "What was embedded",
  window: "The window: the last messages together",
  own: "The customer's own words",
  bare: "The question alone",
  used: "Messages used",
  dropped: "Messages left out",
  ranks: "What was found, by rank",
  none: "Nothing was found.",
  legendBar: (/** @type {string} */ threshold) =>
    `The line in each bar is this question's own threshold, ${threshold}: unless GATE_THRESHOLD is set, it is lower the more of the question's words stand in what was found.`,
  order:
    "The order weighs the question's words beside the cosine, and keeps an article's passages together. Only the best cosine decides whether there is enough evidence.",
  columns: { rank: "Rank", article: "Article", cosine: "Cosine", freshness: "Freshness", score: "Score" },
  rival: "close rival",
  noFreshness: "undated",
  meter: (/** @type {string} */ cosine, /** @type {string} */ threshold) =>
    `cosine ${cosine}, threshold ${threshold}`,
  searchedIn: "Embedding",
  generation: "Generation",
};

export const whatIfWords = {
  hint: "Puts another threshold in the place of the one that was in force, and says for recorded turns what would have come of it. Nothing changes.",
  threshold: "Threshold",
  exact: "Exact value",
  current: (/** @type {string} */ value) => `In force now: ${value}.`,
  range: (/** @type {string} */ lowest, /** @type {string} */ highest) =>
    `Calibration saw best cosines from ${lowest} to ${highest}; outside them a threshold always fires, or never.`,
  others: (/** @type {number} */ count) =>
    `${many(count, "turn")} of another embedding model ${count === 1 ? "is" : "are"} left out: their scores mean something else.`,
  unread: "There were more turns than are read at a time; these are the newest.",
  backToCurrent: "Back to the threshold in force",
  said: (
    /** @type {string} */ threshold,
    /** @type {number} */ passes,
    /** @type {number} */ stopped,
    /** @type {number} */ handed,
    /** @type {number} */ answered,
  ) =>
    `At ${threshold}: ${passes} of ${many(stopped, "handoff")} for want of evidence would have gone on to an answer, and ${handed} of ${many(answered, "answer")} would have been handed over.`,
  turns: (/** @type {number} */ count) => `${many(count, "recorded turn")} looked at`,
  nothing: "There are no recorded turns in these days.",
  plot: "How many turns change at each threshold; the table below says the same.",
  turnsAxis: "turns",
  passes: "Would have been answered",
  passesHint: "Handoffs because nothing was found; under this threshold their best article is enough.",
  noPasses: "No handoff would have been answered.",
  handedOver: "Would have been handed over",
  handedOverHint: "Answers whose best article would no longer be enough.",
  noHandedOver: "No answer would have been handed over.",
  columns: {
    question: "Question",
    best: "Best cosine",
    threshold: "Threshold then",
    article: "Nearest article",
    at: "When",
  },
  curve: "The curve as a table",
  curveColumns: {
    threshold: "Threshold",
    passes: "Would have been answered",
    handedOver: "Would have been handed over",
  },
  legend: { chosen: "Chosen", current: "In force", calibrated: "Calibrated range" },
  more: (/** @type {number} */ shown, /** @type {number} */ total) => `The ${shown} surest of ${total}.`,
};
