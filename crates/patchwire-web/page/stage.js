// The stage: the raw stream on one side, the fields on the other, the log below. One loop draws all
// three.

import { Pace } from "./events.js";
import { Fields, count } from "./fields.js";
import { Fold } from "./fold.js";
import { Lights } from "./lights.js";
import { Log } from "./log.js";
import { Notes } from "./notes.js";
import { Raw } from "./raw.js";
import { Result } from "./result.js";

const $ = (id) => document.getElementById(id);

// The failed checks of an answer, in a sentence.
function shortfall({ outcome, failures = [] }) {
  const cut = outcome === "truncated" ? " The model was cut off before its end." : "";
  if (failures.length === 0) return cut;
  const more = failures.length > 1 ? `, and ${count(failures.length - 1)} more` : "";
  return `${cut} It falls short of the schema: ${failures[0].message}${more}.`;
}

export class Stage {
  constructor() {
    this.raw = new Raw($("raw"), $("raw-note"));
    this.fields = new Fields($("fields"), $("fields-more"));
    this.log = new Log({ list: $("log"), search: $("search"), tally: $("tally"), detail: $("detail") });
    this.lights = new Lights(this.raw, this.fields);
    this.notes = new Notes(this.raw, this.lights);
    this.result = new Result();
    $("fields-form").addEventListener("change", ({ target }) => this.fields.setForm(target.checked));
    this.onStop = () => {};
  }

  // Shows another stream, and stops the current one. `bytes` is its length, if known before its
  // end; `piece` returns the text and the end of an event's piece, or nothing; `options` say how it is
  // read, and `reading` is the text with them, if both are known.
  begin({ bytes = null, piece, options = {}, reading = null, onStop }) {
    this.onStop();
    this.onStop = onStop;
    this.bytes = bytes;
    this.piece = piece;
    this.options = options;
    this.reading = reading;
    this.failure = null;
    this.fold = new Fold((field) => this.fields.tell(field));
    this.raw.clear();
    this.fields.clear();
    this.log.clear();
    this.lights.out();
    this.notes.clear();
    this.set(true);
    this.say("live", "");
    this.wish();
  }

  set(isLive) {
    this.isLive = isLive;
    document.body.classList.toggle("playing", isLive);
    // Failed checks at the end refer to what is shown.
    if (isLive) return this.wish();
    this.draw();
    this.notes.end(this.reading);
    this.result.show(this.options, this.fold.root);
  }

  show(record) {
    this.wish();
    const piece = this.piece(record);
    if (piece) return this.raw.tell(...piece);
    this.log.add(record);
    if (record.name === "error") this.failure = record.event.message;
    this.fold.apply(record.event);
    this.notes.take(record.event);
  }

  // The stream ended. The verdict follows once the value was compared, unless something else is shown by then.
  async end() {
    this.set(false);
    const { fold, log } = this;
    const isFinal = await fold.isFinal(new Pace());
    if (this.fold !== fold || this.isLive) return;
    const fields = fold.fieldCount === 1 ? "1 field" : `${count(fold.fieldCount)} fields`;
    const tally = `${fields} from ${count(log.total)} events.`;
    if (isFinal && fold.final.outcome === "failed") this.fail(`There is no value of this format in the answer. ${tally}`);
    else if (isFinal) this.say("same", `${tally} Folding the patches gives exactly the final value.${shortfall(fold.final)}`);
    else this.say("failed", this.failure ?? `${tally} The final value is another one: this is a bug.`);
  }

  // The stream ended too early.
  fail(text) {
    this.set(false);
    this.say("failed", text);
    // On a small screen it may be below the visible part.
    $("status").scrollIntoView({ block: "nearest" });
  }

  stopped() {
    this.set(false);
    this.say("stopped", "Stopped.");
  }

  say(state, text) {
    $("status").dataset.state = state;
    $("status").textContent = text;
  }

  // All events of a frame are drawn at once.
  wish() {
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = null;
    this.raw.draw();
    const box = $("fields-box");
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 80;
    this.fields.draw();
    if (isAtEnd) box.scrollTop = box.scrollHeight;
    this.measure();
  }

  // How much arrived, and of how much, if known.
  measure() {
    const { bytes, raw, isLive } = this;
    const progress = $("progress");
    const of = bytes === null ? "" : ` of ${count(bytes)}`;
    const pieces = raw.pieces === 1 ? "1 piece" : `${count(raw.pieces)} pieces`;
    $("bytes").textContent = `${count(raw.end)}${of} bytes in ${pieces}`;
    if (bytes === null && isLive) return progress.removeAttribute("value");
    progress.max = bytes ?? Math.max(raw.end, 1);
    progress.value = raw.end;
  }
}
