// The shell: who is signed in, the views, the line's state, and what is said to everybody.
import { nameTitle, startAlerts } from "./alerts.js";
import { announce, announcer, warn } from "./announcer.js";
import { build } from "./build.js";
import { iconButton, icons } from "./buttons.js";
import { lateBanner } from "./content-banner.js";
import { Desk } from "./desk.js";
import "./desk-view.js";
import { listenForKeys } from "./keys.js";
import { repliesView } from "./replies-view.js";
import { routeOf } from "./router.js";
import { searchView } from "./search-view.js";
import { openHelp, openSettings } from "./settings-dialog.js";
import { startTicking } from "./time.js";
import { words } from "./words.js";

const VIEWS = /** @type {const} */ (["queue", "search", "replies", "content", "numbers"]);

export class DeskApp extends HTMLElement {
  /** @type {import("./content-view.js").ContentView | undefined} */
  content;

  /** @param {import("./server.js").Api} api */
  attach(api) {
    this.api = api;
    this.desk = new Desk(api);
    this.view = /** @type {import("./desk-view.js").DeskView} */ (build("desk-view"));
    this.page = build("div", { className: "pages", hidden: true });
    this.banner = build("div", { role: "status", className: "offline" });
    this.main = build("main", { id: "main", tabIndex: -1 }, this.view, this.page);
    this.append(this.#skipLink(), this.#header(), this.banner, lateBanner(api), this.main, announcer());
    this.view.attach(this.desk);
    this.desk.addEventListener("queue", () => this.#showCount());
    this.desk.addEventListener("line", () => this.#showLine());
    addEventListener("hashchange", () => void this.#show(true));
    startTicking();
    startAlerts(this.desk, (id) => (location.hash = `#/conversation/${encodeURIComponent(id)}`));
    this.#listenForKeys();
    this.#land();
    void this.#show(false);
    this.desk.start();
  }

  /** Who works on articles and asks for no view in particular begins with them. */
  #land() {
    const isAnywhere = !location.hash || location.hash === "#";
    if (isAnywhere && !this.api?.session.answersCustomers) history.replaceState(null, "", "#/content");
  }

  /** @param {boolean} movesFocus the agent went here, so that the focus follows */
  async #show(movesFocus) {
    const { name, id } = routeOf(location.hash);
    const isDesk = name === "queue" || name === "conversation";
    this.#highlight(name === "conversation" ? "queue" : name);
    nameTitle(words[name]);
    this.view.hidden = !isDesk;
    this.page.hidden = isDesk;
    if (isDesk) this.page.replaceChildren();
    if (name === "queue") this.view.showQueue(movesFocus);
    else if (name === "conversation") await this.view.open(id, movesFocus);
    else await this.#showPage(name, id, movesFocus);
  }

  /** @param {string} name @param {string} id @param {boolean} movesFocus */
  async #showPage(name, id, movesFocus) {
    const page = name === "content" ? await this.#contentPage() : await pageOf(name, this.api);
    if (routeOf(location.hash).name !== name) return; // the agent has gone on meanwhile
    if (page.parentElement !== this.page) this.page.replaceChildren(page);
    if (page === this.content) this.content.show(id);
    if (movesFocus) page.querySelector("h2")?.focus();
  }

  /** Fetched when somebody asks for it, and kept as it was left. @returns {Promise<HTMLElement>} */
  async #contentPage() {
    try {
      const { contentView } = await import("./content-view.js");
      return (this.content ??= contentView(this.api));
    } catch {
      return sentencePage(words.notAvailable);
    }
  }

  #header() {
    this.links = VIEWS.map((name) => build("a", { href: `#/${name}`, className: name }, words[name]));
    this.count = build("span", { className: "count", hidden: true });
    this.links[0].append(" ", this.count);
    const me = build("span", { className: "me" }, this.api.session.agent?.name ?? "");
    return build(
      "header",
      {},
      build("h1", {}, words.title),
      build("nav", { "aria-label": words.mainNavigation }, ...this.links),
      me,
      iconButton(words.settings, icons.gear, () => void openSettings()),
      iconButton(words.help, icons.help, () => void openHelp()),
      iconButton(words.signOut, icons.leave, () => void this.#leave()),
    );
  }

  async #leave() {
    try {
      await this.api.session.end();
    } catch (error) {
      warn(`${words.stillSignedIn} ${/** @type {Error} */ (error).message}`);
    }
  }

  #skipLink() {
    const link = build("a", { href: "#main", className: "skip" }, words.skip);
    link.onclick = (event) => {
      event.preventDefault();
      this.main.focus();
    };
    return link;
  }

  /** @param {string} name */
  #highlight(name) {
    for (const link of this.links) {
      if (link.classList.contains(name)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  #showCount() {
    const { waiting } = this.desk;
    this.count.textContent = String(waiting);
    this.count.hidden = !waiting;
  }

  #showLine() {
    const { isOffline } = this.desk;
    this.banner.textContent = isOffline ? words.offline : "";
    if (!isOffline) announce(words.backOnline);
  }

  #listenForKeys() {
    const { queue, conversation } = this.view;
    const onDesk = (/** @type {() => void} */ act) => () => this.view.hidden || act();
    const inTalk = (/** @type {() => void} */ act) => onDesk(() => conversation.conversation && act());
    listenForKeys({
      j: onDesk(() => queue.go(1)),
      k: onDesk(() => queue.go(-1)),
      c: onDesk(() => this.#claimChosen()),
      r: inTalk(() => conversation.writeReply()),
      n: inTalk(() => conversation.writeNote()),
      e: inTalk(() => conversation.togglePanel()),
      q: () => (location.hash = "#/queue"),
      "?": () => void openHelp(),
    });
  }

  #claimChosen() {
    const { chosen } = this.view.queue;
    if (chosen?.state === "queued") void this.view.claim(chosen.conversation);
  }
}

/** @param {string} name @param {import("./server.js").Api} api @returns {Promise<HTMLElement>} */
async function pageOf(name, api) {
  if (name === "search") return searchView(api);
  if (name === "replies") return repliesView(api);
  if (name === "numbers") return numbersPage(api);
  return sentencePage(words.noSuchView);
}

/** The numbers are fetched when somebody asks for them. @param {import("./server.js").Api} api */
async function numbersPage(api) {
  try {
    const { numbersView } = await import("./numbers-view.js");
    return numbersView(api);
  } catch {
    return sentencePage(words.notAvailable);
  }
}

/** @param {string} text */
function sentencePage(text) {
  return build("section", { className: "page" }, build("h2", { tabIndex: -1 }, text));
}

customElements.define("desk-app", DeskApp);
