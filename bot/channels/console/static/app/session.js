// Who is signed in at this browser. Signing in again goes on where the agent was.
import { signIn } from "../sign-in.js";
import { build } from "./build.js";
import { read, send } from "./server.js";
import { words } from "./words.js";

/** @typedef {{id: string, name: string, role: string}} Agent */

export class Session {
  constructor() {
    this.csrf = "";
    /** @type {Agent | null} */
    this.agent = null;
    /** @type {Promise<void> | null} */
    this.renewing = null;
  }

  /** Go on with the browser's session, or ask for a new one. */
  async look() {
    const response = await send("GET", "session", "");
    if (response.status === 401) await this.renew();
    else this.#take(await read(response));
  }

  /** Ask the agent to sign in: once, however many requests wait for it. @returns {Promise<void>} */
  renew() {
    const notice = this.agent ? words.signedOut : "";
    this.renewing ??= signedIn(notice)
      .then((session) => this.#take(session))
      .finally(() => (this.renewing = null));
    return this.renewing;
  }

  /** Sign out; rejects when the agent may still be signed in. */
  async end() {
    let response = await send("DELETE", "session", this.csrf);
    if (response.status === 403) {
      await this.look(); // begun anew in another tab
      response = await send("DELETE", "session", this.csrf);
    }
    if (response.status !== 401) await read(response);
    location.reload();
  }

  get answersCustomers() {
    return this.agent?.role !== "content";
  }

  get editsReplies() {
    return this.agent?.role !== "agent";
  }

  /** @param {{agent: Agent, csrf: string}} session */
  #take({ agent, csrf }) {
    if (this.agent && this.agent.id !== agent.id) location.reload(); // the page shows what another agent had
    this.agent = agent;
    this.csrf = csrf;
  }
}

/** Show the form before everything else; what lies behind it stays as it is. @param {string} notice */
async function signedIn(notice) {
  const dialog = /** @type {HTMLDialogElement} */ (
    build("dialog", { className: "door", "aria-label": words.signIn })
  );
  let isIn = false;
  dialog.onclose = () => isIn || dialog.showModal(); // Escape does not let anybody in
  document.body.append(dialog);
  dialog.showModal();
  const session = await signIn(dialog, { notice });
  isIn = true;
  dialog.close();
  dialog.remove();
  return session;
}
