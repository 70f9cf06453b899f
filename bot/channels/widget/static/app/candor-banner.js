// One line about the state of things: offline, the place in the queue, who has joined. Warnings stand apart and are announced.
import { build } from "./build.js";
import { back, fill, place, words } from "./words.js";

export class CandorBanner extends HTMLElement {
  connectedCallback() {
    if (this.status) return;
    this.status = build("div", { role: "status", className: "state" });
    this.alert = build("div", { role: "alert", className: "alert" });
    this.append(this.status, this.alert);
  }

  /** @param {import("./transcript.js").Status} status @param {boolean} isOffline */
  show(status, isOffline) {
    const text = isOffline ? words.offline : describe(status);
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.dataset.state = isOffline ? "offline" : status.state;
  }

  /** @param {string} message empty to take an earlier one away */
  warn(message) {
    this.alert.textContent = message;
  }
}

/** @param {import("./transcript.js").Status} status */
function describe({ state, position, expected_wait_s, opens_at, agent }) {
  if (state === "claimed" && agent) return fill(words.joined, { name: agent });
  if (state !== "queued" || !position) return words.states[state] ?? "";
  return opens_at ? back(opens_at) : place(position, expected_wait_s);
}

customElements.define("candor-banner", CandorBanner);
