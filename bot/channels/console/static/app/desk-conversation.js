// The open conversation: who has it, what was said, where to reply, and the panel beside it.
import { announce } from "./announcer.js";
import { build } from "./build.js";
import { button, iconButton, icons } from "./buttons.js";
import "./desk-actions.js";
import "./desk-composer.js";
import "./desk-log.js";
import "./desk-side.js";
import { ratingFacts } from "./left-behind.js";
import { markWrong, moves } from "./moves.js";
import { Refused } from "./server.js";
import { ticking } from "./time.js";
import { nameOf, pageFact } from "./who.js";
import { actWords, composeWords, noteWords, queueWords, talkWords } from "./words.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

/** Events: `back`. */
export class DeskConversation extends HTMLElement {
  #facts = "";

  /** @param {import("./desk.js").Desk} desk */
  attach(desk) {
    this.desk = desk;
    this.#build();
    desk.addEventListener("conversation", () => this.show());
    for (const happening of ["focus", "visibilitychange"]) addEventListener(happening, () => this.#read());
    this.addEventListener("evidence", (event) =>
      this.#open("evidence", /** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener("verdict", (event) =>
      this.#open("verdict", /** @type {CustomEvent} */ (event).detail),
    );
    this.addEventListener(
      "unmark",
      (event) => void this.#unmark(/** @type {CustomEvent} */ (event).detail.seq),
    );
    this.addEventListener("go-to", (event) => this.#goTo(/** @type {CustomEvent} */ (event).detail));
    this.wait(talkWords.nothingOpen);
  }

  /** Show nothing but a sentence. @param {string} text */
  wait(text) {
    this.conversation = null;
    this.placeholder.textContent = text;
    this.placeholder.hidden = false;
    this.talk.hidden = this.side.hidden = true;
  }

  /** @param {Conversation} conversation */
  open(conversation) {
    this.conversation = conversation;
    this.placeholder.hidden = true;
    this.talk.hidden = this.side.hidden = false;
    this.#facts = "";
    this.#setPanel(false);
    this.refuse("");
    this.log.clear();
    this.composer.open(conversation);
    this.side.open(conversation);
    this.show();
  }

  show() {
    const { conversation } = this;
    if (!conversation || conversation !== this.desk.conversation) return;
    this.heading.replaceChildren(...nameOf(conversation));
    this.#showFacts(conversation);
    this.actions.show(conversation);
    this.log.show(conversation);
    this.composer.show();
    this.side.show();
    this.#read();
  }

  focus() {
    this.heading.focus();
  }

  get isPanelOpen() {
    return this.dataset.panel === "open";
  }

  togglePanel(isOpen = !this.isPanelOpen) {
    this.#setPanel(isOpen);
    if (isOpen) this.side.heading.focus();
    else this.toggle.focus();
  }

  writeReply() {
    this.composer.focus();
  }

  writeNote() {
    this.#showPanel("notes");
    this.side.notes.focus();
  }

  /** @param {import("./moves.js").Move} move */
  async act(move) {
    const { conversation } = this;
    if (!conversation) return;
    try {
      const done = await moves[move](this.desk, conversation);
      if (!done) return;
      this.refuse("");
      announce(done);
      if (move === "claim") this.composer.focus();
      else if (move !== "gap") this.heading.focus();
    } catch (error) {
      await this.#fail(/** @type {Error} */ (error));
    }
  }

  /** Say what was refused, and offer what helps. @param {string} text @param {...Node} offers */
  refuse(text, ...offers) {
    this.problem.replaceChildren(...(text ? [build("span", {}, text), ...offers] : []));
  }

  #build() {
    this.heading = build("h2", { id: "talk-heading", tabIndex: -1 });
    this.facts = build("p", { className: "facts" });
    this.problem = build("div", { role: "alert", className: "problem" });
    this.placeholder = build("p", { className: "empty" });
    this.actions = /** @type {import("./desk-actions.js").DeskActions} */ (build("desk-actions"));
    this.log = /** @type {import("./desk-log.js").DeskLog} */ (build("desk-log"));
    this.composer = /** @type {import("./desk-composer.js").DeskComposer} */ (build("desk-composer"));
    this.side = /** @type {import("./desk-side.js").DeskSide} */ (build("desk-side"));
    const back = iconButton(talkWords.back, icons.back, () => this.dispatchEvent(new Event("back")));
    back.classList.add("back");
    const about = build("div", { className: "about" }, this.heading, this.facts);
    this.toggle = iconButton(talkWords.panel, icons.panel, () => this.togglePanel());
    this.toggle.classList.add("panel-toggle");
    const head = build("div", { className: "head" }, back, about, this.toggle, this.actions);
    this.talk = build("div", { className: "talk" }, head, this.problem, this.log, this.composer);
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", talkWords.heading);
    this.append(this.placeholder, this.talk, this.side);
    this.#attachParts();
  }

  #attachParts() {
    const { api } = this.desk;
    this.log.attach();
    this.composer.attach(this.desk);
    this.actions.attach((move) => this.act(move), api.session.answersCustomers);
    this.side.attach(api, (seq, remark) => this.#mark(seq, remark));
    this.side.addEventListener("shut", () => this.togglePanel(false));
    this.composer.addEventListener("sent", () => {
      this.refuse("");
      announce(composeWords.sent);
    });
    this.side.notes.addEventListener("added", () => announce(noteWords.added));
    for (const part of [this.composer, this.side.notes])
      part.addEventListener("refused", (event) => void this.#fail(/** @type {CustomEvent} */ (event).detail));
  }

  /** The panel is always there when there is room for it. @param {boolean} isOpen */
  #setPanel(isOpen) {
    this.dataset.panel = isOpen ? "open" : "";
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    this.dispatchEvent(new Event("panel"));
  }

  /** @param {Conversation} conversation */
  #showFacts({ state, agent, mine, row, page, ratings }) {
    const seen = [state, agent, mine, row?.contact, row?.waiting_since, row?.locale, page, ratings];
    const key = JSON.stringify(seen);
    if (key === this.#facts) return;
    this.#facts = key;
    const holder = mine ? queueWords.you : agent?.name;
    const who = holder ? talkWords.claimedBy(holder) : (talkWords.states[state] ?? state);
    const facts = [build("b", { className: `state ${state}` }, who)];
    if (row?.waiting_since)
      facts.push(build("span", {}, `${queueWords.waiting} `, ticking(row.waiting_since)));
    if (row) facts.push(build("span", {}, `${talkWords.channel[row.channel] ?? row.channel}, ${row.locale}`));
    if (row?.contact) facts.push(build("span", {}, `${talkWords.contact}: ${row.contact}`));
    if (page) facts.push(pageFact(page));
    this.facts.replaceChildren(...facts, ...ratingFacts(ratings));
  }

  /** @param {Error} error */
  async #fail(error) {
    const { conversation } = this;
    await this.desk.refresh().catch(() => {});
    if (conversation !== this.conversation || !conversation) return;
    const code = error instanceof Refused ? error.code : "";
    const isFree = conversation.state === "queued" || conversation.mine; // mine, but run out
    const canClaim = isFree && code.startsWith("claim_");
    const again = button(actWords.claimAgain, () => void this.act("claim"), { className: "main" });
    this.refuse(error.message, ...(canClaim ? [again] : []));
    const { lastCustomerSeq: last, messages } = conversation;
    if (code === "customer_wrote") this.log.goTo(messages.get(last)?.revises ?? last, false);
    this.show();
  }

