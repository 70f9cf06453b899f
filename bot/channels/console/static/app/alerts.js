// Makes an agent aware of news: the number waiting in the title, and what was switched on in the settings.
import { announce } from "./announcer.js";
import { isOn } from "./settings.js";
import { words } from "./words.js";

const TONES_HZ = [660, 880];
const TONE_S = 0.12;
const LOUDNESS = 0.08;

/** @type {AudioContext | null} */
let audio = null;

/** @param {import("./desk.js").Desk} desk @param {(id: string) => void} open */
export function startAlerts(desk, open) {
  desk.addEventListener("queue", () => showCount(desk.waiting));
  desk.addEventListener("news", (event) => {
    const { text, conversation } = /** @type {CustomEvent} */ (event).detail;
    announce(text);
    if (isOn("sounds")) chime();
    if (isOn("notifications") && document.hidden) notify(text, () => open(conversation));
  });
}

/** @param {number} waiting */
function showCount(waiting) {
  document.title = (waiting ? `(${waiting}) ` : "") + words.title;
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
  const notification = new Notification(words.title, { body: text, tag: text });
  notification.onclick = () => {
    window.focus();
    press();
  };
}
