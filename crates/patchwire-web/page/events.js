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
  if (hasOtherNumbers(event.value, line)) event.value = JSON.parse(line, exact).value;
  return event;
}

// Whether a value has numbers that JavaScript would write in another way. Most events have none, and reading a line with a
// function for each value takes several times as long.
function hasOtherNumbers(value, line) {
  if (typeof value === "number") return !line.includes(`"value":${value},`) && !line.includes(`"value":${value}}`);
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
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

// Work that lets the page draw whenever it took a while. Without it, a batch that waits is taken before the page draws or a
// key counts, and a long text has many of them.
export class Pace {
  constructor() {
    this.begun = performance.now();
    this.since = this.begun;
  }

  // Ends at once, or when the page was drawn if that is due.
  async pause() {
    const now = performance.now();
    if (now - this.since < Math.min(Math.max((now - this.begun) / 20, LEAST), MOST)) return;
    await drawn();
    this.since = performance.now();
  }
}

// Batches, with pauses for the page.
export async function* paced(batches, pace = new Pace()) {
  for await (const batch of batches) {
    yield batch;
    await pace.pause();
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

// A path of the built-in streams, with a query.
export function address(name, what, query) {
  const asked = new URLSearchParams(query).toString();
  return `/v1/streams/${encodeURIComponent(name)}/${what}${asked ? "?" + asked : ""}`;
}
