// Where tokens come from: streams, responses, and what clients return.
import { SourceError } from "./errors.js";
import { chunksOfBody, pieceOf } from "./items.js";
import { Queue } from "./queue.js";
import { chunksOf, lines, readJson, serverSentEvents, texts } from "./sse.js";
/** An `EventSource` that is listened to: what it sends before somebody reads is kept. */
class Listened {
    waiting = new Queue();
    failure;
    wake = () => { };
    #source;
    constructor(source) {
        this.#source = source;
        for (const name of [...NAMES, "message"])
            source.addEventListener(name, this.#take);
    }
    #take = (event) => {
        const { data } = event;
        if (data === undefined) {
            // The browser connects again, unless it gave up.
            if (this.#source.readyState === 2)
                this.failure = new SourceError("the connection of the `EventSource` was lost");
        }
        else {
            try {
                this.waiting.push(readJson(data, "an event of the server"));
            }
            catch (error) {
                this.failure = error;
            }
        }
        this.wake();
    };
    close() {
        // Or the browser connects again, and the model is asked again.
        this.#source.close();
        for (const name of [...NAMES, "message"])
            this.#source.removeEventListener(name, this.#take);
    }
}
/** Listens to a source that does not wait for its reader. */
export function prepared(source) {
    return typeof source === "object" && source !== null && isEventSource(source) ? new Listened(source) : source;
}
const has = (value, name) => name in value;
const isEventSource = (source) => has(source, "readyState") && has(source, "addEventListener");
/** The pieces of a source, one at a time. The signal stops the source even while it is waited for. */
export async function* pieces(source, pick, signal) {
    const opened = await source;
    if (signal.aborted)
        return abandon(opened);
    for await (const item of itemsOf(opened, signal, pick !== undefined)) {
        const isSent = item instanceof Sent;
        const chunk = isSent ? item.chunk : item;
        const picked = pick ? pick(chunk, isSent ? item.data : undefined) : pieceOf(chunk);
        if (typeof picked === "string")
            yield { text: picked };
        else if (picked)
            yield checked(picked);
    }
}
/** A piece that a caller made may have anything in it. */
function checked(piece) {
    const { text, reasoning } = piece;
    const isText = text === undefined || text === null || typeof text === "string" || text instanceof Uint8Array;
    if (isText && (reasoning === undefined || reasoning === null || typeof reasoning === "string"))
        return piece;
    throw new SourceError("a piece has `text` as a string or a `Uint8Array`, and `reasoning` as a string");
}
/** Gives up a source that nobody has read yet, so that its request ends. */
export function abandon(source) {
    if (typeof source !== "object" || source === null || source instanceof Uint8Array)
        return;
    if (source instanceof Listened || isEventSource(source))
        return source.close();
    if (has(source, "headers") && has(source, "status"))
        return cancelled(source.body);
    if (has(source, "fullStream"))
        return abandon(source.fullStream);
    if (has(source, "getReader"))
        return cancelled(source);
    const iterable = source;
    ended(source, () => (iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]?.())?.return?.());
}
function cancelled(stream) {
    // A stream that somebody else reads stays theirs.
    if (stream && !stream.locked)
        stream.cancel().catch(() => { });
}
/** Ends the request behind an iterable. The clients of providers have a `controller` or an `abort` for that. */
function ended(source, leave) {
    const { controller, abort } = source;
    // First to leave the iterator: helpers of SDKs take an abort that nobody listens to for an error that nobody caught.
    for (const end of [leave, () => controller?.abort?.(), () => abort?.call(source)]) {
        // What the end of a request throws is no matter of who ended it; and a source may never answer, so nothing waits for it.
        try {
            Promise.resolve(end()).catch(() => { });
        }
        catch {
            continue;
        }
    }
}
function itemsOf(source, signal, isPicked) {
    if (source instanceof Listened)
        return ofEventSource(source, signal);
    if (typeof source === "string" || source instanceof Uint8Array)
        return [source];
    if (typeof source !== "object" || source === null)
        throw new SourceError(`a source is a stream, a response or a text, not ${source === null ? "null" : typeof source}`);
    if (has(source, "headers") && has(source, "status"))
        return ofResponse(source, signal, isPicked);
    if (isEventSource(source))
        return ofEventSource(new Listened(source), signal);
    if (has(source, "fullStream"))
        return itemsOf(source.fullStream, signal, isPicked);
    if (has(source, "getReader"))
        return chunksOf(source, signal);
    if (has(source, "subscribe"))
        return ofObserved(source, signal);
    if (has(source, Symbol.asyncIterator) || has(source, Symbol.iterator))
        return chunksOfIterable(source, signal);
    if (chunksOfBody(source))
        throw new SourceError("this is a whole response: ask the client for a stream (`stream: true`), or give `parse` its text");
    throw new SourceError("this source is no stream: it is neither iterable, nor a response, nor an `EventSource`");
}
/** The chunks of an iterable. The clients of providers have a `controller` that ends their request. */
async function* chunksOfIterable(source, signal) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    let isDone = false;
    const stop = () => {
        isDone = true;
        ended(source, () => iterator.return?.());
    };
    signal.addEventListener("abort", stop);
    try {
        while (!isDone) {
            const { done, value } = await iterator.next();
            if (done) {
                isDone = true;
                return;
            }
            yield value;
        }
    }
    catch (error) {
        isDone = true;
        throw error;
    }
    finally {
        signal.removeEventListener("abort", stop);
        if (!isDone)
            stop();
    }
}
async function* ofResponse(response, signal, isPicked) {
    const kind = response.headers.get("content-type") ?? "";
    if (!response.ok) {
        const said = (await wholeText(response, signal).catch(() => "")).slice(0, 500);
        throw new SourceError(`the server answered ${response.status}${said === "" ? "" : `: ${said}`}`);
    }
    const { body } = response;
    if (!body)
        return;
    if (kind.includes("text/event-stream"))
        yield* ofEvents(body, signal, isPicked);
    else if (/ndjson|jsonl|json-seq|stream\+json/u.test(kind))
        yield* ofLines(body, signal);
    else if (kind.includes("json"))
        yield* await ofJson(response, signal);
    else
        yield* chunksOf(body, signal);
}
/** The data of a server-sent event. */
class Sent {
    data;
    constructor(data) {
        this.data = data;
    }
    get chunk() {
        try {
            return JSON.parse(this.data);
        }
        catch {
            return undefined;
        }
    }
}
async function* ofEvents(body, signal, isPicked) {
    for await (const { name, data } of serverSentEvents(body, signal)) {
        if (data === "[DONE]")
            return;
        if (name === "error" && !isKnownError(data))
            throw new SourceError(`the server sent an error: ${data.slice(0, 500)}`);
        yield isPicked ? new Sent(data) : readJson(data, "an event of the server");
    }
}
/** Whether what was sent as an error is one that the reader of chunks knows. */
function isKnownError(data) {
    try {
        const item = JSON.parse(data);
        return item?.type === "error" || item?.event === "error";
    }
    catch {
        return false;
    }
}
async function* ofLines(body, signal) {
    for await (const line of lines(texts(body, signal))) {
        if (line.trim() !== "")
            yield readJson(line, "a line of the server");
    }
}
/** The text of a body. The signal ends the request even while the rest is waited for. */
async function wholeText({ body }, signal) {
    let text = "";
    if (body)
        for await (const part of texts(body, signal))
            text += part;
    return text;
}
/** The chunks of a provider's whole body, or the answer itself. */
async function ofJson(response, signal) {
    const text = await wholeText(response, signal);
    try {
        return chunksOfBody(JSON.parse(text)) ?? [text];
    }
    catch {
        return [text];
    }
}
/** The values of an observable. It cannot wait, so that they are kept for a slow reader. */
async function* ofObserved(source, signal) {
    const waiting = new Queue();
    let wake = () => { };
    let end;
    const stop = () => wake();
    const ended = (how) => {
        end = how;
        wake();
    };
    const subscription = source.subscribe({
        next: (value) => {
            waiting.push(value);
            wake();
        },
        error: (error) => ended({ error }),
        complete: () => ended({}),
    });
    signal.addEventListener("abort", stop);
    try {
        while (!signal.aborted) {
            while (!waiting.isEmpty)
                yield waiting.take();
            if (end && "error" in end)
                throw end.error;
            if (end)
                return;
            await new Promise((done) => (wake = done));
        }
    }
    finally {
        signal.removeEventListener("abort", stop);
        subscription.unsubscribe();
    }
}
// The events of a server of patchwire.
const NAMES = [
    ...["patch", "text", "reasoning", "reasoning_done", "element_open", "element_close", "stray", "comment", "reclassify"],
    ...["skipped", "notice", "root_complete", "verdict", "final", "tool_call", "failure", "error"],
];
async function* ofEventSource(source, signal) {
    const { waiting } = source;
    const stop = () => source.wake();
    signal.addEventListener("abort", stop);
    try {
        while (!signal.aborted) {
            while (!waiting.isEmpty) {
                const item = waiting.take();
                yield item;
                if (item.event === "final")
                    return;
            }
            if (source.failure)
                throw source.failure;
            await new Promise((done) => (source.wake = done));
        }
    }
    finally {
        signal.removeEventListener("abort", stop);
        source.close();
    }
}
