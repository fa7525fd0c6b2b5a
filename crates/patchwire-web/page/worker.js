// Answers the requests of a page that has no server: the same addresses, the same events.

import { Spec, names, pieceOf, ready } from "./patchwire/browser.js";
import { engine, guarded } from "./patchwire/engine.js";
import { chunksOfBody } from "./patchwire/items.js";

// Bytes per second at speed 1: forty tokens.
const RATE = 160;
// Records of one message, which the page takes without a pause, and milliseconds before others get a turn.
const MOST = 200;
const TURN = 8;
// Bytes up to which every cut is tried; of a longer text a sample, which reads at most so many bytes: some seconds.
const EVERY = 20_000;
const SAMPLE = 2000;
const MOST_READ = 200_000_000;
// Milliseconds of trying cuts before others get a turn, and between two reports of how far it is.
const SLICE = 50;
const REPORT = 200;

const running = new Map();
let samples = [];

self.addEventListener("message", async ({ data: { id, url, body, stop } }) => {
  if (stop) return running.get(id)?.abort();
  const control = new AbortController();
  running.set(id, control);
  const post = (message) => {
    if (!control.signal.aborted) self.postMessage({ id, ...message });
  };
  try {
    await begun;
    await answer(new URL(url, "http://page/"), body, post, control.signal);
    post({ end: true });
  } catch (error) {
    post({ error: { message: error.message, code: error.code ?? "" } });
  } finally {
    running.delete(id);
  }
});

const begun = (async () => {
  await ready();
  const own = engine();
  own.exports.samples();
  samples = JSON.parse(own.text());
})();

// What each address answers.
async function answer({ pathname, searchParams }, body, post, signal) {
  const [, , first, name, what] = pathname.split("/").map(decodeURIComponent);
  switch (first) {
    case "streams":
      return name === undefined ? post({ value: { streams: samples.map(about) } }) : stream(find(name), what, searchParams, post, signal);
    case "upstream": {
      const { formats, tags } = names();
      return post({ value: { upstream: null, formats, tags } });
    }
    case "cut":
      return play(new Spec(body.patchwire ?? {}), bytesOf(body.text), body, post, signal);
    case "prompt": {
      const spec = new Spec(body.patchwire ?? {});
      return post({ value: { prompt: spec.prompt, schema: spec.jsonSchema ?? null } });
    }
    case "check":
      return tryCuts(new Spec(body.patchwire ?? {}), bytesOf(body.text), post, signal);
    case "readings":
      return post({ value: readings(new Spec(body.patchwire ?? {}), body.text) });
    case "extract":
      return post({ value: extract(body.text) });
    default:
      throw new Error(`this page has no ${pathname}`);
  }
}

const bytesOf = (text) => new TextEncoder().encode(text);

const about = ({ name, about, text, hostile, options }) => ({ name, about, hostile, format: options.format, bytes: bytesOf(text).length, options });

function find(name) {
  const sample = samples.find((one) => one.name === name);
  if (!sample) throw new Error(`no stream is called ${name}`);
  return sample;
}

function stream({ text, options }, what, asked, post, signal) {
  if (what === "text") return post({ value: bytesOf(text) });
  const cut = asked.get("cut");
  const settings = {
    chunk: asked.get("chunk") ?? undefined,
    cut: cut === null ? undefined : cut.split(",").map(Number),
    speed: Number(asked.get("speed") ?? 1),
    chunks: asked.get("chunks") === "true",
  };
  return play(new Spec(options), bytesOf(text), settings, post, signal);
}

// Where the chunks of a text end.
function ends(bytes, { chunk, cut }) {
  if (cut && cut.length > 0) return [...cut, bytes.length];
  if (chunk === "tokens") {
    const own = engine();
    const length = own.writeBytes(bytes);
    guarded(own, () => own.exports.token_ends(length));
    own.refresh();
    const first = own.words[own.place] >>> 2;
    return [...own.words.subarray(first, first + own.words[own.place + 1])];
  }
  const size = chunk === undefined || chunk === "all" ? Math.max(bytes.length, 1) : Number(chunk);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => Math.min((at + 1) * size, bytes.length));
}

// Plays a text: its events, each when it is due.
async function play(spec, bytes, settings, post, signal) {
  const own = engine();
  const parser = own.exports.parser(spec.in(own));
  const out = new Batches(post);
  const begun = performance.now();
  try {
    let from = 0;
    for (const to of ends(bytes, settings)) {
      const due = settings.speed > 0 ? begun + (to / RATE / settings.speed) * 1000 : 0;
      await out.turn(due);
      if (signal.aborted) return;
      if (settings.chunks) out.add("chunk", JSON.stringify({ event: "chunk", span: [from, to] }));
      guarded(own, () => own.exports.feed_lines(parser, own.writeBytes(bytes.subarray(from, to))));
      if (out.addLines(own.text())) return;
      from = to;
    }
    await out.turn(0);
    guarded(own, () => own.exports.finish_lines(parser));
    out.addLines(own.text());
  } finally {
    out.flush();
    own.exports.free_parser(parser);
  }
}

// Records on their way to the page.
class Batches {
  constructor(post) {
    this.post = post;
    this.records = [];
    this.id = 0;
    this.since = performance.now();
  }

  add(name, line) {
    this.id += 1;
    this.records.push({ id: this.id, name, line });
    if (this.records.length >= MOST) this.flush();
  }

