// The page on which an invitation is used: it sets the agent's password. The invitation's secret is in the fragment of the
// address, which browsers send to no server.
import { build } from "./app/build.js";
import { Field, accountForm, dress, passwordField, post } from "./account-form.js";
import { Refused } from "./app/server.js";

const SHORTEST = 12;
const HINT =
  "At least 12 characters. Four words that have nothing to do with each other are good; your name, your address, " +
  "“password”, 1234 or qwerty and repeats do not count.";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // neither the history nor a screenshot needs it
addEventListener("hashchange", () => location.reload());

/** @param {string} title @param {string} why @param {HTMLElement} next what may be done now */
function tell(title, why, next) {
  const heading = build("h1", {}, title);
  main.replaceChildren(build("section", { className: "account" }, heading, build("p", { role: "alert" }, why), next));
}

/** @param {{email: string, name: string}} invited */
async function ask(invited) {
  const email = new Field({
    id: "email",
    label: "E-mail address",
    input: { type: "email", autocomplete: "username", readOnly: true, value: invited.email },
  });
  const password = passwordField({
    id: "password",
    label: "Choose a password",
    hint: HINT,
    input: { autocomplete: "new-password", maxLength: 200, minLength: SHORTEST },
  });
  const { element, sent } = accountForm({
    title: `Welcome, ${invited.name}`,
    action: "Set password and sign in",
    fields: [email, password],
    check: () =>
      [...password.value].length < SHORTEST ? [[password, `It has fewer than ${SHORTEST} characters.`]] : [],
    send: () => post("invitation", { token, password: password.value }),
    explain: (refused) =>
      refused.code === "input_rejected"
        ? [password, `${refused.message.replace(/^password: /, "It ")}.`]
        : null,
  });
  main.replaceChildren(element);
  password.input.focus();
  await sent;
  location.replace("/console");
}

/** Ask the server for whom the link is, and go on from there. */
async function start() {
  try {
    if (!token) throw new Refused(410, "no_token", "It is incomplete. Open it again as you were given it.");
    await ask(await post("invitation/look", { token }));
  } catch (error) {
    const { status, message } = /** @type {Refused} */ (error);
    if (status === 410) tell("This link cannot be used", message, build("a", { href: "/console" }, "Sign in"));
    else tell("This did not work", message, build("button", { type: "submit", onclick: start }, "Try again"));
  }
}

dress();
start();