  #read() {
    if (this.conversation && document.hasFocus() && this.log.checkVisibility()) this.desk.read();
  }

  /** @param {"evidence" | "verdict"} what @param {{turn: string, seq: number}} about */
  #open(what, { turn, seq }) {
    this.#showPanel("evidence");
    if (what === "verdict") this.side.evidence.judge(turn, seq);
    else {
      this.side.evidence.ask(turn);
      this.side.heading.focus();
    }
  }

  /** @param {"evidence" | "notes"} tab */
  #showPanel(tab) {
    this.side.choose(tab);
    if (!this.isPanelOpen) this.togglePanel(true);
  }

  /** @param {number} seq @param {string} remark */
  async #mark(seq, remark) {
    if (!this.conversation) return;
    await this.#try(markWrong(this.desk, this.conversation, seq, remark));
  }

  /** @param {number} seq */
  async #unmark(seq) {
    if (!this.conversation) return;
    await this.#try(
      this.desk.unmark(this.conversation, "wrong_answer", seq).then(() => actWords.done.unmarked),
    );
  }

  /** @param {Promise<string>} doing says what was done */
  async #try(doing) {
    try {
      announce(await doing);
    } catch (error) {
      await this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @param {number} seq */
  #goTo(seq) {
    if (matchMedia("(max-width: 699px)").matches) this.togglePanel(false);
    this.log.goTo(seq);
  }
}

customElements.define("desk-conversation", DeskConversation);
