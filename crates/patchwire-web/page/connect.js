// Where requests go: to the server of this page. A page without a server has a worker that answers them.

const answersItself = globalThis.document?.querySelector('meta[name="patchwire-engine"]') != null;

// Whether the page reads texts itself, without a server.
export const isLocal = answersItself;

// A policy that allows the scripts of this page alone to be workers.
const policy = answersItself && globalThis.trustedTypes?.createPolicy("patchwire", {
  createScriptURL: (name) => {
    if (name === "worker.js" || name === "offline.js") return name;
    throw new TypeError(`${name} is no worker of this page`);
  },
});
export const scriptAddress = (name) => (policy ? policy.createScriptURL(name) : name);

class Local {
  constructor() {
    this.worker = new Worker(scriptAddress("worker.js"), { type: "module" });
    this.last = 0;
    this.waiting = new Map();
    this.worker.addEventListener("message", ({ data }) => this.waiting.get(data.id)?.(data));
    this.worker.addEventListener("error", (event) => {
      const message = event.message || "the engine cannot be loaded";
      for (const take of this.waiting.values()) take({ error: { message } });
    });
  }

  // The messages that answer a request, until its end.
  async *answer(url, { body, signal } = {}) {
    const id = (this.last += 1);
    const messages = [];
    let wake = () => {};
    this.waiting.set(id, (message) => {
      messages.push(message);
      wake();
    });
    const stop = () => {
      this.worker.postMessage({ id, stop: true });
      messages.push({ error: signal.reason });
      wake();
    };
    signal?.addEventListener("abort", stop);
    this.worker.postMessage({ id, url, body: body === undefined ? undefined : JSON.parse(body) });
    try {
      for (;;) {
        while (messages.length > 0) {
          const message = messages.shift();
          if (message.error) throw message.error instanceof Error ? message.error : refusal(message.error);
          if (message.end) return;
          yield message;
        }
        await new Promise((done) => (wake = done));
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      this.waiting.delete(id);
    }
  }
}

const local = answersItself ? new Local() : null;

// A response that is an error, with its message.
export class Refused extends Error {
  constructor(status, said) {
    super(said?.error?.message ?? `the server answered ${status}`);
    this.status = status;
    this.code = said?.error?.code ?? "";
  }
}

const refusal = (error) => new Refused(400, { error });

// The JSON, or with `bytes` the bytes, at an address.
export async function get(url, init, kind = "json") {
  if (local) {
    for await (const message of local.answer(url, init)) return message.value;
  }
  const response = await fetch(url, init);
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => null));
  return kind === "json" ? response.json() : new Uint8Array(await response.arrayBuffer());
}

// The values that the engine in the page answers one after another.
export async function* valuesOf(url, init) {
  for await (const { value } of local.answer(url, init)) yield value;
}

// Records of events in batches: the number, name and line of each. `meet` receives a response before its events.
export async function* recordsOf(url, init, meet) {
  if (local) {
    for await (const { records } of local.answer(url, init)) yield records;
    return;
  }
  const response = await fetch(url, init);
  if (!response.ok) throw new Refused(response.status, await response.json().catch(() => null));
  meet(response);
  // No content: every event is known already.
  if (response.status !== 204) yield* blocksOf(response);
}

async function* blocksOf(response) {
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
    yield blocks.map(parsed).filter(({ line }) => line !== "");
  }
}

// One event: `id:`, `event:` and `data:` on a line each. Comments are heartbeats.
function parsed(block) {
  const record = { id: 0, name: "", line: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("id: ")) record.id = Number(line.slice(4));
    else if (line.startsWith("event: ")) record.name = line.slice(7);
    else if (line.startsWith("data: ")) record.line = line.slice(6);
  }
  return record;
}
