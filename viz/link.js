/**
 * The connection to the session: one WebSocket, opened again with growing pauses when it breaks.  The server
 * begins every connection with a whole `hello`, so a page that slept has caught up with the first message.
 */

const FIRST_PAUSE = 250; // milliseconds
const LONGEST_PAUSE = 8000;
const SESSION_OVER = 1001; // how the server closes when the session ends for good

export class Link {
  /**
   * @param {string} address  ws://...
   * @param {(message: any) => void} onMessage
   * @param {(state: "waiting" | "open" | "lost" | "over") => void} onState
   */
  constructor(address, onMessage, onState) {
    this.address = address;
    this.onMessage = onMessage;
    this.onState = onState;
    this.pause = FIRST_PAUSE;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.finished = false;
    const hurry = () => this.hurry();
    window.addEventListener("online", hurry);
    window.addEventListener("pageshow", hurry);
    document.addEventListener("visibilitychange", hurry);
    this.open();
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.kind === "hello") {
        this.pause = FIRST_PAUSE;
        this.onState("open");
      }
      this.onMessage(message);
    });
    socket.addEventListener("close", (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.finished = event.code === SESSION_OVER;
      this.onState(this.finished ? "over" : "lost");
      if (!this.finished) this.later();
    });
  }

  /** Try again after the pause, and wait twice as long the next time. */
  later() {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  /** The page is looked at again, or the network is back: do not sit out the pause. */
  hurry() {
    if (this.socket !== null || this.finished || document.hidden) return;
    window.clearTimeout(this.timer);
    this.pause = FIRST_PAUSE;
    this.open();
  }

  /**
   * @param {object} message
   * @returns {boolean} whether it went out
   */
  send(message) {
    if (this.socket === null || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
