// One line about the state of things: offline, in the queue, with a person. Warnings stand apart and are announced.
import { build } from "./build.js";
import { words } from "./words.js";

export class CandorBanner extends HTMLElement {
  connectedCallback() {
    if (this.status) return;
    this.status = build("div", { role: "status", className: "state" });
    this.alert = build("div", { role: "alert", className: "alert" });
    this.append(this.status, this.alert);
  }

  /** @param {string} state @param {boolean} isOffline */
  show(state, isOffline) {
    const text = isOffline ? words.offline : (words.states[state] ?? "");
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.dataset.state = isOffline ? "offline" : state;
  }

  /** @param {string} message empty to take an earlier one away */
  warn(message) {
    this.alert.textContent = message;
  }
}

customElements.define("candor-banner", CandorBanner);
