// What the widget says by itself, in the customer's language. Each language is a module, and only the chosen one is loaded.

/** @typedef {typeof import("./words-en.js").words} Words */
/** @typedef {typeof import("./rarely-en.js").rarely} Rarely */

const OTHERWISE = "en";
const LANGUAGES = ["de", OTHERWISE, "es", "fr", "pt"];
const RIGHT_TO_LEFT = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"];
const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff\ufb1d-\ufefc]/;
// "english" would pass as a language's code.
const MOST_LETTERS = 3;

/** @type {Words} filled by `speak`, before anything is shown */
export let words;
let language = OTHERWISE;
/** The locale in which amounts and times are written. */
export let written = OTHERWISE;

/**
 * Take the words of the first locale that is one, and turn the page to its direction.
 * @param {...(string | undefined)} wanted
 * @returns {Promise<string>} the locale as it is told to the server
 */
export async function speak(...wanted) {
  const locale = firstOf([...wanted, navigator.language, OTHERWISE]);
  language = LANGUAGES.includes(locale.language) ? locale.language : OTHERWISE;
  try {
    ({ words } = await import(`./words-${language}.js`));
  } catch {
    language = OTHERWISE;
    ({ words } = await import("./words-en.js"));
  }
  written = language === locale.language ? locale.baseName : OTHERWISE;
  // Of the words; they may be another's than the customer's.
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(locale.language) ? "rtl" : "ltr";
  document.title = words.title;
  return locale.baseName;
}

/** What few customers need to be told, loaded when one does. @returns {Promise<Rarely>} */
export async function rarely() {
  return (await import(`./rarely-${language}.js`)).rarely;
}

/** @param {(string | undefined)[]} wanted @returns {Intl.Locale} */
function firstOf(wanted) {
  for (const tag of wanted) {
    try {
      const locale = new Intl.Locale(String(tag).replaceAll("_", "-"));
      if (locale.language.length <= MOST_LETTERS) return locale;
    } catch {
      // not a locale
    }
  }
  return new Intl.Locale(OTHERWISE);
}

/**
 * Put values in the place of what stands in braces.
 * @param {string} sentence @param {Record<string, string | number>} values
 */
export function fill(sentence, values) {
  return sentence.replace(/{(\w+)}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? new Intl.NumberFormat(written).format(value) : isolated(value);
  });
}

/** A name of the other direction does not turn the sentence around it. @param {string} text */
function isolated(text) {
  return RIGHT_TO_LEFT_LETTER.test(text) ? `\u2068${text}\u2069` : text;
}
