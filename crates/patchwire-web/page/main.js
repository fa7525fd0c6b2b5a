// The page: what is chosen, what is played, and the one loop that draws.

import { address, batches } from "./events.js";
import { Fields, count } from "./fields.js";
import { Fold } from "./fold.js";
import { Cut } from "./cut.js";
import { Log } from "./log.js";

const $ = (id) => document.getElementById(id);

// What the two sliders stand for.
const CHUNKS = ["1", "2", "3", "5", "tokens", "16", "64", "1024", "all"];
const SPEEDS = [0.25, 0.5, 1, 2, 4, 16, 64, 0];
const USUAL = { chunk: CHUNKS.indexOf("tokens"), speed: SPEEDS.indexOf(1) };
// Pieces of the raw stream that are drawn, and letters of each.
const PIECES = 1500;
const LETTERS = 2000;

const chunkName = (chunk) => {
  if (chunk === "tokens") return "tokens";
  if (chunk === "all") return "in one piece";
  return chunk === "1" ? "1 byte" : `${count(Number(chunk))} bytes`;
};
const speedName = (speed) => (speed === 0 ? "no pause" : `×${speed}`);

// The bytes that came, piece by piece.
class Raw {
  constructor(box, note) {
    this.box = box;
    this.note = note;
    this.clear(new Uint8Array());
  }

  clear(bytes) {
    this.bytes = bytes;
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.waiting = [];
    this.end = 0;
    this.pieces = 0;
    this.box.replaceChildren();
    this.note.hidden = true;
  }

  tell([start, end]) {
    this.end = end;
    this.pieces += 1;
    const text = this.decoder.decode(this.bytes.subarray(start, end), { stream: true });
    this.waiting.push(text.length > LETTERS ? `${text.slice(0, LETTERS)} … ` : text);
    if (this.waiting.length > PIECES) this.waiting.shift();
  }

  draw() {
    if (this.waiting.length === 0) return;
    const { box } = this;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const fresh = document.createDocumentFragment();
    let at = this.pieces - this.waiting.length;
    for (const text of this.waiting.splice(0)) {
      at += 1;
      const piece = document.createElement("span");
      piece.className = at % 2 ? "piece odd" : "piece";
      piece.textContent = text;
      fresh.append(piece);
    }
    box.append(fresh);
    for (let over = box.childElementCount - PIECES; over > 0; over -= 1) box.firstElementChild.remove();
    if (this.pieces > PIECES) {
      this.note.hidden = false;
      this.note.textContent = `The last ${count(PIECES)} of ${count(this.pieces)} pieces are drawn.`;
    }
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }
}

class Page {
  constructor(streams) {
    this.streams = streams;
    this.texts = new Map();
    this.raw = new Raw($("raw"), $("raw-note"));
    this.fields = new Fields($("fields"), $("fields-more"));
    this.log = new Log({ list: $("log"), search: $("search"), tally: $("tally"), detail: $("detail") });
    const { slider, every } = { slider: $("cut-at"), every: $("cut-every") };
    const parts = { place: $("cut-place"), before: $("cut-before"), after: $("cut-after"), verdict: $("cut-verdict") };
    const values = { whole: $("cut-whole"), cut: $("cut-cut"), wholeTally: $("cut-whole-tally"), cutTally: $("cut-cut-tally") };
    this.cut = new Cut({ slider, every, ...parts, ...values });
    this.listen();
  }

  listen() {
    $("chunk").max = CHUNKS.length - 1;
    $("speed").max = SPEEDS.length - 1;
    for (const id of ["chunk", "speed"]) {
      $(id).addEventListener("input", () => this.label());
      $(id).addEventListener("change", () => this.play());
    }
    $("play").addEventListener("click", () => (this.isPlaying ? this.stop() : this.play()));
    $("streams").addEventListener("change", (event) => this.choose(event.target.value));
  }

  // The choices that the address of the page says, or the usual ones.
  begin() {
    const asked = new URLSearchParams(location.search);
    for (const stream of this.streams) $(stream.hostile ? "hostile" : "samples").append(choice(stream));
    const position = (list, value, usual) => (list.includes(value) ? list.indexOf(value) : usual);
    $("chunk").value = position(CHUNKS, asked.get("chunk"), USUAL.chunk);
    $("speed").value = position(SPEEDS.map(String), asked.get("speed"), USUAL.speed);
    const known = this.streams.some(({ name }) => name === asked.get("stream"));
    return this.choose(known ? asked.get("stream") : this.streams[0].name, true);
  }

