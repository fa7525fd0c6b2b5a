// Reading by hand: chunks in, events out.
import { whenCollected } from "./collect.js";
import { Decoder } from "./decode.js";
import { broken, engine, guarded } from "./engine.js";
import { PanicError, PatchwireError } from "./errors.js";
import { Spec } from "./spec.js";
const LOST = "this parser broke before";
/**
 * The parser of one stream. `feed` takes chunks, cut anywhere, and returns the events that they decide; `finish`
 * ends the stream. `free` gives its memory back at once; without it, that happens when the parser is collected.
 */
export class Parser {
    #engine;
    #decoder;
    #number;
    /** The first half of a character whose second half is in the next chunk. */
    #half = "";
    constructor(options) {
        const spec = Spec.of(options);
        this.#engine = engine();
        const number = spec.in(this.#engine);
        this.#number = guarded(this.#engine, () => this.#engine.exports.parser(number));
        this.#decoder = new Decoder(spec.validate);
        freed.register(this, { engine: this.#engine, number: this.#number }, this);
    }
    /** Reads a chunk, and returns the events that it decides. */
    feed(chunk) {
        const number = this.#live();
        const length = this.#write(chunk);
        const own = this.#engine;
        let isThere;
        // Without a closure: this is called for each token.
        try {
            isThere = own.exports.feed(number, length);
        }
        catch (error) {
            throw broken(own, error);
        }
        if (isThere === 0)
            throw new PanicError(LOST);
        return this.#decoder.take(own, typeof chunk === "string" ? chunk : "");
    }
    /** Reads reasoning that the provider sends in a field of its own. */
    feedReasoning(chunk) {
        const { exports } = this.#engine;
        const number = this.#live();
        const length = this.#engine.write(textOf(chunk));
        return this.#events(() => exports.feed_reasoning(number, length));
    }
    /** Ends the stream. The last event is the answer. */
    finish() {
        const { exports } = this.#engine;
        const events = this.#half === "" ? [] : this.feed(new Uint8Array());
        events.push(...this.#events(() => exports.finish(this.#live())));
        return events;
    }
    /** The answer; `undefined` before `finish`. */
    get answer() {
        return this.#decoder.answer;
    }
    /** The value so far. It grows in place: read it, do not keep it. `undefined` until the payload begins. */
    get value() {
        return (this.#decoder.answer ? this.#decoder.answer.value : this.#decoder.mirror.answer?.value);
    }
    /** The value so far as one that no later chunk changes. What did not change is shared with the last snapshot. */
    snapshot() {
        const { answer, mirror } = this.#decoder;
        return (answer ? answer.value : mirror.answer?.snapshot());
    }
    /** A copy of the value so far, without what is still being written. */
    settled() {
        const number = this.#live();
        guarded(this.#engine, () => this.#engine.exports.settled(number));
        return JSON.parse(this.#engine.text());
    }
    /** The tool calls so far that the model wrote as text. */
    get calls() {
        if (this.#decoder.answer)
            return this.#decoder.answer.calls;
        const number = this.#live();
        guarded(this.#engine, () => this.#engine.exports.calls(number));
        return JSON.parse(this.#engine.text());
    }
    /** @internal Whether the value at a path may still change. */
    isOpen(path) {
        return !this.#decoder.answer && this.#decoder.mirror.answer?.isOpen(path) === true;
    }
    /** @internal The live value, for reading parts. */
    get live() {
        return this.value;
    }
    /** Gives the memory of the parser back. Later calls throw. */
    free() {
        if (this.#number === 0)
            return;
        freed.unregister(this);
        this.#engine.exports.free_parser(this.#number);
        this.#number = 0;
    }
    [Symbol.dispose]() {
        this.free();
    }
    /** @internal Breaks in the middle of a call, for tests. */
    panicOnPurpose() {
        const number = this.#live();
        guarded(this.#engine, () => this.#engine.exports.panic_on_purpose(number));
    }
    #live() {
        if (this.#number === 0)
            throw new PatchwireError("freed", "the parser was freed; make another one");
        return this.#number;
    }
    #events(call) {
        if (guarded(this.#engine, call) === 0)
            throw new PanicError(LOST);
        return this.#decoder.take(this.#engine, "");
    }
    #write(chunk) {
        if (typeof chunk !== "string")
            return this.#writeBytes(chunk);
        const { length } = chunk;
        const last = length === 0 ? 0 : chunk.charCodeAt(length - 1);
        if (this.#half === "" && (last & 0xfc00) !== 0xd800)
            return this.#engine.write(chunk);
        let text = this.#half + chunk;
        this.#half = "";
        if ((last & 0xfc00) === 0xd800) {
            this.#half = text.slice(-1);
            text = text.slice(0, -1);
        }
        return this.#engine.write(text);
    }
    #writeBytes(chunk) {
        if (!(chunk instanceof Uint8Array)) {
            throw new PatchwireError("chunk", `a chunk is a string or a Uint8Array, not ${chunk === null ? "null" : typeof chunk}`);
        }
        if (this.#half === "")
            return this.#engine.writeBytes(chunk);
        const half = new TextEncoder().encode(this.#half);
        this.#half = "";
        const joined = new Uint8Array(half.length + chunk.length);
        joined.set(half);
        joined.set(chunk, half.length);
        return this.#engine.writeBytes(joined);
    }
}
const freed = whenCollected(({ engine, number }) => {
    engine.exports.free_parser(number);
});
/** Reads a whole text. */
export function parse(text, options) {
    const parser = new Parser(options);
    try {
        parser.feed(text);
        parser.finish();
        return parser.answer;
    }
    finally {
        parser.free();
    }
}
/** The instructions that make a model write what these options read. */
export function prompt(options) {
    return Spec.of(options).prompt;
}
function textOf(value) {
    if (typeof value !== "string")
        throw new PatchwireError("chunk", `a text is a string, not ${value === null ? "null" : typeof value}`);
    return value;
}
/** Cuts of a longer text are a sample, evenly spread. */
const MOST_CHECKED = 20_000;
const SAMPLE = 2_000;
/** How many bytes a sample may read in all: some seconds. */
const MOST_READ = 200_000_000;
/**
 * Reads a text in two pieces, cut at every byte, and compares the events with those of the whole. Up to 20 KB every
 * cut is tried, beyond that at most 2,000 of them.
 */
export function check(text, options) {
    const spec = Spec.of(options);
    const own = engine();
    const number = spec.in(own);
    const bytes = text instanceof Uint8Array ? text : new TextEncoder().encode(textOf(text));
    const cuts = Math.max(bytes.length - 1, 0);
    const try_ = (from, to) => guarded(own, () => own.exports.first_difference(number, own.writeBytes(bytes), from, to));
    if (bytes.length <= MOST_CHECKED)
        return { cuts, difference: try_(1, bytes.length) || undefined };
    // Each cut reads the whole text and both pieces.
    const sample = Math.max(10, Math.min(SAMPLE, Math.floor(MOST_READ / 2 / bytes.length)));
    for (let at = 0; at < sample; at += 1) {
        const place = 1 + Math.floor((at * cuts) / sample);
        if (try_(place, place + 1) !== 0)
            return { cuts: at + 1, difference: place };
    }
    return { cuts: sample, difference: undefined };
}
/** The names of formats, tag sets, slips and limits. */
export function names() {
    const own = engine();
    guarded(own, () => own.exports.names());
    return JSON.parse(own.text());
}
