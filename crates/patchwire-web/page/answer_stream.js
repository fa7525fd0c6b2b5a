// An answer of the model behind the gateway: its events, also across lost connections.

import { Refused } from "./connect.js";
import { batches } from "./events.js";

// Milliseconds before each attempt to reconnect. The server keeps a stream for half a minute.
const WAITS = [250, 1000, 3000, 6000, 10000];

const pause = (time, signal) =>
  new Promise((done, gone) => {
    const timer = setTimeout(done, time);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      gone(signal.reason);
    });
  });

export class AnswerStream {
  // `body` is a chat request. `onLost` is called when the connection is lost, and `onBack` when it
  // is back.
  constructor(body, { onLost, onBack }) {
    this.body = body;
    this.onLost = onLost;
    this.onBack = onBack;
    this.controller = new AbortController();
    this.name = null;
    this.last = 0;
    this.isOver = false;
  }

  get isStopped() {
    return this.controller.signal.aborted;
  }

  // All events, in batches as they arrive. The last event of the answer ends them.
  async *batches() {
    const { signal } = this.controller;
    const headers = { "Content-Type": "application/json" };
    let request = ["/v1/fields", { method: "POST", headers, body: JSON.stringify(this.body), signal }];
    for (let tries = 0; ; tries += 1) {
      const met = this.last;
      try {
        for await (const batch of batches(...request, (response) => this.meet(response))) {
          this.last = batch.at(-1)?.id ?? this.last;
          this.isOver ||= batch.some(({ name }) => name === "final" || name === "error");
          yield batch;
        }
        if (this.isOver) return;
      } catch (error) {
        if (this.isStopped || error instanceof Refused) throw error;
        // Without a name, the stream cannot be resumed.
        if (this.name === null) throw new Error("this page's server cannot be reached; is it still running?");
      }
      if (this.isOver || this.isStopped) return;
      // Progress resets the number of attempts.
      if (this.last > met) tries = 0;
      if (tries >= WAITS.length) throw new Error("the connection was lost, and cannot be made again");
      this.onLost();
      await pause(WAITS[tries], signal);
      request = [this.address, { headers: { "Last-Event-ID": String(this.last) }, signal }];
    }
  }

  meet(response) {
    if (this.name !== null) this.onBack();
    this.name ??= response.headers.get("Patchwire-Stream");
    // Status 204: every event arrived before.
    if (response.status === 204) this.isOver = true;
  }

  get address() {
    return `/v1/fields/${encodeURIComponent(this.name)}`;
  }

  // Cancels the request. The server would keep a stream whose connection is only closed.
  stop() {
    if (this.isStopped) return;
    this.controller.abort();
    if (this.name === null || this.isOver) return;
    fetch(this.address, { method: "DELETE", keepalive: true }).catch(() => {});
  }
}
