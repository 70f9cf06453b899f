// Puts the parts together: what is stored, the line to the server, the host page, and what is seen.
import { Client } from "./client.js";
import { Host } from "./host.js";
import { speak, words } from "./words.js";
import "./candor-widget.js";

const host = new Host(decodeURIComponent(location.hash.slice(1)));
const client = new Client();
const widget = /** @type {import("./candor-widget.js").CandorWidget} */ (
  document.querySelector("candor-widget")
);

widget.addEventListener("opened", () => host.tell("opened"));
widget.addEventListener("closed", () => host.tell("closed"));
// The page learns that something happened, never what was said.
client.addEventListener("arrived", (event) => {
  const { seq, role, reason } = /** @type {CustomEvent} */ (event).detail;
  host.tell("message", { seq, role });
  if (reason) host.tell("handoff", { seq, reason });
});
client.addEventListener("problem", (event) =>
  host.tell("error", { code: /** @type {CustomEvent} */ (event).detail.code }),
);

/** @param {...(string | undefined)} wanted */
async function speakAs(...wanted) {
  client.session.locale = await speak(...wanted);
  host.tell("named", { title: words.frame });
}

host.listen({
  boot: async ({ locale, theme, title, page, identity }) => {
    client.session.page = page;
    if (theme) (await import("./theme.js")).dress(theme);
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
    host.tell("gone");
  },
});
host.tell("ready");
