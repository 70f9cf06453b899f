// What was asked of the customer's own records: each statement, what came of it, and how long it took.
import { build } from "./build.js";
import { section } from "./evidence-parts.js";
import { evidenceWords } from "./evidence-words.js";

/** @typedef {{sql: string, ms: number, error: string | null, rows: number | null}} Statement */

/** @param {{route_text: string | null, statements: Statement[], model: string | null}} records */
export function asked({ route_text, statements, model }) {
  const route = [route_text ?? evidenceWords.noRoute, model].filter(Boolean).join(" · ");
  const list = build("ol", { className: "statements" }, ...statements.map((one) => build("li", {}, ...lines(one))));
  return section(evidenceWords.records, build("p", {}, route), ...(statements.length ? [list] : []));
}

/** @param {Statement} statement */
function lines({ sql, ms, error, rows }) {
  const took = `${Math.round(ms)} ms`;
  const said = error ?? evidenceWords.rows(rows ?? 0);
  return [
    build("pre", { className: "plain", dir: "ltr" }, sql),
    build("p", { className: error ? "failing" : "" }, `${said} · ${took}`),
  ];
}
