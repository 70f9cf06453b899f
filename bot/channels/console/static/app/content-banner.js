// Says in the whole console that the articles are out of date, since when, and where it stands what to do.
import { build } from "./build.js";
import { spanOf, timeOf } from "./time.js";
import { lateWords as say } from "./words.js";

const AGAIN_MS = 60000;

/** @typedef {{last_good: number | null, every_s: number | null, late: boolean, old: boolean}} Health */

/** @param {import("./server.js").Api} api @returns {HTMLElement} empty while all is well */
export function lateBanner(api) {
  const banner = build("div", { role: "status", className: "offline late-sync" });
  const look = () => void show(api, banner);
  setInterval(() => document.hidden || look(), AGAIN_MS);
  look();
  return banner;
}

/** @param {import("./server.js").Api} api @param {HTMLElement} banner */
async function show(api, banner) {
  try {
    /** @type {Health} */
    const health = await api.get("content/health");
    const content = health.late || health.old ? sentence(health) : [];
    const text = build("p", {}, ...content);
    // The same words again would be read out again.
    if (text.textContent !== banner.textContent) banner.replaceChildren(...(content.length ? [text] : []));
  } catch {
    // The line of the desk says that the server is away; what was known of the articles stays.
  }
}

/** @param {Health} health @returns {(Node | string)[]} */
function sentence({ last_good, every_s, old }) {
  const since = last_good === null ? [say.never] : [`${say.since} `, timeOf(last_good), "."];
  const expected = every_s === null ? "" : ` ${say.expected(spanOf(every_s))}`;
  const link = build("a", { href: "#/content/health" }, say.remedy);
  return [...since, expected, ` ${old ? say.old : say.late} `, link];
}
