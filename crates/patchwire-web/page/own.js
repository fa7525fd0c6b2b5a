// A text of your own: pasted, dropped or typed; how it is read; and what it comes to.

import { get, isLocal } from "./connect.js";
import { batches, paced } from "./events.js";
import { count } from "./fields.js";
import { infer, written } from "./infer.js";
import { pack, view } from "./share.js";

const $ = (id) => document.getElementById(id);

// Bytes that are read of a longer text, and letters that the box shows of one.
const MOST_READ = 8 << 20;
const MOST_SHOWN = 200_000;
// Letters up to which an edit is read token by token.
const SHORT = 20_000;
// Milliseconds for the first fields of a longer one, before the box is filled.
const FILLED = 300;
// How the recorded body of a provider may begin: with a line of server-sent events, with an object that has one of these names first, or
// with a list of Gemini's.
const RECORDED = /^\s*(?:(?:data|event|id|retry)?:|\[\s*\{\s*"candidates"|\{\s*"(?:candidates|choices|content|created|delta|error|id|index|message|model|object|response|service_tier|system_fingerprint|type|usage))/u;

const FIRST = `Sure! Here is the plan you asked for:
{
  'title': 'It's two days in São Paulo',
  "tags": ["food", "walks",],
  "days": [
    {"name": "Saturday", "budget": 120.50, "rain": False},
    {"name": "Sunday", "budget": 80
  ]
}
Let me know if you want more.`;

export class Own {
  constructor({ formats, tags }, stage, cut, play) {
    this.stage = stage;
    this.cut = cut;
    this.play = play;
    this.text = FIRST;
    this.isShort = true;
    this.running = null;
    this.filling = null;
    // The body whose text is read in its place, and how often something else was taken.
    this.body = null;
    this.turn = 0;
    // A text is dropped where this one is not shown.
    this.onDrop = () => {};
    $("own-format").append(...formats.map((name) => new Option(name)));
    $("own-format").value = "json";
    $("own-tags").append(new Option("as usual", ""), ...[...tags, "none"].map((name) => new Option(name)));
    $("own-text").value = FIRST;
    this.listen();
  }

  listen() {
    $("own-text").addEventListener("input", () => {
      this.turn += 1;
      this.filling = null;
      this.text = $("own-text").value;
      this.setBody(null);
      this.say("");
      this.soon();
    });
    $("own-text").addEventListener("paste", (event) => this.paste(event));
    for (const id of ["own-format", "own-tags"]) $(id).addEventListener("change", () => this.read());
    $("own-schema").addEventListener("input", () => this.soon());
    $("own-infer").addEventListener("click", () => this.inferred());
    $("own-file").addEventListener("change", ({ target }) => this.file(target.files[0]));
    $("own-share").addEventListener("click", () => this.share());
    $("own-as-is").addEventListener("click", () => this.asItIs());
    document.addEventListener("dragover", (event) => this.dragged(event));
    document.addEventListener("drop", (event) => this.dropped(event));
    for (const id of ["fields-form", "result-kinds"]) $(id).addEventListener("change", () => this.soonKeep());
    this.cut.onMove = () => this.soonKeep();
    $("own").addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.running) this.stage.stopped();
      else this.read(true);
    });
  }

  // The options of the form, as the gateway has them.
  get options() {
    const [format, tags, schema] = [$("own-format").value, $("own-tags").value, $("own-schema").value.trim()];
    return { format, ...(schema !== "" && format !== "text" && { schema }), ...(tags !== "" && { tags }) };
  }

  say(text, state = "") {
    $("own-said").textContent = text;
    $("own-said").dataset.state = state;
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), 120);
  }

  // A long text is kept beside the box, which would be slow with it.
  paste(event) {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (pasted.length <= MOST_SHOWN) return this.soonExtract(pasted);
    event.preventDefault();
    this.take(pasted);
  }

  // A recorded body of a provider is replaced by its text; any other text stays as it was pasted.
  soonExtract(pasted) {
    if (isLocal && RECORDED.test(pasted)) setTimeout(() => this.extracted($("own-text").value));
  }

  async extracted(text) {
    const found = await this.recorded(text);
    if (found && $("own-text").value === text) this.take(text);
  }

  // The text and the reasoning in a recorded body; null if it is none.
  async recorded(text) {
    if (!isLocal || text.length > MOST_SHOWN * 10 || !RECORDED.test(text)) return null;
    return get("/v1/extract", { body: JSON.stringify({ text }) }).catch(() => null);
  }

  // A field takes a text by itself, where the pointer is; everything else is dropped onto the page.
  dragged(event) {
    if (event.dataTransfer.types.includes("Files") || !isField(event.target)) event.preventDefault();
  }

  dropped(event) {
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (!file && isField(event.target) && text.length <= MOST_SHOWN) {
      if (event.target === $("own-text")) this.soonExtract(text);
      return;
    }
    event.preventDefault();
    if (!file && text === "") return;
    this.onDrop();
    if (file) this.file(file);
    else this.take(text);
  }

  async file(file) {
    if (!file) return;
    const part = file.size > MOST_READ ? file.slice(0, MOST_READ) : file;
    await this.take(await part.text(), { bytes: file.size });
  }

  // Takes a text, or that of a recorded body, unless the body itself is wanted.
  async take(text, { bytes = text.length, isAsIs = false } = {}) {
    const turn = (this.turn += 1);
    let said = "";
    if (text.length > MOST_READ) text = text.slice(0, MOST_READ);
    if (bytes > MOST_READ) said = `The first ${count(MOST_READ >> 20)} MB are read; ${count(Math.ceil((bytes - MOST_READ) / 1e6))} MB are left out.`;
    const found = isAsIs ? null : await this.recorded(text);
    // Another text came in the meantime.
    if (turn !== this.turn) return;
    this.setBody(found ? text : null);
    if (found) [text, said] = [found.text, `This is the recorded body of a provider: its text is read.${found.reasoning ? " It has reasoning too." : ""}`];
    this.text = text;
    this.filling = text.slice(0, MOST_SHOWN);
    if (text.length > MOST_SHOWN) said += ` The box shows the first ${count(MOST_SHOWN)} letters; all ${count(text.length)} are read.`;
    this.say(said.trim());
    if (text.length <= SHORT) this.fill();
    this.read();
  }

  // Reads the body itself. Its button goes away, so the keys go to the box.
  asItIs() {
    $("own-text").focus();
    this.take(this.body, { isAsIs: true });
  }

  setBody(body) {
    this.body = body;
    $("own-as-is").hidden = body === null;
  }

  // Fills the box with the text that was taken. Laying out a long one takes as long as reading it.
  fill() {
    if (this.filling !== null) $("own-text").value = this.filling;
    this.filling = null;
  }

  // Reads the text; with `played` at the speed of the slider, otherwise at once.
  async read(played = false) {
    clearTimeout(this.timer);
    this.running?.abort();
    // The engine tries no cuts of a text that is another by now.
    this.cut.halt();
    const control = (this.running = new AbortController());
    const { signal } = control;
    const { text, options } = this;
    const begun = performance.now();
    const bytes = new TextEncoder().encode(text);
    const { chunk, speed } = this.play.settings();
    const pieces = played || text.length <= SHORT ? chunk : "1024";
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const piece = ({ name, event }) => {
      if (name !== "chunk") return null;
      const [start, end] = event.span;
      return [decoder.decode(bytes.subarray(start, end), { stream: true }), end];
    };
    $("own-play").textContent = "Stop";
    this.stage.begin({ bytes: bytes.length, piece, options, reading: { text, patchwire: options }, onStop: () => this.leave(control) });
    const request = ({ cut }) => ["/v1/cut", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ text, cut: cut === undefined ? [] : [cut], patchwire: options }) }];
    const body = JSON.stringify({ text, chunk: pieces, speed: played ? Number(speed) : 0, chunks: true, patchwire: options });
    try {
      for await (const batch of paced(batches("/v1/cut", { method: "POST", headers: JSON_TYPE, body, signal }))) {
        if (signal.aborted) return;
        if (performance.now() - begun > FILLED) this.fill();
        for (const record of batch) this.stage.show(record);
      }
      this.fill();
      this.done(control);
      this.cut.choose({}, bytes, request, { text, patchwire: options });
      await this.stage.end();
    } catch (error) {
      if (signal.aborted) return;
      this.fill();
      this.done(control);
      this.cut.clear();
      this.stage.fail(error.message.charAt(0).toUpperCase() + error.message.slice(1));
    }
    this.keep();
  }

  done(control) {
    if (this.running !== control) return;
    this.running = null;
    $("own-play").textContent = "Play";
  }

  // Something else is shown on the stage.
  leave(control) {
    control.abort();
    if (this.running === control) this.fill();
    this.done(control);
  }

  inferred() {
    const schema = infer(this.stage.fold.root);
    if (schema === "any") return this.say("There is no value to infer a schema from.", "failed");
    $("own-schema").value = `${written(schema).trim()}\n`;
    this.read();
  }

  // The state for the address.
  get state() {
    const { chunk, speed } = this.play.settings();
    return { text: this.text, ...this.options, chunk, speed, ...view(), ...this.cut.state };
  }

  // Shows a state of an address.
  restore({ text, format = "json", tags = "", schema, cut }) {
    this.turn += 1;
    this.setBody(null);
    this.say("");
    this.filling = null;
    this.cut.wanted = Number.isInteger(cut) ? cut : null;
    if (typeof text === "string") this.text = text.slice(0, MOST_READ);
    $("own-text").value = this.text.slice(0, MOST_SHOWN);
    const has = (id, value) => typeof value === "string" && [...$(id).options].some((option) => option.value === value);
    if (has("own-format", format)) $("own-format").value = format;
    if (has("own-tags", tags)) $("own-tags").value = tags;
    $("own-schema").value = typeof schema === "string" ? schema : "";
  }

  // A slider moves more often than an address may change.
  soonKeep() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), 200);
  }

  // The address holds what is shown, if it is not too long.
  async keep() {
    if ($("own").hidden) return;
    const fragment = this.text.length > 2_000_000 ? null : await pack(this.state);
    if ($("own").hidden) return;
    history.replaceState(null, "", `${location.pathname}#${fragment ?? "own"}`);
    this.isShort = fragment !== null;
    $("own-share").textContent = this.isShort ? "Copy link" : "Save as a file";
  }

  async share() {
    await this.keep();
    if (this.isShort) {
      try {
        await navigator.clipboard.writeText(location.href);
        return this.say("The link is copied. It holds the text: nothing was sent anywhere.", "same");
      } catch {
        return this.say("The link is in the address of this page.", "same");
      }
    }
    const file = document.createElement("a");
    file.href = URL.createObjectURL(new Blob([this.text], { type: "text/plain" }));
    file.download = "answer.txt";
    file.click();
    URL.revokeObjectURL(file.href);
    this.say("The text is too long for a link, so it is a file.", "same");
  }
}

const isField = (target) => target instanceof Element && target.matches("textarea, input[type=text], input[type=search]");

const JSON_TYPE = { "Content-Type": "application/json" };
