// Cut it anywhere: the server reads the text in two chunks, and the page compares the events.

import { isLocal, valuesOf } from "./connect.js";
import { Pace, batches, paced } from "./events.js";
import { count } from "./fields.js";
import { Fold, pretty } from "./fold.js";

// Up to this many bytes, every cut can be tried; an engine in the page tries more.
const SMALL = isLocal ? 20_000 : 4096;
// Bytes of the text that are shown on each side of the cut.
const AROUND = 90;
// Characters of a value that are shown.
const SHOWN = 1500;

// The text that a delta belongs to. Deltas of one text are joined before events are compared.
function growing(event) {
  if (event.delta === undefined) return null;
  const { event: name, kind, pointer, channel, element, root, attempt, call } = event;
  return JSON.stringify([name, kind, pointer, channel, element, root, attempt, call]);
}

// Events with neighbouring deltas joined, one string each.
class Joined {
  constructor() {
    this.events = [];
    this.last = null;
  }

  add({ event, line }) {
    const key = growing(event);
    if (key !== null && key === this.last?.key) {
      this.last.delta.push(event.delta);
      this.last.end = event.span[1];
      return;
    }
    this.close();
    if (key !== null) this.last = { key, delta: [event.delta], start: event.span[0], end: event.span[1] };
    else this.events.push(line);
  }

  close() {
    const { last } = this;
    if (last) this.events.push(`${last.key} ${JSON.stringify(last.delta.join(""))} ${last.start}-${last.end}`);
    this.last = null;
  }
}

// The result of reading the stream, with pauses for the page.
async function reading([url, init], signal) {
  const pace = new Pace();
  const [fold, joined] = [new Fold(), new Joined()];
  let count = 0;
  for await (const batch of paced(batches(url, { ...init, signal }), pace)) {
    for (const record of batch) {
      fold.apply(record.event);
      joined.add(record);
    }
    count += batch.length;
  }
  joined.close();
  // The final event holds the value of the parser.
  return { count, events: joined.events, isFinal: await fold.isFinal(pace), root: fold.root };
}

const isSame = (one, other) =>
  one.isFinal === other.isFinal &&
  one.events.length === other.events.length &&
  one.events.every((event, at) => event === other.events[at]);

// Bytes as text; invalid bytes are shown as numbers.
function words(bytes) {
  const text = new TextDecoder("utf-8").decode(bytes);
  const parts = [];
  let at = 0;
  for (const letter of text) {
    const length = letter === "\ufffd" ? 1 : new TextEncoder().encode(letter).length;
    parts.push(letter === "\ufffd" ? `‹${bytes[at].toString(16).padStart(2, "0")}›` : letter);
    at += length;
  }
  return parts.join("").replaceAll("\n", "↵");
}

export class Cut {
  constructor(page) {
    this.page = page;
    // Where the next stream is cut, if not where it usually is, and whether somebody moved the cut.
    this.wanted = null;
    this.isMoved = false;
    this.onMove = () => {};
    page.slider.addEventListener("input", () => {
      this.isMoved = true;
      this.wish();
      this.onMove();
    });
    page.every.addEventListener("click", () => (this.trying ? this.halt() : this.everyCut()));
  }

  // Sets another stream, unless it is the same. Its bytes are known; `request` makes the request
  // for its events in one chunk, or with a cut. `reading` is its text and how it is read, if the page knows.
  choose(key, bytes, request, reading = null) {
    if (this.key === key) return;
    this.stop();
    this.key = key;
    this.bytes = bytes;
    this.request = request;
    this.reading = reading;
    this.whole = null;
    const { panel, slider, every, whole, cut } = this.page;
    panel.hidden = false;
    slider.max = bytes.length;
    slider.value = this.wanted ?? Math.round(bytes.length * 0.4);
    this.isMoved = this.wanted !== null;
    this.wanted = null;
    const isSmall = bytes.length <= SMALL;
    every.hidden = bytes.length < 2 || !(isSmall || (isLocal && reading));
    this.offer = isSmall ? `Try all ${count(bytes.length - 1)} cuts` : "Try a sample of all cuts";
    every.textContent = this.offer;
    whole.textContent = cut.textContent = "";
    this.wish();
  }