  // Whether one of the lines is the error that stopped the stream.
  addLines(text) {
    let name = "";
    for (const line of text.split("\n")) {
      if (line === "") continue;
      name = line.slice(10, line.indexOf('"', 10));
      this.add(name, line);
    }
    return name === "error";
  }

  flush() {
    if (this.records.length > 0) this.post({ records: this.records });
    this.records = [];
  }

  // Waits until a time, and lets messages in between.
  async turn(due) {
    const now = performance.now();
    if (due > now) {
      this.flush();
      await new Promise((done) => setTimeout(done, due - now));
      this.since = performance.now();
    } else if (now - this.since > TURN) {
      this.flush();
      await others();
      this.since = performance.now();
    }
  }
}

// Lets the messages that wait be taken.
const others = () => new Promise((done) => setTimeout(done));

// Reads a text in two pieces, cut at each place, and says how far it is. Others get a turn between slices, so that a newer
// request need not wait, and a stop is heard.
async function tryCuts(spec, bytes, post, signal) {
  const cuts = Math.max(bytes.length - 1, 0);
  // Each cut reads the whole text and both pieces.
  const isSample = bytes.length > EVERY;
  const most = isSample ? Math.max(10, Math.min(SAMPLE, Math.floor(MOST_READ / 2 / bytes.length))) : cuts;
  const slices = new Slices();
  let reported = performance.now();
  for (let tried = 0; tried < most; ) {
    // The cuts of a sample do not follow one another.
    const from = 1 + (isSample ? Math.floor((tried * cuts) / most) : tried);
    const size = isSample ? 1 : Math.min(slices.size, most - tried);
    const difference = slices.take(() => firstDifference(spec, bytes, from, from + size));
    if (difference !== 0) return post({ value: { tried, cuts, difference } });
    tried += size;
    if (performance.now() - reported > REPORT) {
      post({ value: { tried, cuts, most } });
      reported = performance.now();
    }
    await slices.pause();
    if (signal.aborted) return;
  }
  post({ value: { tried: most, cuts, most, isOver: true } });
}

// The first cut from one place to before another that changes the events; 0 if none does.
function firstDifference(spec, bytes, from, to) {
  const own = engine();
  return guarded(own, () => own.exports.first_difference(spec.in(own), own.writeBytes(bytes), from, to));
}

// Slices of work, as many cuts as fit into their time.
class Slices {
  constructor() {
    this.size = 1;
    this.since = performance.now();
  }

  take(work) {
    const begun = performance.now();
    const result = work();
    if (performance.now() - begun < SLICE / 2) this.size *= 2;
    return result;
  }

  async pause() {
    if (performance.now() - this.since < SLICE) return;
    await others();
    this.since = performance.now();
  }
}

function readings(spec, text) {
  const own = engine();
  const number = spec.in(own);
  guarded(own, () => own.exports.readings(number, own.write(text)));
  return JSON.parse(own.text());
}

// The text in a recorded body of a provider; null if it is none.
function extract(text) {
  const parts = { text: "", reasoning: "" };
  try {
    for (const chunk of chunksOfLines(text) ?? chunksOfBody(JSON.parse(text)) ?? []) {
      const piece = pieceOf(chunk);
      if ((piece.text || piece.reasoning) && !isOfProvider(chunk)) return null;
      parts.text += piece.text ?? "";
      parts.reasoning += piece.reasoning ?? "";
    }
  } catch {
    return null;
  }
  return parts.text + parts.reasoning === "" ? null : parts;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const areObjects = (list) => Array.isArray(list) && list.length > 0 && list.every(isObject);
const hasAny = (object, ...names) => isObject(object) && names.some((name) => name in object);

// The types of chunks: of OpenAI's responses, of Anthropic's messages, of the package `ai`, and of AG-UI.
const TYPES = /^(?:response\.[a-z_.]+|(?:message|content_block)_[a-z]+|(?:text|reasoning)(?:-delta)?|(?:TEXT_|REASONING_|THINKING_TEXT_)MESSAGE_[A-Z]+)$/u;

// Whether what has a text is of a provider. One of its names alone is in the data of others too: a question has choices, and
// an article a content.
function isOfProvider(chunk) {
  const { choices, candidates, content, type } = chunk;
  if (Array.isArray(choices)) return isChoice(choices[0]);
  if (Array.isArray(candidates)) return areObjects(candidates[0]?.content?.parts);
  if (Array.isArray(content)) return typeof chunk.role === "string" && areObjects(content) && content.every((block) => typeof block.type === "string");
  if (typeof type === "string") return TYPES.test(type) && hasAny(chunk, "delta", "id", "index", "messageId", "textDelta");
  return typeof chunk.model === "string" && typeof chunk.done === "boolean";
}

// A choice of OpenAI's; older ones have a text in place of a message.
function isChoice(choice) {
  if (!isObject(choice)) return false;
  const said = choice.delta ?? choice.message;
  if (said === undefined) return typeof choice.text === "string" && hasAny(choice, "index", "finish_reason", "logprobs");
  return hasAny(said, "content", "reasoning", "reasoning_content");
}

// The chunks of a body that has one on each line; null if a line begins an object that goes on.
function chunksOfLines(text) {
  const lines = text.split(/\r\n|\n|\r/u).map((line) => line.replace(/^data: ?/u, "")).filter((line) => line.startsWith("{"));
  try {
    return lines.length === 0 ? null : lines.map((line) => JSON.parse(line));
  } catch {
    return null;
  }
}
