// The dialogs of the shell: what an agent can switch on, and which keys there are.
import { chime } from "./alerts.js";
import { build } from "./build.js";
import { tell } from "./dialog.js";
import { isOn, turn } from "./settings.js";
import { settingWords, shortcuts, words } from "./words.js";

/** @typedef {import("./settings.js").Setting} Setting */

export function openSettings() {
  const problem = build("p", { role: "alert", className: "failing" });
  return tell(settingWords.title, [
    choice("sounds", async (isWanted) => (isWanted && chime(), isWanted)),
    choice("notifications", async (isWanted) => {
      const isAllowed = isWanted && (await allowed());
      problem.textContent = isWanted && !isAllowed ? settingWords.blocked : "";
      return isAllowed;
    }),
    choice("keys", async (isWanted) => isWanted),
    problem,
    build("p", { className: "quiet" }, settingWords.kept),
  ]);
}

export function openHelp() {
  const rows = shortcuts.map(([key, what]) =>
    build("tr", {}, build("th", { scope: "row" }, build("kbd", {}, key)), build("td", {}, what)),
  );
  return tell(words.help, [build("table", { className: "keys" }, build("tbody", {}, ...rows))]);
}

/** @param {Setting} name @param {(isWanted: boolean) => Promise<boolean>} settle what becomes of the wish */
function choice(name, settle) {
  const box = /** @type {HTMLInputElement} */ (build("input", { type: "checkbox", checked: isOn(name) }));
  box.onchange = async () => {
    box.checked = await settle(box.checked);
    turn(name, box.checked);
  };
  return build("label", { className: "check" }, box, build("span", {}, settingWords[name]));
}

async function allowed() {
  if (!("Notification" in window)) return false;
  return (await Notification.requestPermission()) === "granted";
}
