// The loader: puts Candor's frame on the host page and talks to it. The page cannot read the conversation,
// and the frame cannot touch the page; they exchange the few messages below, checked by origin and source.
(() => {
  "use strict";
  const early = window.candor;
  // A second load is a no-op.
  if (early && early.loaded) return;

  const base = new URL(document.currentScript.src).origin;
  const settings = { ...window.candorSettings };
  const READY_MS = 15000;
  const EDGE = "20px";
  const FULL_SCREEN = window.matchMedia("(max-width: 480px)");
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  let isReady = false;
  let isOpen = false;
  let isLeaving = false;
  /** @type {[string, string] | null} the page's title with our count, and without */
  let titles = null;
  /** @type {object[]} */
  let waiting = [];
  /** @type {[string, ...unknown[]][]} calls for when the frame that leaves is gone */
  let later = [];

  /** @param {string} name @param {object} [detail] */
  const announce = (name, detail = {}) =>
    window.dispatchEvent(new CustomEvent(`candor:${name}`, { detail }));

  /** @param {object} order */
  const tell = (order) => {
    if (!frame) return;
    if (isReady) frame.contentWindow.postMessage({ candor: 1, ...order }, base);
    else waiting.push(order);
  };

  // Through the style object, because a page's policy may forbid style attributes.
  const lay = () => {
    if (!frame) return;
    const atSide = ["left", "right"].includes(settings.side) ? settings.side : "insetInlineEnd";
    const corner = { inset: "auto", bottom: EDGE, [atSide]: EDGE };
    const looks = !isOpen
      ? { ...corner, width: "60px", height: "60px", borderRadius: "30px" }
      : FULL_SCREEN.matches
        ? { inset: "0", width: "100%", height: "100%", borderRadius: "0" }
        : { ...corner, width: "380px", height: "min(600px, calc(100vh - 40px))", borderRadius: "16px" };
    Object.assign(frame.style, looks);
  };

  // Without our count; the page may have changed it meanwhile.
  const ownTitle = () => (titles && document.title === titles[0] ? titles[1] : document.title);

  // Without what follows the path, where sites put secrets.
  const page = () => ({ url: location.origin + location.pathname, title: ownTitle() });

  /** Only what can be sent; the frame checks it. @param {unknown} value */
  const plain = (value) => JSON.parse(JSON.stringify(value ?? null));

  const boot = (/** @type {{locale?: string, identity?: string}} */ options = {}) => {
    if (frame) return;
    const wanted = plain({ locale: document.documentElement.lang, ...settings, ...options });
    frame = document.createElement("iframe");
    frame.title = "Chat";
    frame.src = `${base}/widget/frame#${encodeURIComponent(location.origin)}`;
    Object.assign(frame.style, {
      position: "fixed",
      border: "0",
      zIndex: "2147483000",
      colorScheme: "light dark",
      // Until it has something to show: a frame that the server or a policy refuses is never seen.
      visibility: "hidden",
      boxShadow: "0 8px 32px rgba(10, 20, 40, .28)",
    });
    isOpen = false;
    lay();
    document.body.append(frame);
    tell({ ...wanted, do: "boot", page: page() });
    const booted = frame;
    setTimeout(() => frame === booted && !isReady && announce("error", { code: "not_loaded" }), READY_MS);
  };

  const count = (/** @type {number} */ unread) => {
    if (document.title !== ownTitle()) document.title = ownTitle();
    if (!unread || settings.unreadTitle === false) return;
    titles = [`(${unread}) ${document.title}`, document.title];
    document.title = titles[0];
  };

  const remove = () => {
    count(0);
    frame?.remove();
    frame = null;
    isReady = isOpen = isLeaving = false;
    waiting = [];
  };

  const orders = {
    boot,
    open: () => (boot(), tell({ do: "open" })),
    close: () => tell({ do: "close" }),
    ask: (/** @type {string} */ text) => (boot(), tell({ do: "ask", text: String(text) })),
    identify(/** @type {string} */ identity) {
      settings.identity = String(identity);
      tell({ do: "identify", identity: settings.identity });
    },
    locale(/** @type {string} */ locale) {
      settings.locale = String(locale);
      tell({ do: "locale", locale: settings.locale });
    },
    // The frame forgets the conversation, then says that it is gone; only it can, so it is loaded for that if need be.
    shutdown() {
      delete settings.identity;
      boot();
      frame.style.visibility = "hidden";
      tell({ do: "shutdown" });
      isLeaving = true;
    },
  };

  const news = {
    ready() {
      isReady = true;
      for (const order of waiting.splice(0)) tell(order);
      announce("ready");
    },
    named(/** @type {{title: string}} */ { title }) {
      frame.title = title;
      if (!isLeaving) frame.style.visibility = "visible";
    },
    unread(/** @type {{count: number}} */ detail) {
      count(detail.count);
      announce("unread", detail);
    },
    opened() {
      isOpen = true;
      lay();
      tell({ do: "page", page: page() });
      announce("opened");
    },
    closed() {
      isOpen = false;
      lay();
      announce("closed");
    },
    gone() {
      remove();
      for (const call of later.splice(0)) candor(...call);
    },
    message: (/** @type {object} */ detail) => announce("message", detail),
    handoff: (/** @type {object} */ detail) => announce("handoff", detail),
    error: (/** @type {object} */ detail) => announce("error", detail),
  };

  window.addEventListener("message", (event) => {
    if (!frame || event.source !== frame.contentWindow || event.origin !== base) return;
    const { candor, tell: name, detail } = event.data || {};
    if (candor === 1 && Object.hasOwn(news, name)) news[name](detail);
  });
  FULL_SCREEN.addEventListener("change", lay);

  const candor = (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) => {
    if (isLeaving) later.push([name, ...rest]);
    else if (Object.hasOwn(orders, name)) orders[name](...rest);
    else announce("error", { code: "unknown_command" });
  };
  candor.loaded = true;
  window.candor = candor;

  const start = () => {
    if (settings.boot !== false) boot();
    for (const call of (early && early.q) || []) candor(...call);
  };
  if (document.body) start();
  else addEventListener("DOMContentLoaded", start);
})();
