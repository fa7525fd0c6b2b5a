// The WebAssembly module: its instance, its memory, and what happens when it breaks.
import { NotReadyError, PanicError, PatchwireError } from "./errors.js";
import { textAt } from "./texts.js";
// The module keeps an input up to this size.
const KEPT = 1 << 20;
// Longer texts are written by the platform.
const SHORT = 32;
const encoder = new TextEncoder();
/** An instance of the module, with views on its memory. */
export class Engine {
    exports;
    bytes;
    words;
    /** Where the module says where its last result is, in words. */
    place;
    #inputAt = 0;
    #inputSize = 0;
    constructor(module) {
        const instance = new WebAssembly.Instance(module, {});
        this.exports = instance.exports;
        this.place = this.exports.place() >>> 2;
        this.bytes = new Uint8Array(this.exports.memory.buffer);
        this.words = new Uint32Array(this.exports.memory.buffer);
    }
    /** Looks at the memory again if it grew. */
    refresh() {
        if (this.bytes.length !== 0)
            return;
        this.bytes = new Uint8Array(this.exports.memory.buffer);
        this.words = new Uint32Array(this.exports.memory.buffer);
    }
    /** Writes a text as the input of the next call, and returns its length in bytes. */
    write(text) {
        const { length } = text;
        if (length * 3 > this.#inputSize)
            this.#reserve(length * 3);
        this.refresh();
        const { bytes } = this;
        const start = this.#inputAt;
        let at = 0;
        if (length <= SHORT) {
            for (; at < length; at += 1) {
                const unit = text.charCodeAt(at);
                if (unit > 127)
                    break;
                bytes[start + at] = unit;
            }
            if (at === length)
                return length;
        }
        const into = bytes.subarray(start + at, start + this.#inputSize);
        const written = at + encoder.encodeInto(at === 0 ? text : text.slice(at), into).written;
        this.#forget(written);
        return written;
    }
    /** Writes bytes as the input of the next call. */
    writeBytes(bytes) {
        if (bytes.length > this.#inputSize)
            this.#reserve(bytes.length);
        this.refresh();
        this.bytes.set(bytes, this.#inputAt);
        this.#forget(bytes.length);
        return bytes.length;
    }
    #reserve(length) {
        this.#inputAt = this.exports.reserve(length);
        this.#inputSize = length;
    }
    // The module does not keep the memory of a big input.
    #forget(length) {
        if (length > KEPT || this.#inputSize > KEPT)
            this.#inputSize = 0;
    }
    /** The text of the last result. */
    text() {
        this.refresh();
        const [at, length] = [this.words[this.place + 2], this.words[this.place + 3]];
        return textAt(this.bytes, at, at + length);
    }
}
let loader;
let module;
let loading;
let current;
/** Says how the module is loaded. Each entry of the package calls it once. */
export function loadWith(own) {
    loader = own;
}
/** The instance that new parsers are made in. */
export function engine() {
    if (current)
        return current;
    module ??= loader?.now?.();
    if (!module)
        throw new NotReadyError();
    return (current = new Engine(module));
}
/**
 * Loads the module. `read` waits for it; `parse`, `Parser`, `prompt` and `check` need it done in browsers. In node,
 * Deno, Bun and edge workers the module is there at once, unless a bundler left its file behind.
 */
export function ready() {
    if (module)
        return Promise.resolve();
    loading ??= (async () => {
        if (!loader)
            throw new NotReadyError();
        try {
            module = loader.now?.() ?? (await loader.later());
        }
        finally {
            loading = undefined;
        }
    })();
    return loading;
}
/**
 * Calls the module. If it breaks, the instance is given up: parsers that live in it go on, and new ones get a fresh
 * instance.
 */
export function guarded(engine, call) {
    try {
        return call();
    }
    catch (error) {
        throw broken(engine, error);
    }
}
/** The error for what a call of the module threw. The instance is given up. */
export function broken(engine, error) {
    // An error of this package was thrown before the module was called.
    if (error instanceof PatchwireError)
        return error;
    if (current === engine)
        current = undefined;
    let message = error instanceof Error ? error.message : String(error);
    try {
        message = engine.text() || message;
    }
    catch {
        // The memory cannot be read: the platform's own words have to do.
    }
    return new PanicError(message, { cause: error });
}
