// What an article says without its Markdown, because agents' replies are shown as they are written.

/** @type {[RegExp, string][]} */
const RULES = [
  [/!?\[([^\]]*)\]\([^)]*\)/g, "$1"],
  [/\*\*|__|`/g, ""],
  [/^#{1,6}\s+/gm, ""],
  [/^(\s*)[-*]\s+/gm, "$1• "],
];

/** @param {string} markdown @returns {string} */
export function plainText(markdown) {
  return RULES.reduce((text, [mark, instead]) => text.replace(mark, instead), markdown);
}
