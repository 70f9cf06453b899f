// The socket: greets, resumes by cursor, notices a dead line, and comes back with jitter.
import { pause, retryDelay } from "./timing.js";

const BEAT_MS = 25000;
const ANSWER_MS = 10000;
// Browsers let the timers of hidden pages run once a minute.
const SLEPT_MS = 90000;
const TURNED_AWAY = 4401;
// Failed attempts after which plain requests carry the news, for networks without sockets.
const POLL_FROM = 2;

/**
 * @typedef {object} Listener
 * @property {() => object[]} greeting what is sent first: who we are, and what we have seen already
 * @property {(frame: any) => void} take
 * @property {(isOffline: boolean) => void} setOffline
 * @property {() => void} turnedAway the server no longer knows us
 * @property {() => Promise<void>} poll fetch the news with plain requests
 */

export class Line {
  /** @param {string} path @param {object} beat the sign of life, which the server answers @param {Listener} listener */
  constructor(path, beat, listener) {
    this.path = path;
    this.beat = beat;
    this.listener = listener;
    this.isWanted = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.heardAt = 0;
    addEventListener("offline", () => this.isWanted && listener.setOffline(true));
    for (const waking of ["online", "pageshow", "visibilitychange"]) addEventListener(waking, () => this.#beat());
    setInterval(() => this.#beat(), BEAT_MS);
  }

  open() {
    if (this.isWanted) return;
    this.isWanted = true;
    this.attempt = 0;
    this.#connect();
  }

  close() {
    this.isWanted = false;
    this.socket?.close();
    this.socket = null;
  }

  /** Send it now or never; what must arrive goes by request. @param {object} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  #connect() {
    const socket = new WebSocket(location.origin.replace(/^http/, "ws") + this.path);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      for (const frame of this.listener.greeting()) socket.send(JSON.stringify(frame));
    };
    socket.onmessage = (event) => this.#hear(socket, JSON.parse(event.data));
    socket.onclose = (event) => void this.#lose(socket, event.code);
  }

  /** @param {WebSocket} socket @param {any} frame */
  #hear(socket, frame) {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    this.attempt = 0;
    this.listener.setOffline(false);
    this.listener.take(frame);
  }

  /** @param {WebSocket} socket @param {number} code */
  async #lose(socket, code) {
    if (socket !== this.socket || !this.isWanted) return;
    if (code === TURNED_AWAY) {
      this.listener.turnedAway();
      return;
    }
    const attempt = this.attempt++;
    if (attempt > 0 || !navigator.onLine) this.listener.setOffline(true);
    if (attempt >= POLL_FROM) await this.#poll();
    await pause(retryDelay(attempt));
    if (socket === this.socket && this.isWanted) this.#connect();
  }

  async #poll() {
    try {
      await this.listener.poll();
      this.listener.setOffline(false);
    } catch {
      // still cut off; the next attempt comes
    }
  }

  /** A line that leaves a beat unanswered is dead, as is one that has heard nothing since the machine fell asleep. */
  #beat() {
    const { socket } = this;
    if (!socket || socket.readyState > WebSocket.OPEN) return;
    const askedAt = Date.now();
    if (askedAt - this.heardAt > SLEPT_MS) this.#renew(socket);
    else this.send(this.beat);
    setTimeout(() => this.heardAt < askedAt && this.#renew(socket), ANSWER_MS);
  }

  /** Waiting for a dead line to close takes long; what it still says is not listened to. @param {WebSocket} socket */
  #renew(socket) {
    if (socket !== this.socket) return;
    this.#connect();
    socket.close();
  }
}
