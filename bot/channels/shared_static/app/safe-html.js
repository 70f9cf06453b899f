// Rebuilds HTML that the server has cleaned already, taking over only what is on these lists. Nothing is ever
// assigned as HTML to a page; the parser's own document loads nothing and runs nothing.

const TAGS = new Set(
  "P BR STRONG EM UL OL LI A CODE PRE BLOCKQUOTE HR TABLE THEAD TBODY TR TH TD".split(" "),
);
const SCHEMES = new Set(["http:", "https:", "mailto:"]);
// No other link without a host.
const ARTICLE_PAGE = /^\/articles\/[A-Za-z0-9][\w.:%-]*(#[^\s#]*)?$/;

/** @param {string} html @returns {DocumentFragment} */
export function safeFragment(html) {
  const fragment = document.createDocumentFragment();
  copyChildren(new DOMParser().parseFromString(html, "text/html").body, fragment);
  return fragment;
}

/** @param {string} title @param {string | null} url @returns {HTMLElement} a link, or plain text when it is not safe */
export function safeLink(title, url) {
  const link = url && isSafe(url) ? anchor(url) : document.createElement("span");
  link.textContent = title;
  return link;
}

/** @param {Node} from @param {Node} to */
function copyChildren(from, to) {
  for (const child of from.childNodes) {
    if (child instanceof Text) to.appendChild(new Text(child.data));
    else if (child instanceof HTMLElement) copyElement(child, to);
  }
}

/** @param {HTMLElement} element @param {Node} to */
function copyElement(element, to) {
  if (["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "IFRAME"].includes(element.tagName)) return;
  const copy = TAGS.has(element.tagName) ? copyOf(element) : null;
  copyChildren(element, copy ?? to);
  if (copy) to.appendChild(copy);
}

/** @param {HTMLElement} element */
function copyOf(element) {
  if (element instanceof HTMLAnchorElement) {
    const href = element.getAttribute("href") ?? "";
    return isSafe(href) ? anchor(href) : null;
  }
  const copy = document.createElement(element.tagName);
  if (element instanceof HTMLOListElement && element.start > 1)
    /** @type {HTMLOListElement} */ (copy).start = element.start;
  return copy;
}

/** @param {string} href */
function anchor(href) {
  const link = document.createElement("a");
  link.href = href;
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
  return link;
}

/** @param {string} href */
function isSafe(href) {
  if (ARTICLE_PAGE.test(href)) return true;
  try {
    return SCHEMES.has(new URL(href).protocol);
  } catch {
    return false;
  }
}
