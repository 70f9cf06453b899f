// The page that embeds us: orders come in, news go out, and nobody else is listened to.

/** @typedef {Record<string, (order: any) => void>} Orders */

export class Host {
  /** @param {string} origin the page's origin, which the server's frame-ancestors policy has checked */
  constructor(origin) {
    this.origin = origin || location.origin;
  }

  /** @param {Orders} orders */
  listen(orders) {
    addEventListener("message", (event) => {
      if (event.source !== parent || event.origin !== this.origin) return;
      const order = event.data;
      if (order?.candor === 1 && Object.hasOwn(orders, order.do)) orders[order.do](order);
    });
  }

  /** @param {string} name @param {object} [detail] */
  tell(name, detail) {
    parent.postMessage({ candor: 1, tell: name, detail }, this.origin);
  }
}
