// Which view an address means. Addresses live in the fragment, so that no conversation's id reaches a log.

/**
 * `id` is a conversation's, or the name of a part of the content page.
 * @typedef {{name: "queue" | "conversation" | "search" | "replies" | "content" | "numbers" | "unknown", id: string}} Route
 */

const VIEWS = ["queue", "search", "replies", "numbers"];

/** @param {string} hash @returns {Route} */
export function routeOf(hash) {
  const [, name = "", id = ""] = hash.split("/");
  if (name === "content" || (name === "conversation" && id)) return { name, id: decoded(id) };
  if (!name) return { name: "queue", id: "" };
  return { name: /** @type {Route["name"]} */ (VIEWS.includes(name) ? name : "unknown"), id: "" };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
