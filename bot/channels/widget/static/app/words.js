// Every sentence that the widget says by itself.

export const words = {
  title: "Parlato help",
  subtitle: "Automated assistant",
  launcher: "Open chat with our help assistant",
  unread: (/** @type {number} */ count) => `, ${count} unread`,
  close: "Close chat",
  log: "Conversation",
  greeting:
    "Hello! I am Parlato’s automated assistant. I answer with quotes from our help articles, and when they do not cover your question I say so and bring in a person.",
  composer: "Your message",
  placeholders: /** @type {Record<string, string>} */ ({
    bot: "Ask a question…",
    queued: "Add something for our team…",
    claimed: "Write to our team…",
    resolved: "Ask something else…",
  }),
  send: "Send",
  talkToPerson: "Talk to a person",
  personAsked: "A person has been asked",
  personHere: "A person is here",
  bot: "Assistant",
  agent: "Support team",
  customer: "You",
  sources: "From our articles",
  newWindow: "opens in a new tab",
  interrupted: "This answer was interrupted.",
  sending: "Sending…",
  wait: "One moment…",
  steps: /** @type {Record<string, string>} */ ({
    searching: "Searching our articles…",
    writing: "Writing…",
  }),
  states: /** @type {Record<string, string>} */ ({
    queued: "You are in the queue for a person. You can keep writing here.",
    claimed: "You are talking to a person.",
    resolved: "This conversation is closed. Write to open it again.",
  }),
  place: (/** @type {number} */ position, /** @type {number | null} */ waitS) =>
    `You are number ${position} in the queue for a person. ${waitS === null ? UNKNOWN : known(waitS)}`,
  closed: (/** @type {number} */ opensAt) =>
    `Our team is not here right now and is back on ${moment(opensAt)}, your time. You can keep writing here.`,
  joined: (/** @type {string} */ name) => `${name} has joined. You are talking to a person.`,
  types: (/** @type {string} */ name) => `${name} is writing…`,
  seen: "Seen",
  offline: "No connection. What you write is kept and sent as soon as it is back.",
  notSent: "Your message was not sent.",
  handedOver: "Handed over to our team",
  didThisHelp: "Did this help?",
  yes: "Yes",
  no: "No",
  helped: "Yes, this helped",
  didNotHelp: "No, this did not help",
};

const LANGUAGE = "en"; // of the words above
const UNKNOWN = "We don’t know yet how long it will take.";
const MINUTE_S = 60;
const MOST_MINUTES = 90; // a longer wait is told in hours

/** Rounded up, so that no wait sounds shorter than it was. @param {number} waitS */
function known(waitS) {
  const minutes = Math.max(2, Math.ceil(waitS / MINUTE_S));
  const amount = minutes > MOST_MINUTES ? `${Math.ceil(minutes / 60)} hours` : `${minutes} minutes`;
  return `Others recently waited about ${amount}.`;
}

/** In the reader's own time zone. @param {number} at */
function moment(at) {
  const date = new Date(at);
  const day = date.toLocaleDateString(LANGUAGE, { weekday: "long" });
  return `${day} at ${date.toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}`;
}
