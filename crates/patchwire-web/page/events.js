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