  // What a link says of it.
  get state() {
    return this.isMoved ? { cut: Number(this.page.slider.value) } : {};
  }

  // Nothing can be cut yet.
  clear() {
    this.stop();
    this.key = null;
    this.page.panel.hidden = true;
  }

  // Ends the running task and cancels the scheduled one, which would end a task that the user starts in the meantime.
  stop() {
    clearTimeout(this.soon);
    this.running?.abort();
    this.running = new AbortController();
    return this.running.signal;
  }

  wish() {
    const at = Number(this.page.slider.value);
    this.show(at);
    // A slider reports more positions than the server can be asked for.
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.attempt((signal) => this.compare(at, signal)), 60);
  }

  show(at) {
    const { place, before, after } = this.page;
    place.textContent = `byte ${count(at)} of ${count(this.bytes.length)}`;
    before.textContent = words(this.bytes.slice(Math.max(0, at - AROUND), at));
    after.textContent = words(this.bytes.slice(at, at + AROUND));
  }

  // Runs a task, unless another one starts first.
  async attempt(what) {
    const signal = this.stop();
    try {
      await what(signal);
    } catch (error) {
      if (!signal.aborted) this.say("failed", `This could not be compared: ${error.message}`);
    }
  }

  async compare(at, signal) {
    this.whole ??= await reading(this.request({ chunk: "all" }), signal);
    const cut = await reading(this.request({ cut: at }), signal);
    this.page.whole.textContent = pretty(this.whole.root, SHOWN);
    this.page.cut.textContent = pretty(cut.root, SHOWN);
    this.page.wholeTally.textContent = `${count(this.whole.count)} events`;
    this.page.cutTally.textContent = `${count(cut.count)} events`;
    if (isSame(this.whole, cut)) {
      const joins = cut.count === this.whole.count ? "" : ", once the halves of a text are joined";
      this.say("same", `Cut at byte ${count(at)}: the same ${count(cut.events.length)} events${joins}, and the same value.`);
    } else {
      this.differs(at);
    }
  }

  // Tries cuts one after another, until somebody wants something else.
  async everyCut() {
    const trying = (this.trying = { said: "" });
    this.page.every.textContent = "Stop";
    await this.attempt((signal) => (isLocal && this.reading ? this.checked(signal) : this.checkedByServer(signal)));
    if (this.trying === trying) this.rest();
  }

  rest() {
    this.trying = null;
    this.page.every.textContent = this.offer;
  }

  // Stops trying cuts, and says so.
  halt() {
    if (!this.trying) return;
    const { said } = this.trying;
    this.stop();
    this.rest();
    this.say("", `Stopped. ${said}`.trim());
  }

  // How far it is.
  far(tried, most) {
    this.trying.said = `${count(tried)} of ${count(most)} cuts tried, all the same so far.`;
    this.say("busy", this.trying.said);
  }

  differs(at) {
    this.say("different", `Cut at byte ${count(at)}: the events differ. This is a bug; please report it.`);
  }

  async checkedByServer(signal) {
    this.whole ??= await reading(this.request({ chunk: "all" }), signal);
    const cuts = this.bytes.length - 1;
    for (let at = 1; at <= cuts; at += 1) {
      const cut = await reading(this.request({ cut: at }), signal);
      if (!isSame(this.whole, cut)) return this.differs(at);
      if (at % 10 === 0) this.far(at, cuts);
    }
    this.say("same", `All ${count(cuts)} cuts tried: the same events, and the same value, each time.`);
  }

  // The engine in the page compares the events itself.
  async checked(signal) {
    this.say("busy", "Trying the cuts …");
    for await (const { tried, cuts, most, difference, isOver } of valuesOf("/v1/check", { body: JSON.stringify(this.reading), signal })) {
      // What came before the stop is no news.
      if (signal.aborted) return;
      if (difference) return this.differs(difference);
      if (!isOver) this.far(tried, most);
      else this.say("same", `${tried < cuts ? `A sample of ${count(tried)} of the` : "All"} ${count(cuts)} cuts tried: the same events, and the same value, each time.`);
    }
  }

  say(state, text) {
    this.page.verdict.dataset.state = state;
    this.page.verdict.textContent = text;
  }
}
