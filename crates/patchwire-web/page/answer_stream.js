// A question to the model behind the gateway: its events, through lost connections, until it is answered.

import { Refused, batches } from "./events.js";

// Milliseconds before each try to come back. The server keeps an answer for half a minute.
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
  // `body` is a chat request; `onLost` is told when the connection is, and `onBack` when it is there again.
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

  // All events, as many at a time as came at once. An answer that was told for good ends them.
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
        // Without a name there is nothing to come back to.
        if (this.name === null) throw new Error("this page's server cannot be reached; is it still running?");
      }
      if (this.isOver || this.isStopped) return;
      // Whoever got further may try as often again.
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
    // It had everything.
    if (response.status === 204) this.isOver = true;
  }

  get address() {
    return `/v1/fields/${encodeURIComponent(this.name)}`;
  }

  // Gives it up: a connection that is only closed would be waited for.
  stop() {
    if (this.isStopped) return;
    this.controller.abort();
    if (this.name === null || this.isOver) return;
    fetch(this.address, { method: "DELETE", keepalive: true }).catch(() => {});
  }
}
