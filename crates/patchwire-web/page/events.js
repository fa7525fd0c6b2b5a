// Events: each has a number, a name, and one line of JSON.

import { recordsOf } from "./connect.js";

// A number with its source text, so that 1.10 stays 1.10 in browsers that report the source.
class Exact {
  constructor(source) {
    this.source = source;
  }
}

const exact = (_key, value, context) =>
  typeof value === "number" && context?.source !== undefined ? new Exact(context.source) : value;

// The text of a number in either form.
export const numeral = (value) => (value instanceof Exact ? value.source : String(value));

export const isNumber = (value) => typeof value === "number" || value instanceof Exact;

// Numbers inside values keep their source text; others are plain numbers.
export function read(line) {
  const event = JSON.parse(line);
  const value = event.value;
  if (typeof value === "number" || (typeof value === "object" && value !== null)) {
    event.value = JSON.parse(line, exact).value;
  }
  return event;
}

// The events of an address, in batches as they arrive. `init` is a body and a signal; `meet` receives
// the response of a server before its events are read.
export async function* batches(url, init, meet = () => {}) {
  for await (const records of recordsOf(url, init, meet)) {
    for (const record of records) record.event = read(record.line);
    yield records;
  }
}

// Milliseconds of work between two frames: few while the first fields are awaited, then more, because a frame may take
// longer than the work. A key waits no longer than that.
const LEAST = 8;
const MOST = 50;

// Batches, with a frame drawn whenever they took a while. Without it, a batch that waits is taken before the page draws or
// a key counts, and a long text has many of them.
export async function* paced(batches) {
  const begun = performance.now();
  let since = begun;
  for await (const batch of batches) {
    yield batch;
    const now = performance.now();
    if (now - since < Math.min(Math.max((now - begun) / 20, LEAST), MOST)) continue;
    await drawn();
    since = performance.now();
  }
}

// Ends when the page was drawn. A page that nobody sees is not.
function drawn() {
  return new Promise((done) => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(done);
    });
  });
}

// All events of an address.
export async function all(url, init) {
  const events = [];
  for await (const batch of batches(url, init)) events.push(...batch);
  return events;
}

// A path of the built-in streams, with a query.
export function address(name, what, query) {
  const asked = new URLSearchParams(query).toString();
  return `/v1/streams/${encodeURIComponent(name)}/${what}${asked ? "?" + asked : ""}`;
}
