// The whole widget: the button when it is closed, the panel when it is open.
import { build, icon } from "./build.js";
import { fill, words } from "./words.js";
import "./candor-composer.js";
import "./candor-log.js";

const CHAT = "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";
const CROSS = "M6 6l12 12M18 6L6 18";
const DOTS = "M5 12h.01M12 12h.01M19 12h.01";
const PERSON = "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6";

const MOST_TITLE = 60;

export class CandorWidget extends HTMLElement {
  /** @param {import("./client.js").Client} client @param {unknown} title the page's own, in place of ours */
  attach(client, title) {
    this.client = client;
    this.heading = typeof title === "string" ? title.slice(0, MOST_TITLE) : "";
    this.#build();
    client.addEventListener("change", () => this.#show());
    document.addEventListener("visibilitychange", () => this.#read());
    client.addEventListener("problem", (event) => {
      const { message, text } = /** @type {CustomEvent} */ (event).detail;
      this.warn(message);
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
    this.#show();
    if (isOpen && document.hasFocus()) this.#refocus();
  }

  open() {
    if (this.isOpen) return;
    this.#swap(true);
    this.composer.focus();
    this.log.toEnd();
    this.#read();
    void this.client.meet();
    this.dispatchEvent(new Event("opened"));
  }

  close() {
    if (!this.isOpen) return;
    this.#swap(false);
    // The page may close it while its own field has the focus.
    if (document.hasFocus()) this.launcher.focus();
    this.dispatchEvent(new Event("closed"));
  }

  /** @param {string} message empty to take an earlier one away */
  warn(message) {
    this.alert.textContent = message;
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
    /** @type {import("./people.js").People | undefined} */
    this.people = undefined;
    this.log = /** @type {import("./candor-log.js").CandorLog} */ (build("candor-log"));
    this.state = build("div", { role: "status", className: "state" });
    this.alert = build("div", { role: "alert", className: "alert" });
    this.composer = /** @type {import("./candor-composer.js").CandorComposer} */ (build("candor-composer"));
    this.person = /** @type {HTMLButtonElement} */ (
      build("button", { type: "button", className: "person", onclick: () => this.#ask() })
    );
    this.launcher = button("launcher", words.launcher, CHAT, () => this.open());
    this.closed = build("div", { className: "closed" }, build("h1", {}, this.heading || words.title), this.launcher);
    this.panel = build(
      "div",
      { className: "panel", hidden: true },
      this.#header(),
      this.state,
      this.alert,
      this.log,
      build("div", { className: "foot" }, this.person, this.composer),
    );
    this.append(this.closed, this.panel);
    this.log.attach();
    this.log.replies.addEventListener("click", ({ target }) => {
      if (/** @type {HTMLButtonElement} */ (target).type === "button") this.#refocus();
    });
    this.composer.attach(
      (text) => {
        this.warn("");
        client.say(text);
      },
      () => client.typing(),
    );
    // Else the browser would leave for the file.
    this.panel.ondragover = (event) => event.preventDefault();
    this.panel.ondrop = (event) => this.#take(event, event.dataTransfer);
    this.panel.onpaste = (event) => this.#take(event, event.clipboardData);
  }

  /** @param {Event} event @param {DataTransfer | null} data */
  #take(event, data) {
    if (!data?.files.length) return;
    event.preventDefault();
    const files = [...data.files];
    void this.#with(import("./attachments.js"), ({ give }) => give(files, this));
  }

  /**
   * Do what only some customers do.
   * @template Module @param {Promise<Module>} loading @param {(module: Module) => unknown} act
   */
  async #with(loading, act) {
    try {
      await act(await loading);
    } catch {
      this.warn(words.offline);
    }
  }

  /** @param {import("./transcript.js").Transcript} transcript @param {boolean} isOffline */
  #tell({ status, readByAgents }, isOffline) {
    const { state } = status;
    if (!this.people && (state === "queued" || state === "claimed" || readByAgents)) void this.#meetPeople();
    if (isOffline) return this.#tellState("offline", words.offline);
    this.#tellState(state, this.people ? this.people.tell(status) : this.isMeeting ? "" : words.states[state]);
  }

  /** @param {string} state @param {string} [text] */
  #tellState(state, text = "") {
    if (this.state.textContent !== text) this.state.textContent = text;
    this.state.dataset.state = state;
  }

  /** Load what is shown of the people at the desk; cut off from it, their presence is told in general. */
  async #meetPeople() {
    if (this.isMeeting) return;
    this.isMeeting = true;
    const { log } = this;
    try {
      const { People } = await import("./people.js");
      const people = await People.around(log);
      if (log === this.log) this.people = people;
      this.#show();
    } catch {
      const { state } = this.client.transcript;
      this.#tellState(state, words.states[state]);
    }
    this.isMeeting = false;
  }

  #header() {
    const close = button("close", words.close, CROSS, () => this.close());
    this.whoAnswers = build("span");
    this.more = button("more", words.more, DOTS, () =>
      this.#with(import("./more.js"), ({ offerMore }) => offerMore(this)),
    );
    this.more.setAttribute("aria-haspopup", "dialog");
    const name = build("h1", {}, this.heading || words.title, build("i", {}, " — "), this.whoAnswers);
    return build("header", {}, build("span", { className: "mark" }, icon(CHAT)), name, this.more, close);
  }

  #show() {
    const { transcript, isOffline, about } = this.client;
    const { state } = transcript;
    this.whoAnswers.textContent = state === "claimed" ? (transcript.status.agent ?? words.agent) : words.subtitle;
    this.#tell(transcript, isOffline);
    this.log.show(this.client);
    this.people?.show(transcript);
    this.composer.show(state);
    const isAsked =
      state === "queued" ||
      state === "claimed" ||
      transcript.sending.some((sending) => sending.path === "handoff");
    const label = state === "claimed" ? words.personHere : isAsked ? words.personAsked : words.talkToPerson;
    this.person.replaceChildren(icon(PERSON), label);
    this.person.disabled = isAsked;
    this.more.hidden = !transcript.inOrder.length;
    if (about?.attachments) import("./attachments.js").then(({ invite }) => invite(this)).catch(() => {});
    this.#read();
    this.#count(this.client.unread);
  }

  /** @param {number} unread */
  #count(unread) {
    const name = words.launcher;
    this.launcher.setAttribute("aria-label", unread ? fill(words.unread, { name, count: unread }) : name);
    const shown = unread ? String(unread) : "";
    if (this.launcher.dataset.unread === shown) return;
    this.launcher.dataset.unread = shown;
    this.dispatchEvent(new CustomEvent("unread", { detail: { count: unread } }));
  }
}

/** @param {string} className @param {string} label @param {string} path @param {() => unknown} press */
function button(className, label, path, press) {
  return build("button", { type: "button", className, "aria-label": label, onclick: press }, icon(path));
}

customElements.define("candor-widget", CandorWidget);