  async choose(name, isFirst = false) {
    this.stream = this.streams.find((stream) => stream.name === name);
    $(`stream-${name}`).checked = true;
    $("about").textContent = this.stream.about;
    // A megabyte at the pace of a model takes two hours.
    if (this.stream.bytes > 20000 && !isFirst) $("speed").value = SPEEDS.indexOf(0);
    else if (!isFirst && SPEEDS[$("speed").value] === 0) $("speed").value = USUAL.speed;
    this.stop();
    const bytes = await this.text(name);
    if (this.stream.name !== name) return;
    this.play();
    this.cut.choose(name, bytes);
  }

  async text(name) {
    if (!this.texts.has(name)) {
      const response = await fetch(address(name, "text", {}));
      this.texts.set(name, new Uint8Array(await response.arrayBuffer()));
    }
    return this.texts.get(name);
  }

  label() {
    const [chunk, speed] = [CHUNKS[$("chunk").value], SPEEDS[$("speed").value]];
    $("chunk-label").textContent = chunkName(chunk);
    $("speed-label").textContent = speedName(speed);
    $("chunk").setAttribute("aria-valuetext", chunkName(chunk));
    $("speed").setAttribute("aria-valuetext", speedName(speed));
    return { chunk, speed: String(speed) };
  }

  stop() {
    this.playing?.abort();
    if (this.isPlaying) this.say("stopped", "Stopped.");
    this.set(false);
  }

  set(isPlaying) {
    this.isPlaying = isPlaying;
    $("play").textContent = isPlaying ? "Stop" : "Play again";
    document.body.classList.toggle("playing", isPlaying);
  }

  async play() {
    const query = this.label();
    const { name } = this.stream;
    history.replaceState(null, "", `?${new URLSearchParams({ stream: name, ...query })}`);
    this.playing?.abort();
    const { signal } = (this.playing = new AbortController());
    const bytes = await this.text(name);
    if (signal.aborted) return;
    this.fold = new Fold((field) => this.fields.tell(field));
    this.raw.clear(bytes);
    this.fields.clear();
    this.log.clear();
    this.set(true);
    this.say("live", "");
    this.wish();
    try {
      const played = address(name, "fields", { ...query, chunks: "true" });
      for await (const batch of batches(played, signal)) {
        if (signal.aborted) return;
        batch.forEach((told) => this.tell(told));
      }
      this.end();
    } catch (error) {
      if (signal.aborted) return;
      this.set(false);
      this.say("failed", `The stream broke off: ${error.message}`);
    }
  }

  tell(told) {
    this.wish();
    if (told.name === "chunk") return this.raw.tell(told.event.span);
    this.log.add(told);
    if (told.name === "error") this.failure = told.event.message;
    this.fold.apply(told.event);
  }

  end() {
    this.set(false);
    this.wish();
    const { fold, log } = this;
    const fields = fold.fieldCount === 1 ? "1 field" : `${count(fold.fieldCount)} fields`;
    const tally = `${fields} from ${count(log.total)} events.`;
    if (fold.isFinal) this.say("same", `${tally} Folding the patches gives exactly the final value.`);
    else this.say("failed", this.failure ?? `${tally} The final value is another one: this is a bug.`);
  }

  say(state, text) {
    $("status").dataset.state = state;
    $("status").textContent = text;
  }

  // Whatever comes in a frame is drawn once.
  wish() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.raw.draw();
      const box = $("fields-box");
      const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
      this.fields.draw();
      if (isAtEnd) box.scrollTop = box.scrollHeight;
      const { bytes } = this.stream;
      $("progress").max = bytes;
      $("progress").value = this.raw.end;
      $("bytes").textContent = `${count(this.raw.end)} of ${count(bytes)} bytes in ${count(this.raw.pieces)} pieces`;
    });
  }
}

// A stream to choose.
function choice({ name }) {
  const label = document.createElement("label");
  label.className = "choice";
  const input = document.createElement("input");
  input.type = "radio";
  input.name = "stream";
  input.value = name;
  input.id = `stream-${name}`;
  const text = document.createElement("span");
  text.textContent = name.replace("hostile-", "");
  label.append(input, text);
  return label;
}

// Light or dark: what the machine says, until somebody says otherwise.
function theme() {
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const apply = (chosen) => {
    const isDark = chosen ? chosen === "dark" : prefers.matches;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    $("theme").setAttribute("aria-pressed", String(isDark));
  };
  $("theme").addEventListener("click", () => {
    const chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", chosen);
    } catch {
      // Where nothing may be kept, it holds until the page is left.
    }
    apply(chosen);
  });
  prefers.addEventListener("change", () => apply(kept()));
  apply(kept());
}

theme();
try {
  const response = await fetch("/v1/streams");
  const { streams } = await response.json();
  await new Page(streams).begin();
} catch (error) {
  $("status").dataset.state = "failed";
  $("status").textContent = `The server cannot be asked: ${error.message}`;
}
