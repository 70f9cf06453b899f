// Which words of two sentences differ: those outside their longest common sequence.

const LONGEST = 400; // words; a longer sentence is marked as a whole, because the comparison is quadratic

/** @typedef {{text: string, differs: boolean}} Piece */

/** @param {string} left @param {string} right @returns {[Piece[], Piece[]]} */
export function differing(left, right) {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length > LONGEST || b.length > LONGEST) return [whole(left), whole(right)];
  const [inA, inB] = common(a.map(keyOf), b.map(keyOf));
  return [piecesOf(a, inA), piecesOf(b, inB)];
}

/** @param {string} text @returns {string[]} words, each with the space after it */
function wordsOf(text) {
  return text.match(/\S+\s*/g) ?? [];
}

/** @param {string} word @returns {string} what has to be equal for two words to be the same */
function keyOf(word) {
  const key = word.trim().toLowerCase().replaceAll("\u2019", "'");
  return key.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, "") || key;
}

/** @param {string} text @returns {Piece[]} */
function whole(text) {
  return text ? [{ text, differs: true }] : [];
}

/** @param {string[]} words @param {Set<number>} shared @returns {Piece[]} neighbours of one kind together */
function piecesOf(words, shared) {
  /** @type {Piece[]} */
  const pieces = [];
  words.forEach((text, index) => {
    const differs = !shared.has(index);
    const last = pieces.at(-1);
    if (last?.differs === differs) last.text += text;
    else pieces.push({ text, differs });
  });
  return pieces;
}

/** @param {string[]} a @param {string[]} b @returns {[Set<number>, Set<number>]} where their longest common sequence stands */
function common(a, b) {
  const lengths = tableOf(a, b);
  /** @type {[Set<number>, Set<number>]} */
  const found = [new Set(), new Set()];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found[0].add(i++);
      found[1].add(j++);
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return found;
}

/** @param {string[]} a @param {string[]} b @returns {number[][]} how long the common sequence of each two ends is */
function tableOf(a, b) {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i][j] =
        a[i] === b[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}
