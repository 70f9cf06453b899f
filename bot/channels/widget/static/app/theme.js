// The embedding page's looks. A value that is none is left out, and text stays readable whatever the colour.

const COLOUR = /^#[0-9a-f]{6}$/i;
const READABLE = 4.5;
const MOST_RADIUS = 24;
const STEP = 0.05;
const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];
const LIGHT = [244, 246, 248]; // the grounds on which an accent is hardest to read, as in widget.css
const DARK = [58, 46, 22];

/** @typedef {number[]} Rgb */

/** @param {{accent?: unknown, accentDark?: unknown, radius?: unknown, font?: unknown, scheme?: unknown}} theme */
export function dress({ accent, accentDark = accent, radius, font, scheme }) {
  const { style } = document.documentElement;
  if (isColour(accent) && isColour(accentDark)) {
    const [light, dark] = [toRgb(accent), toRgb(accentDark)];
    style.setProperty("--accent", pair(light, dark));
    style.setProperty("--on-accent", pair(onto(light), onto(dark)));
    style.setProperty("--head", pair(light, light));
    style.setProperty("--on-head", pair(onto(light), onto(light)));
    style.setProperty("--link", pair(readable(light, LIGHT, BLACK), readable(dark, DARK, WHITE)));
  }
  if (typeof radius === "number" && radius >= 0) style.setProperty("--radius", `${Math.min(radius, MOST_RADIUS)}px`);
  if (typeof font === "string") style.fontFamily = font;
  if (scheme === "light" || scheme === "dark") style.colorScheme = scheme;
}

/** @param {unknown} value @returns {value is string} */
function isColour(value) {
  return typeof value === "string" && COLOUR.test(value);
}

/** @param {string} colour @returns {Rgb} */
function toRgb(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** @param {Rgb} light @param {Rgb} dark */
function pair(light, dark) {
  const both = `light-dark(rgb(${light}), rgb(${dark}))`;
  return CSS.supports("color", both) ? both : `rgb(${light})`;
}

/** One of the two is readable on any colour. @param {Rgb} ground */
function onto(ground) {
  return contrast(ground, WHITE) >= READABLE ? WHITE : BLACK;
}

/** The colour, as far towards *end* as it takes. @param {Rgb} colour @param {Rgb} ground @param {Rgb} end */
function readable(colour, ground, end) {
  let mixed = colour;
  for (let part = STEP; contrast(mixed, ground) < READABLE; part += STEP)
    mixed = colour.map((value, at) => Math.round(value + (end[at] - value) * part));
  return mixed;
}

/** As WCAG defines it. @param {Rgb} one @param {Rgb} other */
function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {Rgb} rgb */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
