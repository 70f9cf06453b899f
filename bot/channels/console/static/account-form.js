// The parts of a form that asks for a password: labelled fields, errors that are announced, and the way to the server.
import { build } from "./app/build.js";
import { read, send } from "./app/server.js";

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>} rejects with an error whose message is for people, and which has a status unless nobody answered
 */
export async function post(path, body) {
  return read(await send("POST", path, "", body));
}

/** A labelled input with a hint and a place for its error. */
export class Field {
  /** @param {{id: string, label: string, hint?: string, input: Record<string, any>}} wanted */
  constructor({ id, label, hint, input }) {
    const described = hint ? `${id}-hint ${id}-error` : `${id}-error`;
    this.input = /** @type {HTMLInputElement} */ (
      build("input", { id, name: id, required: true, "aria-describedby": described, ...input })
    );
    this.failure = build("p", { id: `${id}-error`, className: "account-error", role: "alert" });
    this.beside = build("div", { className: "account-input" }, this.input);
    this.element = build("div", { className: "account-field" }, build("label", { htmlFor: id }, label));
    if (hint) this.element.append(build("p", { id: `${id}-hint`, className: "account-hint" }, hint));
    this.element.append(this.beside, this.failure);
  }

  get value() {
    return this.input.value;
  }

  /** Say what is wrong with it; nothing takes that back. @param {string} problem */
  say(problem) {
    this.failure.textContent = problem;
    if (problem) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

/** A field for a password, which its owner may look at. @param {ConstructorParameters<typeof Field>[0]} wanted */
export function passwordField(wanted) {
  const field = new Field({ ...wanted, input: { ...wanted.input, type: "password", spellcheck: false } });
  const show = build("button", { type: "button", className: "account-show" });
  const name = () => {
    const does = field.input.type === "password" ? "Show" : "Hide";
    show.textContent = does;
    show.setAttribute("aria-label", `${does} password`);
  };
  show.addEventListener("click", () => {
    field.input.type = field.input.type === "password" ? "text" : "password";
    name();
  });
  name();
  field.beside.append(show);
  return field;
}

/**
 * A form that checks its fields, sends them once, and says why it was refused.
 *
 * @param {{title: string, action: string, fields: Field[], after?: (Node | string)[],
 *   check: () => [Field, string][], send: () => Promise<any>, explain: (refused: import("./app/server.js").Refused) => [Field, string] | null}} wanted
 * @returns {{element: HTMLFormElement, sent: Promise<any>}} `sent` is what the server answered in the end
 */
export function accountForm({ title, action, fields, after = [], check, send, explain }) {
  const failure = build("p", { className: "account-error", role: "alert" });
  const submit = /** @type {HTMLButtonElement} */ (build("button", { type: "submit" }, action));
  const element = /** @type {HTMLFormElement} */ (
    build(
      "form",
      { className: "account", noValidate: true, "aria-label": title },
      build("h1", {}, title),
      ...fields.map((field) => field.element),
      failure,
      submit,
      ...after,
    )
  );

  /** @param {[Field, string][]} problems */
  const point = (problems) => {
    for (const [field, problem] of problems) field.say(problem);
    problems[0]?.[0].input.focus();
  };

  const sent = new Promise((resolve) => {
    element.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (submit.getAttribute("aria-disabled")) return;
      for (const field of fields) field.say("");
      failure.textContent = "";
      const problems = check();
      if (problems.length) return point(problems);
      submit.setAttribute("aria-disabled", "true");
      try {
        resolve(await send());
      } catch (error) {
        const refused = /** @type {import("./app/server.js").Refused} */ (error);
        const explained = explain(refused);
        if (explained) point([explained]);
        else failure.textContent = refused.message;
      } finally {
        submit.removeAttribute("aria-disabled");
      }
    });
  });
  return { element, sent };
}

/** Load the styles of these forms, wherever they are shown. */
export function dress() {
  const href = new URL("./accounts.css", import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  document.head.append(build("link", { rel: "stylesheet", href }));
}
