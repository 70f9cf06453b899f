// A shorthand for building elements.

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties] properties, or attributes where the name has a dash or is `role`
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function build(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else Object.assign(element, { [name]: value });
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** A decorative icon. @param {string} path @returns {SVGElement} */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}
