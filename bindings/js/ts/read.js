// Reading a stream: events, and parts of the answer while it grows.
import { Calls } from "./calls.js";
import { ready } from "./engine.js";
import { CancelledError, PathError, PatchwireError, SourceError, StreamError } from "./errors.js";
import { Parser } from "./parser.js";
import { All, Each, Get, Place, Reasoning, Text, Values } from "./parts.js";
import { Remote } from "./remote.js";
import { abandon, pieces, prepared } from "./sources.js";
import { Spec } from "./spec.js";
/** Reads a stream. Nothing is read before an event or a part is asked for. */
export function read(source, options) {
    return new Reader(source, options);
}
/**
 * An answer that is being read. Its events can be iterated, and any number of its parts at the same time. The source
 * is asked for more only when one of them waits.
 */
export class Reader {
    #spec;
    #calls;
    #stop = new AbortController();
    #source;
    #pieces;
    #parts = new Set();
    #reading;
    /** What parts read: a server may turn out to send events in place of text. */
    #view;
    #parser;
    #reasoning = "";
    #pulling;
    #wake = () => { };
    #isOver = false;
    /** Why the reading broke off: a source may throw anything, `undefined` included. */
    #failure;
    #hasBegun = false;
    #refusal;
    #answer;
    #forget = () => { };
    constructor(source, options = {}) {
        const { signal, pick, ...rest } = options instanceof Spec ? {} : options;
        this.#spec = options instanceof Spec ? options : new Spec(rest);
        this.#calls = new Calls(this.#spec.tools);
        const reading = () => this.#reading;
        this.#view = {
            get live() {
                return reading()?.live;
            },
            snapshot: () => reading()?.snapshot(),
            // What was cut is not whole, although nothing follows.
            isOpen: (path) => reading()?.isOpen(path) === true || reading()?.answer?.isCutAt(path) === true,
        };
        this.#source = prepared(source);
        this.#pieces = pieces(this.#source, pick, this.#stop.signal);
        if (!signal)
            return;
        const abort = () => this.#cancel(signal.reason);
        if (signal.aborted)
            abort();
        else
            signal.addEventListener("abort", abort, { once: true });
        this.#forget = () => signal.removeEventListener("abort", abort);
    }
    /** Every event from now on. Leaving the loop ends the reading, unless another part is still read. */
    [Symbol.asyncIterator]() {
        const part = new All();
        this.#add(part);
        return {
            next: async () => {
                const next = await this.#next(part);
                return next ? { done: false, value: next.value } : { done: true, value: undefined };
            },
            return: async () => {
                this.#drop(part);
                return { done: true, value: undefined };
            },
        };
    }
    /** Every event from now on, as a stream. */
    events() {
        return this.#stream(async () => new All());
    }
    /** One field, when it is complete. */
    get(path) {
        return this.#get(path);
    }
    /** The text of one field, as it is written. */
    text(path) {
        return this.#stream(() => this.#part(path, Text));
    }
    /** The value so far, of the answer or of one field, whenever it grew: at most once for each chunk of the source. */
    values(path) {
        return this.#stream(() => this.#part(path ?? "", Values));
    }
    /** The items of a list, each when it is whole. */
    each(path) {
        const list = typeof path === "string" ? path.replace(/(\[\*\]|(^|\.)\*)$/u, "") : path;
        return this.#stream(() => this.#part(list, Each, `${list}[*]`));
    }
    /** The model's reasoning, as it is written. */
    reasoning() {
        return this.#stream(async () => new Reasoning(this.#reasoning));
    }
    /** The tool calls so far: those of the provider, and those that the model wrote as text. */
    get calls() {
        const written = this.#reading?.answer?.calls ?? (this.#isOver ? [] : (this.#parser?.calls ?? []));
        return this.#reading?.answer ? written : [...this.#calls.all, ...written];
    }
    /** The value so far, as one that does not change. `undefined` until the payload begins. */
    get value() {
        return this.#reading?.snapshot();
    }
    /** The answer, once all of it was read. */
    get answer() {
        return (this.#answer ??= this.#drain());
    }
    /**
     * The value of the answer, validated by the schema. Rejects if the answer was cut (`CutError`), if there is no value
     * (`NoValueError`), or if it does not fit (`InvalidError`).
     */
    async data(options) {
        return (await this.answer).data(options);
    }
    /** Ends the reading and the source. Parts that are still read fail with the reason. */
    cancel(reason) {
        this.#cancel(reason ?? new CancelledError());
    }
    async [Symbol.asyncDispose]() {
        this.cancel();
    }
    async #get(path) {
        const part = await this.#part(path, Get);
        const next = await this.#next(part);
        this.#drop(part);
        return next.value;
    }
    async #drain() {
        while (!this.#isOver)
            await this.#pull();
        if (this.#failure)
            throw this.#failure.error;
        return this.#reading.answer;
    }
    #add(part) {
        if (this.#isOver)
            part.end(this.#reading?.answer);
        else
            this.#parts.add(part);
    }
    #drop(part) {
        this.#parts.delete(part);
        if (this.#parts.size === 0 && !this.#answer && !part.isClosed)
            this.#cancel(new CancelledError());
    }
    async #part(path, make, needed = path) {
        await this.#begin();
        if (typeof path !== "string")
            throw new PathError(String(path), `a path is a string such as \`rows[0].name\`, not ${typeof path}`);
        this.#spec.locate(needed);
        const part = new make(new Place(path), this.#view);
        if (!part.isClosed)
            this.#add(part);
        return part;
    }
    async #begin() {
        if (this.#parser || this.#isOver)
            return;
        await ready();
        this.#parser ??= new Parser(this.#spec);
        this.#reading ??= this.#parser;
    }
    async #next(part) {
        for (;;) {
            const next = part.next();
            if (next)
                return next;
            if (part.error !== undefined)
                throw part.error;
            if (part.isClosed) {
                this.#parts.delete(part);
                if (this.#failure)
                    throw this.#failure.error;
                return undefined;
            }
            await this.#pull();
        }
    }
    #stream(make) {
        // The part begins now, and not with the first read.
        const making = make().then((part) => {
            if (!part.isClosed)
                this.#add(part);
            return part;
        });
        making.catch(() => { });
        const stream = new ReadableStream({
            pull: async (controller) => {
                const next = await this.#next(await making);
                if (next)
                    controller.enqueue(next.value);
                else
                    controller.close();
            },
            cancel: async () => this.#drop(await making),
        }, { highWaterMark: 0 });
        if (!(Symbol.asyncIterator in stream))
            Object.defineProperty(stream, Symbol.asyncIterator, { value: iterate });
        return stream;
    }
    /** Reads one piece of the source. All who wait share it. */
    #pull() {
        return (this.#pulling ??= new Promise((done) => {
            this.#wake = () => {
                this.#pulling = undefined;
                done();
            };
            void this.#step().then(this.#wake);
        }));
    }
    async #step() {
        try {
            await this.#begin();
            if (this.#isOver)
                return;
            this.#hasBegun = true;
            const { done, value } = await this.#pieces.next();
            if (this.#isOver)
                return;
            if (!done)
                this.#take(value);
            else
                this.#finish();
            if (done || this.#reading?.answer)
                this.#end();
        }
        catch (error) {
            if (error instanceof StreamError)
                this.#emit(error.events);
            this.#end({ error });
        }
    }
    #take({ text, reasoning, refusal, calls, event }) {
        if (event)
            return this.#takeEvent(event);
        if (refusal !== undefined && refusal !== null)
            this.#refusal = (this.#refusal ?? "") + refusal;
        if (reasoning)
            this.#emit(this.#parser.feedReasoning(reasoning));
        if (calls && calls.length > 0)
            this.#calls.take(calls);
        if (text)
            this.#emit(this.#parser.feed(text));
    }
    #takeEvent(event) {
        const remote = this.#reading instanceof Remote ? this.#reading : new Remote(this.#spec.validate);
        this.#reading = remote;
        let events;
        try {
            events = remote.take(event);
        }
        catch (error) {
            if (error instanceof PatchwireError)
                throw error;
            throw new SourceError(`an event of the server cannot be read: ${JSON.stringify(event).slice(0, 100)}`, { cause: error });
        }
        this.#emit(events);
    }
    #finish() {
        if (this.#reading instanceof Remote) {
            if (!this.#reading.answer)
                throw new StreamError("unexpected_end", "the server's events ended before the answer", 0, []);
            return;
        }
        this.#calls.end();
        const events = this.#parser.finish();
        const answer = this.#parser.answer;
        answer.take([...this.#calls.all, ...answer.calls]);
        answer.refuse(this.#refusal);
        this.#emit(events);
    }
    #emit(events) {
        for (const event of events) {
            if (event.type === "reasoning")
                this.#reasoning += event.delta;
            for (const part of this.#parts)
                part.take(event);
        }
    }
    #end(failure) {
        if (this.#isOver)
            return;
        this.#isOver = true;
        this.#failure = failure;
        for (const part of this.#parts)
            part.end(failure ? undefined : this.#reading?.answer);
        this.#forget();
        this.#stop.abort(failure?.error);
        this.#parser?.free();
        // An iterator that waits for its source is not waited for. One that was never asked would leave its source as it is.
        this.#pieces.return(undefined).catch(() => { });
        if (!this.#hasBegun)
            Promise.resolve(this.#source).then(abandon).catch(() => { });
    }
    #cancel(reason) {
        this.#end({ error: reason ?? new CancelledError() });
        this.#wake();
    }
}
/** For platforms whose streams cannot be iterated. */
async function* iterate() {
    const reader = this.getReader();
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done)
                return;
            yield value;
        }
    }
    finally {
        await reader.cancel().catch(() => { });
        reader.releaseLock();
    }
}
