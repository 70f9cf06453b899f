// Makes an agent aware of news: the number waiting in the title, and what was switched on in the settings.
import { announce } from "./announcer.js";
import { isOn } from "./settings.js";
import { queueWords, words } from "./words.js";

const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const LOUDNESS = 0.08;
const GATHERED_MS = 1000;

/** @typedef {import("./news.js").News} News */

/** @type {AudioContext | null} */
let audio = null;
const title = { page: "", waiting: 0 };

/** @param {import("./desk.js").Desk} desk @param {(id: string) => void} open */
export function startAlerts(desk, open) {
  desk.addEventListener("queue", () => {
    title.waiting = desk.waiting;
    showTitle();
  });
  const gather = gathering((news) => tellOf(news, open));
  desk.addEventListener("news", (event) => gather(/** @type {CustomEvent} */ (event).detail));
}

/** @param {News[]} news @param {(id: string) => void} open */
function tellOf(news, open) {
  const { text, conversation } = news[news.length - 1];
  const all = news.length > 1 ? `${text} ${queueWords.andMore(news.length - 1)}` : text;
  announce(all);
  if (isOn("sounds")) chime();
  if (isOn("notifications") && document.hidden) notify(all, () => open(conversation));
}

/** A rush of customers is told once, not one by one. @param {(news: News[]) => void} tell @returns {(news: News) => void} */
function gathering(tell) {
  /** @type {News[]} */
  let gathered = [];
  return (news) => {
    gathered.push(news);
    if (gathered.length > 1) return;
    setTimeout(() => {
      const all = gathered;
      gathered = [];
      tell(all);
    }, GATHERED_MS);
  };
}

/** @param {string} page the view that is shown */
export function nameTitle(page) {
  title.page = page;
  showTitle();
}

function showTitle() {
  const { page, waiting } = title;
  document.title = (waiting ? `(${waiting}) ` : "") + `${page} · ${words.title}`;
}

/** Two short tones. Browsers allow it once the agent has pressed something on the page. */
export function chime() {
  audio ??= new AudioContext();
  void audio.resume();
  TONES_HZ.forEach((pitch, position) => tone(/** @type {AudioContext} */ (audio), pitch, position * TONE_S));
}

/** @param {AudioContext} context @param {number} pitch @param {number} after */
function tone(context, pitch, after) {
  const start = context.currentTime + after;
  const oscillator = new OscillatorNode(context, { frequency: pitch });
  const gain = new GainNode(context, { gain: LOUDNESS });
  gain.gain.setTargetAtTime(0, start + TONE_S / 2, TONE_S / 4);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 2 * TONE_S);
}

/** @param {string} text @param {() => void} press */
function notify(text, press) {
  try {
    const notification = new Notification(words.title, { body: text, tag: text });
    notification.onclick = () => {
      window.focus();
      press();
    };
  } catch {
    // some phones grant the permission and then let only service workers notify; the page has told it already
  }
}
