// The page that embeds us: orders come in, news go out, and nobody else is listened to.

/** @typedef {Record<string, (order: any) => unknown>} Orders */

export class Host {
  /** @param {string} origin the page's origin, which the server's frame-ancestors policy has checked */
  constructor(origin) {
    this.origin = origin || location.origin;
  }

  /** Do what is ordered, one after the other, because some orders take time. @param {Orders} orders */
  listen(orders) {
    let before = Promise.resolve();
    addEventListener("message", (event) => {
      if (event.source !== parent || event.origin !== this.origin) return;
      const order = event.data;
      if (order?.candor !== 1 || !Object.hasOwn(orders, order.do)) return;
      before = before.then(() => orders[order.do](order)).catch(() => this.tell("error", { code: "failed" }));
    });
  }

  /** @param {string} name @param {object} [detail] */
  tell(name, detail) {
    parent.postMessage({ candor: 1, tell: name, detail }, this.origin);
  }
}
