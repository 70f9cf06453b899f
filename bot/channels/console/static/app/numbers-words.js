// What the page of numbers says by itself; reasons come in words from the server.

export const numbersWords = {
  heading: "Numbers",
  asOf: "As of",
  span: "Days shown",
  spans: [7, 14, 30],
  lastDays: (/** @type {number} */ days) => `Last ${days} days`,
  waiting: "Waiting now",
  queued: "Waiting for a person",
  claimed: "With a person",
  longest: "Longest wait",
  nobody: "nobody waits",
  today: "Today",
  handedOver: "Handed over",
  median: "First human reply, median",
  noReply: "no reply yet",
  untruthful: "Untruthful handoffs",
  truthful: "Every handoff gave the reason that it had.",
  lied: (/** @type {number} */ count) =>
    `${count === 1 ? "One handoff gave a reason that is" : `${count} handoffs gave reasons that are`} not what happened. ` +
    "This must never be: please report it as a defect, with the evidence of the conversation.",
  byReason: "Handed over today, by reason",
  reason: "Reason",
  reasons: "Reasons",
  count: "Handoffs",
  noHandoff: "Nothing was handed over today.",
  alone: "Answered without a person today",
  aloneHint:
    "Conversations that the assistant answered and no person was needed for. The next 24 hours count too.",
  noAnswer: "Nothing was answered without a person today.",
  endings: /** @type {[keyof import("./numbers-view.js").AnsweredAlone, string, string][]} */ ([
    ["confirmed", "Confirmed", "The customer said that it helped."],
    ["silent", "Silent", "The customer said nothing more, which is not counted as solved."],
    ["came_back", "Came back", "The customer wrote again within a day, or said that it did not help."],
  ]),
  days: "By day and reason",
  day: "Day",
  otherReasons: "Other reasons",
  chart: "Columns of handoffs by day and reason; the table below says the same.",
  none: "none",
};
