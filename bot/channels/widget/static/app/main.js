// Puts the parts together: the page that embeds us, the conversation, and what is seen.
import { Client } from "./client.js";
import { speak, words } from "./words.js";
import "./candor-widget.js";

/** @typedef {Record<string, (order: any) => unknown>} Orders */

// The page that embeds us, whose origin the server's frame-ancestors policy has checked.
const origin = decodeURIComponent(location.hash.slice(1)) || location.origin;
const client = new Client();
const widget = /** @type {import("./candor-widget.js").CandorWidget} */ (
  document.querySelector("candor-widget")
);

widget.addEventListener("opened", () => tell("opened"));
widget.addEventListener("closed", () => tell("closed"));
widget.addEventListener("unread", (event) => tell("unread", /** @type {CustomEvent} */ (event).detail));
// The page learns that something happened, never what was said.
client.addEventListener("arrived", (event) => {
  const { seq, role, reason } = /** @type {CustomEvent} */ (event).detail;
  tell("message", { seq, role });
  if (reason) tell("handoff", { seq, reason });
});
client.addEventListener("problem", (event) =>
  tell("error", { code: /** @type {CustomEvent} */ (event).detail.code }),
);

/** Orders of the page's come in, and nobody else's; they are done one after the other, because some take time. @param {Orders} orders */
function listen(orders) {
  let before = Promise.resolve();
  addEventListener("message", (event) => {
    if (event.source !== parent || event.origin !== origin) return;
    const order = event.data;
    if (order?.candor !== 1 || !Object.hasOwn(orders, order.do)) return;
    before = before.then(() => orders[order.do](order)).catch(() => tell("error", { code: "failed" }));
  });
}

/** @param {string} name @param {object} [detail] */
function tell(name, detail) {
  parent.postMessage({ candor: 1, tell: name, detail }, origin);
}

/** @param {...(string | undefined)} wanted */
async function speakAs(...wanted) {
  client.session.locale = await speak(...wanted);
  // The page has a main part of its own.
  widget.parentElement?.setAttribute("aria-label", words.frame);
  tell("named", { title: words.frame });
}

listen({
  boot: async ({ locale, theme, title, page, identity }) => {
    client.session.page = page;
    if (theme) await import("./theme.js").then(({ dress }) => dress(theme)).catch(() => {});
    await speakAs(locale);
    widget.attach(client, title);
    client.start(identity);
  },
  page: ({ page }) => {
    client.session.page = page;
  },
  identify: ({ identity }) => {
    client.identify(identity);
    if (widget.isOpen) void client.meet();
  },
  open: () => widget.open(),
  close: () => widget.close(),
  ask: ({ text }) => {
    widget.open();
    client.say(text);
  },
  locale: async ({ locale }) => {
    await speakAs(locale, client.session.locale);
    widget.rebuild();
  },
  shutdown: () => {
    client.forget();
    tell("gone");
  },
});
tell("ready");
