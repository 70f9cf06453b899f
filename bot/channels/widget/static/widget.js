// The loader: puts Candor's frame on the host page and talks to it. The page cannot read the conversation,
// and the frame cannot touch the page; they exchange the few messages below, checked by origin and source.
(() => {
  "use strict";
  const early = window.candor;
  if (early && early.loaded) return; // a second load is a no-op

  const base = new URL(document.currentScript.src).origin;
  const settings = window.candorSettings || {};
  const READY_MS = 15000;
  const FULL_SCREEN = window.matchMedia("(max-width: 480px)");
  /** @type {HTMLIFrameElement | null} */
  let frame = null;
  let isReady = false;
  let isOpen = false;
  /** @type {object[]} */
  let waiting = [];

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
    const edge = "20px";
    const looks = !isOpen
      ? { inset: `auto ${edge} ${edge} auto`, width: "60px", height: "60px", borderRadius: "30px" }
      : FULL_SCREEN.matches
        ? { inset: "0", width: "100%", height: "100%", borderRadius: "0" }
        : {
            inset: `auto ${edge} ${edge} auto`,
            width: "380px",
            height: "min(600px, calc(100vh - 40px))",
            borderRadius: "16px",
          };
    Object.assign(frame.style, looks);
  };

  const boot = (/** @type {{locale?: string}} */ options = {}) => {
    if (frame) return;
    frame = document.createElement("iframe");
    frame.title = "Chat with our help assistant";
    frame.src = `${base}/widget/frame#${encodeURIComponent(location.origin)}`;
    Object.assign(frame.style, {
      position: "fixed",
      border: "0",
      zIndex: "2147483000",
      colorScheme: "light dark",
      boxShadow: "0 8px 32px rgba(10, 20, 40, .28)",
    });
    isOpen = false;
    lay();
    document.body.append(frame);
    tell({ do: "boot", locale: options.locale || settings.locale || document.documentElement.lang });
    const booted = frame;
    setTimeout(() => frame === booted && !isReady && announce("error", { code: "not_loaded" }), READY_MS);
  };

  const remove = () => {
    frame?.remove();
    frame = null;
    isReady = isOpen = false;
    waiting = [];
  };

  const orders = {
    boot,
    open: () => (boot(), tell({ do: "open" })),
    close: () => tell({ do: "close" }),
    ask: (/** @type {string} */ text) => (boot(), tell({ do: "ask", text: String(text) })),
    locale: (/** @type {string} */ locale) => tell({ do: "locale", locale: String(locale) }),
    shutdown: () => tell({ do: "shutdown" }), // the frame forgets the conversation, then says that it is gone
  };

  const news = {
    ready() {
      isReady = true;
      for (const order of waiting.splice(0)) tell(order);
      announce("ready");
    },
    opened() {
      isOpen = true;
      lay();
      announce("opened");
    },
    closed() {
      isOpen = false;
      lay();
      announce("closed");
    },
    gone: remove,
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
    if (Object.hasOwn(orders, name)) orders[name](...rest);
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
