// The form with which an agent signs in.
import { build } from "./app/build.js";
import { Field, accountForm, dress, passwordField, post } from "./account-form.js";

/**
 * Show the form in *container* until somebody has signed in.
 *
 * @param {Element} container is emptied first and at the end
 * @param {{notice?: string}} [options] why it is shown, such as that a session has ended
 * @returns {Promise<{agent: {id: string, name: string, role: string}, csrf: string, expires_at: number}>}
 */
export async function signIn(container, { notice = "" } = {}) {
  dress();
  const email = new Field({
    id: "email",
    label: "E-mail address",
    input: { type: "email", autocomplete: "username", inputMode: "email", autocapitalize: "none" },
  });
  const password = passwordField({
    id: "password",
    label: "Password",
    input: { autocomplete: "current-password", maxLength: 200 },
  });
  const { element, sent } = accountForm({
    title: "Sign in",
    action: "Sign in",
    fields: [email, password],
    after: [
      build(
        "p",
        { className: "account-hint" },
        "No password yet, or forgotten it? Ask an admin for a new link.",
      ),
    ],
    check: () => missing(email, password),
    send: () => post("session", { email: email.value.trim(), password: password.value }),
    explain: (refused) => (refused.code === "sign_in_refused" ? [password, refused.message] : null),
  });
  if (notice) element.firstChild?.after(build("p", { className: "account-notice", role: "status" }, notice));
  container.replaceChildren(element);
  email.input.focus();
  const session = await sent;
  container.replaceChildren();
  return session;
}

/** @param {Field} email @param {Field} password @returns {[Field, string][]} */
function missing(email, password) {
  /** @type {[Field, string][]} */
  const problems = [];
  if (!email.value.includes("@")) problems.push([email, "Enter your e-mail address."]);
  if (!password.value) problems.push([password, "Enter your password."]);
  return problems;
}
