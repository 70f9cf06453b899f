// The whole widget: the button when it is closed, the panel when it is open.
import { build, icon } from "./build.js";
import { fill, words } from "./words.js";
import "./candor-banner.js";
import "./candor-composer.js";
import "./candor-log.js";

const CHAT = "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";
const CROSS = "M6 6l12 12M18 6L6 18";
const PERSON = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6";

const MOST_TITLE = 60;

export class CandorWidget extends HTMLElement {
  #unread = 0;

  /** @param {import("./client.js").Client} client @param {unknown} title the page's own, in place of ours */
  attach(client, title) {
    this.client = client;
    this.heading = typeof title === "string" ? title.slice(0, MOST_TITLE) : "";
    this.#build();
    client.addEventListener("change", () => this.#show());
    document.addEventListener("visibilitychange", () => this.#read());
    client.addEventListener("arrived", (event) => {
      const { role } = /** @type {CustomEvent} */ (event).detail;
      if (!this.isOpen && role !== "customer") this.#count(this.#unread + 1);
    });
    client.addEventListener("problem", (event) => {
      const { message, text } = /** @type {CustomEvent} */ (event).detail;
      this.banner.warn(message);
      this.composer.giveBack(text);
    });
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) this.close();
    });
    this.#show();
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /** Say everything anew, in another language. */
  rebuild() {
    const [isOpen, written] = [this.isOpen, this.composer.written];
    this.replaceChildren();
    this.#build();
    this.composer.giveBack(written);
    this.#swap(isOpen);
    this.#count(this.#unread);
    this.#show();
    if (isOpen && document.hasFocus()) this.#refocus();
  }

  open() {
    if (this.isOpen) return;
    this.#swap(true);
    this.#count(0);
    this.composer.focus();
    this.log.toEnd();
    this.#read();
    void this.client.meet();
    this.dispatchEvent(new Event("opened"));
  }

  close() {
    if (!this.isOpen) return;
    this.#swap(false);
    if (document.hasFocus()) this.launcher.focus(); // the page may close it while its own field has the focus
    this.dispatchEvent(new Event("closed"));
  }

  #read() {
    if (this.isOpen && !document.hidden) this.client.read();
  }

  #ask() {
    this.client.askForPerson();
    this.#refocus();
  }

  /** What was pressed is gone: go on where the customer writes, without raising a phone's keyboard. */
  #refocus() {
    const isTouch = matchMedia("(pointer: coarse)").matches;
    (isTouch ? this.log : this.composer).focus();
  }

  /** @param {boolean} isOpen */
  #swap(isOpen) {
    this.panel.hidden = !isOpen;
    this.closed.hidden = isOpen;
  }

  #build() {
    const client = this.client;
    this.log = /** @type {import("./candor-log.js").CandorLog} */ (build("candor-log"));
    this.banner = /** @type {import("./candor-banner.js").CandorBanner} */ (build("candor-banner"));
    this.composer = /** @type {import("./candor-composer.js").CandorComposer} */ (build("candor-composer"));
    this.person = /** @type {HTMLButtonElement} */ (
      build("button", { type: "button", className: "person", onclick: () => this.#ask() })
    );
    this.launcher = build(
      "button",
      { type: "button", className: "launcher", onclick: () => this.open() },
      icon(CHAT),
    );
    this.closed = build("div", { className: "closed" }, build("h1", {}, this.heading || words.title), this.launcher);
    this.panel = build(
      "div",
      { className: "panel", hidden: true },
      this.#header(),
      this.banner,
      this.log,
      build("div", { className: "foot" }, this.person, this.composer),
    );
    this.#count(0);
    this.append(this.closed, this.panel);
    this.log.attach(client);
    this.log.replies.addEventListener("click", () => this.#refocus());
    this.composer.attach(
      (text) => {
        this.banner.warn("");
        client.say(text);
      },
      () => client.typing(),
    );
  }

  #header() {
    const close = build(
      "button",
      { type: "button", className: "close", "aria-label": words.close, onclick: () => this.close() },
      icon(CROSS),
    );
    this.whoAnswers = build("span");
    const name = build("h1", {}, this.heading || words.title, build("i", {}, " — "), this.whoAnswers);
    return build("header", {}, build("span", { className: "mark" }, icon(CHAT)), name, close);
  }

  #show() {
    const { transcript, isOffline } = this.client;
    const { state } = transcript;
    this.whoAnswers.textContent = state === "claimed" ? (transcript.status.agent ?? words.agent) : words.subtitle;
    this.banner.show(transcript.status, isOffline);
    this.log.show(transcript);
    this.composer.show(state);
    const isAsked =
      state === "queued" ||
      state === "claimed" ||
      transcript.sending.some((sending) => sending.path === "handoff");
    const label = state === "claimed" ? words.personHere : isAsked ? words.personAsked : words.talkToPerson;
    this.person.replaceChildren(icon(PERSON), label);
    this.person.disabled = isAsked;
    this.#read();
  }

  /** @param {number} unread */
  #count(unread) {
    this.#unread = unread;
    const name = words.launcher;
    this.launcher.setAttribute("aria-label", unread ? fill(words.unread, { name, count: unread }) : name);
    this.launcher.dataset.unread = unread ? String(unread) : "";
  }
}

customElements.define("candor-widget", CandorWidget);
