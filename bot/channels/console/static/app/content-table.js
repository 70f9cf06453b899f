// Tables that become a list of cards where the window is narrow. They say by role what they are, because a table that is
// laid out as anything else is no table for assistive technology.
import { build } from "./build.js";

/** @typedef {"head" | "number" | "text"} CellKind */
/** @typedef {{label: string, kind?: CellKind}} Column */

/**
 * @param {string} caption @param {Column[]} columns
 * @param {(Node | string)[][]} rows one cell for each column
 * @returns {HTMLElement}
 */
export function tableOf(caption, columns, rows) {
  const heads = columns.map(({ label, kind }) =>
    build("th", { role: "columnheader", scope: "col", className: kind === "number" ? kind : "text" }, label),
  );
  const head = build("thead", { role: "rowgroup" }, build("tr", { role: "row" }, ...heads));
  const body = rows.map((cells) =>
    build("tr", { role: "row" }, ...cells.map((content, index) => cell(columns[index], content))),
  );
  return build(
    "table",
    { role: "table" },
    build("caption", {}, caption),
    head,
    build("tbody", { role: "rowgroup" }, ...body),
  );
}

/** @param {Column} column @param {Node | string} content */
function cell({ label, kind }, content) {
  const inside = build("div", {}, content);
  if (kind === "head") return build("th", { role: "rowheader", scope: "row" }, inside);
  const className = [kind ?? "text", content === "0" && "zero"].filter(Boolean).join(" ");
  return build("td", { role: "cell", className, "data-label": label }, inside);
}
