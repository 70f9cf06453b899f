// What the customer sends: in order, one at a time, and again until the server has it, over a reload too.
import { recall, remember } from "./memory.js";
import { Refused, call } from "./server.js";
import { newId, pause, retryDelay } from "./timing.js";

/** @typedef {import("./transcript.js").Sending} Sending */

export class Outbox {
  #isBusy = false;
  /** @type {Map<string, string | null>} with which token what is still shown as being sent was taken in */
  #takenIn = new Map();

  /** @param {import("./client.js").Client} client */
  constructor(client) {
    this.client = client;
  }

  /** Take up what was not sent before the reload. */
  restore() {
    this.client.transcript.sending = recall("sending") ?? [];
  }

  keep() {
    const { sending } = this.client.transcript;
    // A file lasts as long as the page.
    remember("sending", sending.filter(({ file }) => !file));
  }

  /** @param {string} path @param {object} body @param {string} text @param {Blob} [file] in place of the body */
  put(path, body, text, file) {
    const id = newId();
    this.client.transcript.sending.push({ id, path, body: { client_message_id: id, ...body }, text, file });
    this.keep();
    this.client.changed();
    void this.send();
  }

  /** The same id every time, so that a repeat is harmless; another conversation's token makes all of it new. */
  async send() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { client } = this;
    const next = () => client.transcript.sending.find(({ id }) => this.#takenIn.get(id) !== client.token);
    for (let attempt = 0, sending = next(); sending; sending = next()) {
      if (await this.#deliver(sending)) attempt = 0;
      else await pause(retryDelay(attempt++));
    }
    this.#isBusy = false;
  }

  /** @param {Sending} sending @returns {Promise<boolean>} whether it is settled, one way or the other */
  async #deliver(sending) {
    const { client } = this;
    try {
      if (!client.token || client.opening) await client.openSession();
      const { token } = client;
      await post(sending, token);
      this.#takenIn.set(sending.id, token);
      client.setOffline(false);
      client.line.open();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) client.setOffline(true);
      else if (error.status === 401 && client.token) client.turnedAway();
      else return this.#giveBack(sending, error);
      return false;
    }
  }

  /** @param {Sending} sending @param {Refused} error */
  #giveBack(sending, error) {
    const { transcript } = this.client;
    transcript.sending = transcript.sending.filter((other) => other !== sending);
    this.keep();
    this.client.changed();
    this.client.complain(error, sending.path === "messages" ? sending.text : "");
    return true;
  }
}

/** @param {Sending} sending @param {string | null} token */
async function post(sending, token) {
  if (sending.file) return (await import("./attachments.js")).post(sending, token);
  return call("POST", sending.path, { token, body: sending.body });
}
