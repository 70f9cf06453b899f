// The queue beside the open conversation; on small screens one of them.
import { warn } from "./announcer.js";
import { build } from "./build.js";
import "./desk-conversation.js";
import "./desk-queue.js";
import { Refused } from "./server.js";
import { talkWords, words } from "./words.js";

export class DeskView extends HTMLElement {
  /** @param {import("./desk.js").Desk} desk */
  attach(desk) {
    this.desk = desk;
    this.queue = /** @type {import("./desk-queue.js").DeskQueue} */ (build("desk-queue"));
    this.conversation = /** @type {import("./desk-conversation.js").DeskConversation} */ (
      build("desk-conversation")
    );
    this.append(this.queue, this.conversation);
    this.queue.attach(desk, (id) => void this.claim(id));
    this.conversation.attach(desk);
    this.conversation.addEventListener("back", () => (location.hash = "#/queue"));
    this.conversation.addEventListener("panel", () => (this.dataset.panel = this.conversation.dataset.panel));
  }

  /** Show the queue alone. @param {boolean} movesFocus */
  showQueue(movesFocus) {
    const last = this.desk.conversation?.id;
    this.desk.shut();
    this.dataset.open = "";
    this.conversation.wait(talkWords.nothingOpen);
    this.queue.show();
    if (movesFocus) this.queue.focusOn(last);
  }

  /** @param {string} id @param {boolean} movesFocus */
  async open(id, movesFocus) {
    this.dataset.open = "yes";
    if (this.desk.conversation?.id === id && this.conversation.conversation) return;
    this.conversation.wait(words.loading);
    try {
      await this.desk.open(id);
    } catch (error) {
      return this.#fail(id, /** @type {Error} */ (error));
    }
    if (this.desk.conversation?.id !== id) return;
    this.conversation.open(this.desk.conversation);
    this.queue.show();
    if (this.claimed === id) this.conversation.writeReply();
    else if (movesFocus) this.conversation.focus();
    this.claimed = "";
  }

  /** Claim from the queue, and open what was won. @param {string} id */
  async claim(id) {
    if (this.desk.conversation?.id === id) return this.conversation.act("claim");
    try {
      await this.desk.api.post(`conversations/${encodeURIComponent(id)}/claim`);
      this.claimed = id;
      location.hash = `#/conversation/${encodeURIComponent(id)}`;
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} id @param {Error} error */
  #fail(id, error) {
    if (this.desk.conversation?.id !== id) return;
    this.desk.shut();
    const isUnknown = error instanceof Refused && error.status === 404;
    this.conversation.wait(isUnknown ? talkWords.unknown : error.message);
  }
}

customElements.define("desk-view", DeskView);
