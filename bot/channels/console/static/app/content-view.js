// The content page: what is live, the articles, what is wrong with them, what is missing, and what a search finds.
import { articlesTab } from "./content-articles.js";
import { gapsTab } from "./content-gaps.js";
import { healthTab } from "./content-health.js";
import { pairsTab } from "./content-pairs.js";
import { testerTab } from "./content-tester.js";
import { whatIfTab } from "./content-what-if.js";
import { contentWords as say } from "./content-words.js";
import { build } from "./build.js";
import { button } from "./buttons.js";
import "./desk-tabs.js";

/** @typedef {"health" | "articles" | "pairs" | "gaps" | "tester" | "what-if"} TabName */
/** @typedef {import("./content-parts.js").Tab} Tab */

const TABS = /** @type {Record<TabName, (api: import("./server.js").Api) => Tab>} */ ({
  health: healthTab,
  articles: articlesTab,
  pairs: pairsTab,
  gaps: gapsTab,
  tester: testerTab,
  "what-if": whatIfTab,
});
const FRESH_MS = 60000; // who comes back from a conversation finds everything as it was
const NAMES = /** @type {TabName[]} */ (Object.keys(TABS));

/** Stays as it was left while the agent looks at something else. */
export class ContentView extends HTMLElement {
  /** @param {import("./server.js").Api} api */
  attach(api) {
    this.className = "page content";
    this.parts = new Map(NAMES.map((name) => [name, TABS[name](api)]));
    this.tabs = /** @type {import("./desk-tabs.js").DeskTabs} */ (build("desk-tabs"));
    /** @type {Map<TabName, number>} */
    this.looked = new Map();
    const tabs = [...this.parts].map(([name, { panel }]) => ({ name, label: say.names[name], panel }));
    this.tabs.attach(say.tabs, tabs);
    this.again = button(say.again, () => this.#look(0));
    this.addEventListener("decided", () => this.looked?.delete("articles")); // whose status may be another now
    this.tabs.addEventListener("chosen", () => this.#choose());
    this.append(
      build("link", { rel: "stylesheet", href: new URL("../content.css", import.meta.url).href }),
      build("div", { className: "content-head" }, build("h2", { tabIndex: -1 }, say.heading), this.again),
      this.tabs,
    );
  }

  /** @param {string} name of a tab; without one it is the last */
  show(name) {
    const wanted = NAMES.find((one) => one === name);
    this.tabs?.choose(wanted ?? this.tabs.chosen ?? NAMES[0]);
  }

  /** The address names the tab, so that a reload and the way back from a conversation lead to it. */
  #choose() {
    const name = this.tabs?.chosen;
    if (location.hash !== `#/content/${name}`) history.replaceState(null, "", `#/content/${name}`);
    if (this.again) this.again.hidden = name === "tester"; // which asks when it is told to
    this.#look(FRESH_MS);
  }

  /** @param {number} freshMs for how long what was seen is new enough */
  #look(freshMs) {
    const name = /** @type {TabName} */ (this.tabs?.chosen);
    const now = Date.now();
    if (now - (this.looked?.get(name) ?? -Infinity) < freshMs) return;
    this.looked?.set(name, now);
    void this.parts?.get(name)?.look();
  }
}

customElements.define("content-view", ContentView);

/** @param {import("./server.js").Api} api @returns {ContentView} */
export function contentView(api) {
  const view = /** @type {ContentView} */ (build("content-view"));
  view.attach(api);
  return view;
}
