// The socket: authenticates in its first frame, resumes by cursor, notices a dead line, and comes back with jitter.
import { pause, retryDelay } from "./timing.js";

const PING_MS = 25000;
const DEAD_MS = 60000;
const TOKEN_LOST = 4401;
const POLL_FROM = 2; // failed attempts after which plain requests carry the news, for networks without sockets

export class Line {
  /** @param {import("./client.js").Client} client */
  constructor(client) {
    this.client = client;
    this.isWanted = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempt = 0;
    this.heardAt = 0;
    addEventListener("offline", () => this.isWanted && client.setOffline(true));
    addEventListener("visibilitychange", () => this.#beat());
    setInterval(() => this.#beat(), PING_MS);
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

  #connect() {
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/widget/v1/socket`);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      const { token, transcript } = this.client;
      socket.send(JSON.stringify({ type: "auth", token, after: transcript.after }));
    };
    socket.onmessage = (event) => this.#hear(socket, JSON.parse(event.data));
    socket.onclose = (event) => void this.#lose(socket, event.code);
  }

  /** @param {WebSocket} socket @param {any} frame */
  #hear(socket, frame) {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    this.attempt = 0;
    this.client.setOffline(false);
    if (frame.type !== "pong") this.client.take(frame);
  }

  /** @param {WebSocket} socket @param {number} code */
  async #lose(socket, code) {
    if (socket !== this.socket || !this.isWanted) return;
    if (code === TOKEN_LOST) {
      this.client.loseToken();
      return;
    }
    const attempt = this.attempt++;
    if (attempt > 0 || !navigator.onLine) this.client.setOffline(true);
    if (attempt >= POLL_FROM) await this.#poll();
    await pause(retryDelay(attempt));
    if (socket === this.socket && this.isWanted) this.#connect();
  }

  async #poll() {
    try {
      await this.client.poll();
      this.client.setOffline(false);
    } catch {
      // still cut off; the next attempt comes
    }
  }

  #beat() {
    const { socket } = this;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heardAt > DEAD_MS) socket.close();
    else socket.send('{"type":"ping"}');
  }
}
