// Server-sent events of this server: each has a number, a name, and one line of JSON.

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
function read(line) {
  const event = JSON.parse(line);
  const value = event.value;
  if (typeof value === "number" || (typeof value === "object" && value !== null)) {
    event.value = JSON.parse(line, exact).value;
  }
  return event;
}

// One event: `id:`, `event:` and `data:` on a line each. Comments are heartbeats.
function parsed(block) {
  const record = { id: 0, name: "", line: "", event: null };
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) record.id = Number(line.slice(4));
    else if (line.startsWith("event: ")) record.name = line.slice(7);
    else if (line.startsWith("data: ")) record.line = line.slice(6);
  }
  if (record.line === "") return null;
  record.event = read(record.line);
  return record;
}

// An error response, with its message.
export class Refused extends Error {
  constructor(response, said) {
    super(said?.error?.message ?? `the server answered ${response.status}`);
    this.status = response.status;
    this.code = said?.error?.code ?? "";
  }
}

// The events of an address, in batches as they arrive. `init` is passed to `fetch`; `meet` receives
// the response before its events are read.
export async function* batches(url, init, meet = () => {}) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Refused(response, await response.json().catch(() => null));
  meet(response);
  // No content: every event is known already.
  if (response.status === 204) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pieces = [];
  let tail = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    // Searches only the seam and the new text, so that an event in many chunks is joined once.
    const isOpen = !(tail + value).includes("\n\n");
    pieces.push(value);
    tail = value.slice(-1);
    if (isOpen) continue;
    const blocks = pieces.join("").split("\n\n");
    pieces = [blocks.pop()];
    yield blocks.map(parsed).filter((record) => record !== null);
  }
}

// All events of an address.
export async function all(url, init) {
  const events = [];
  for await (const batch of batches(url, init)) events.push(...batch);
  return events;
}

// A path of this server's streams, with a query.
export function address(name, what, query) {
  const asked = new URLSearchParams(query).toString();
  return `/v1/streams/${encodeURIComponent(name)}/${what}${asked ? "?" + asked : ""}`;
}
