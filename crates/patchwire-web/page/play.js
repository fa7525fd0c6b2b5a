// The built-in streams: which one is played, in which chunks, and how fast.

import { get } from "./connect.js";
import { address, batches, paced } from "./events.js";
import { count } from "./fields.js";
import { view } from "./share.js";

const $ = (id) => document.getElementById(id);

// The values of the two sliders.
const CHUNKS = ["1", "2", "3", "5", "tokens", "16", "64", "1024", "all"];
const SPEEDS = [0.25, 0.5, 1, 2, 4, 16, 64, 0];
const USUAL = { chunk: CHUNKS.indexOf("tokens"), speed: SPEEDS.indexOf(1) };

const chunkName = (chunk) => {
  if (chunk === "tokens") return "tokens";
  if (chunk === "all") return "in one piece";
  return chunk === "1" ? "1 byte" : `${count(Number(chunk))} bytes`;
};
// Where the slider is for a speed: at the nearest that it has. Without pause is 0.
const speedPosition = (asked) => {
  const speed = typeof asked !== "string" || asked.trim() === "" ? NaN : Number(asked);
  if (!(speed >= 0 && speed < Infinity)) return USUAL.speed;
  if (speed === 0) return SPEEDS.indexOf(0);
  const far = (other) => (other === 0 ? Infinity : Math.abs(Math.log(other / speed)));
  return SPEEDS.reduce((best, other, at) => (far(other) < far(SPEEDS[best]) ? at : best), 0);
};
const speedName = (speed) => (speed === 0 ? "no pause" : `×${speed}`);

export class Play {
  constructor(streams, stage, cut) {
    this.streams = streams;
    this.stage = stage;
    this.cut = cut;
    this.texts = new Map();
    $("chunk").max = CHUNKS.length - 1;
    $("speed").max = SPEEDS.length - 1;
    for (const id of ["chunk", "speed"]) {
      $(id).addEventListener("input", () => this.label());
      $(id).addEventListener("change", () => this.onChange());
    }
    for (const id of ["fields-form", "result-kinds"]) $(id).addEventListener("change", () => $("play").hidden || this.keep());
    $("play").addEventListener("click", () => (this.isPlaying ? this.stop() : this.play()));
    // What a slider changes: by default, this stream is played again.
    this.onChange = () => this.play();
  }

  // How a text is cut, and how fast it comes.
  settings() {
    return this.label();
  }

  // The choices in the page's address, or the defaults.
  offer(asked) {
    for (const stream of this.streams) $(stream.hostile ? "hostile" : "samples").append(choice(stream));
    this.slide(asked);
    const known = this.streams.find(({ name }) => name === asked.get("stream"));
    this.stream = known ?? this.streams[0];
    $(`stream-${this.stream.name}`).checked = true;
    $("about").textContent = this.stream.about;
  }

  // The pieces and the speed of an address, or the usual ones.
  slide(asked) {
    const chunk = CHUNKS.indexOf(asked.get("chunk"));
    $("chunk").value = chunk < 0 ? USUAL.chunk : chunk;
    $("speed").value = speedPosition(asked.get("speed"));
    this.label();
  }

  begin() {
    return this.choose(this.stream.name, true);
  }

  async choose(name, isFirst = false) {
    this.stream = this.streams.find((stream) => stream.name === name);
    $("about").textContent = this.stream.about;
    // A megabyte at the speed of a model takes two hours.
    if (this.stream.bytes > 20000 && !isFirst) $("speed").value = SPEEDS.indexOf(0);
    else if (!isFirst && SPEEDS[$("speed").value] === 0) $("speed").value = USUAL.speed;
    this.stop();
    return this.play();
  }

  async text(name) {
    if (!this.texts.has(name)) {
      this.texts.set(name, await get(address(name, "text", {}), {}, "bytes"));
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
    if (this.isPlaying) this.stage.stopped();
    this.set(false);
  }

  set(isPlaying) {
    this.isPlaying = isPlaying;
    $("play").textContent = isPlaying ? "Stop" : "Play again";
  }

  // The address holds what is shown.
  keep() {
    history.replaceState(null, "", `?${new URLSearchParams({ stream: this.stream.name, ...this.label(), ...view() })}`);
  }

  async play() {
    const query = this.label();
    const { name } = this.stream;
    this.keep();
    this.playing?.abort();
    const { signal } = (this.playing = new AbortController());
    const bytes = await this.text(name);
    if (signal.aborted) return;
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const piece = ({ name, event }) => {
      if (name !== "chunk") return null;
      const [start, end] = event.span;
      return [decoder.decode(bytes.subarray(start, end), { stream: true }), end];
    };
    const { options } = this.stream;
    const reading = options ? { text: new TextDecoder().decode(bytes), patchwire: options } : null;
    this.stage.begin({ bytes: bytes.length, piece, options: options ?? { format: this.stream.format }, reading, onStop: () => this.leave(signal) });
    this.set(true);
    this.cut.choose(name, bytes, (cut) => [address(name, "fields", { ...cut, speed: "0" })], reading);
    try {
      const played = address(name, "fields", { ...query, chunks: "true" });
      for await (const batch of paced(batches(played, { signal }))) {
        if (signal.aborted) return;
        batch.forEach((record) => this.stage.show(record));
      }
      this.set(false);
      await this.stage.end();
    } catch (error) {
      if (signal.aborted) return;
      this.set(false);
      this.stage.fail(`The stream broke off: ${error.message}`);
    }
  }

  // Something else is shown on the stage.
  leave(signal) {
    if (this.playing?.signal !== signal) return;
    this.playing.abort();
    this.set(false);
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
