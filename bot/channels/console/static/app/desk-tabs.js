// Panels of which one is seen, with tabs that follow the arrow keys.
import { build } from "./build.js";

/** @typedef {{name: string, label: string, panel: HTMLElement}} Tab */

export class DeskTabs extends HTMLElement {
  /** @param {string} label @param {Tab[]} tabs */
  attach(label, tabs) {
    this.tabs = tabs.map((tab) => ({ ...tab, handle: this.#handle(tab) }));
    const list = build(
      "div",
      { role: "tablist", "aria-label": label },
      ...this.tabs.map(({ handle }) => handle),
    );
    list.addEventListener("keydown", (event) => this.#press(event));
    for (const { name, panel, handle } of this.tabs) {
      panel.id = `panel-${name}`;
      panel.tabIndex = 0;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", handle.id);
    }
    this.append(list, ...this.tabs.map(({ panel }) => panel));
    this.choose(tabs[0].name);
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = name;
    for (const tab of this.tabs) {
      const isChosen = tab.name === name;
      tab.panel.hidden = !isChosen;
      tab.handle.setAttribute("aria-selected", String(isChosen));
      tab.handle.tabIndex = isChosen ? 0 : -1;
    }
    this.dispatchEvent(new CustomEvent("chosen", { detail: name }));
  }

  /** @param {string} name @param {string} label */
  rename(name, label) {
    const handle = this.tabs.find((tab) => tab.name === name)?.handle;
    if (handle && handle.textContent !== label) handle.textContent = label;
  }

  /** @param {Tab} tab */
  #handle({ name, label }) {
    return build(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        onclick: () => this.choose(name),
      },
      label,
    );
  }

  /** @param {KeyboardEvent} event */
  #press({ key }) {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = this.tabs.findIndex(({ name }) => name === this.chosen);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.choose(next.name);
    next.handle.focus();
  }
}

customElements.define("desk-tabs", DeskTabs);
