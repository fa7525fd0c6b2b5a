// Where tokens come from: streams, responses, and what clients return.

import { SourceError } from "./errors.js";
import { type Piece, chunksOfBody, pieceOf } from "./items.js";
import { Queue } from "./queue.js";
import { chunksOf, lines, readJson, serverSentEvents, texts } from "./sse.js";
import type { WireEvent } from "./events.js";

/** What can be read: text, a stream of text, bytes or chunks of a client, a response, or an `EventSource`. */
export type Source = string | Uint8Array | AsyncIterable<unknown> | Iterable<unknown> | ReadableStream<unknown> | Response | EventSource | Streaming | Observed;

/** A result of the package `ai`. */
export interface Streaming {
  readonly fullStream: AsyncIterable<unknown> | ReadableStream<unknown>;
}

/** What the agents of AG-UI return: an observable of RxJS, or one like it. */
export interface Observed {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): { unsubscribe(): void };
}

/**
 * What a chunk adds to the answer: a piece, its text, or nothing. Of server-sent events, `data` is what was sent, and the
 * chunk its JSON: `undefined` if it is none.
 */
export type Pick = (chunk: never, data?: string) => Piece | string | null | undefined;

/** An `EventSource` that is listened to: what it sends before somebody reads is kept. */
class Listened {
  readonly waiting = new Queue<unknown>();
  failure: SourceError | undefined;
  wake = (): void => {};
  readonly #source: EventSource;

  constructor(source: EventSource) {
    this.#source = source;
    for (const name of [...NAMES, "message"]) source.addEventListener(name, this.#take);
  }

  readonly #take = (event: Event): void => {
    const { data } = event as MessageEvent<string | undefined>;
    if (data === undefined) {
      // The browser connects again, unless it gave up.
      if (this.#source.readyState === 2) this.failure = new SourceError("the connection of the `EventSource` was lost");
    } else {
      try {
        this.waiting.push(readJson(data, "an event of the server"));
      } catch (error) {
        this.failure = error as SourceError;
      }
    }
    this.wake();
  };

  close(): void {
    // Or the browser connects again, and the model is asked again.
    this.#source.close();
    for (const name of [...NAMES, "message"]) this.#source.removeEventListener(name, this.#take);
  }
}

/** A source, once something listens to it. An `EventSource` sends from now on, and not from the first read on. */
export type Prepared = Source | PromiseLike<Source> | Listened;

/** Listens to a source that does not wait for its reader. */
export function prepared(source: Source | PromiseLike<Source>): Prepared {
  return typeof source === "object" && source !== null && isEventSource(source) ? new Listened(source as EventSource) : source;
}

const has = (value: object, name: PropertyKey): boolean => name in value;
const isEventSource = (source: object): boolean => has(source, "readyState") && has(source, "addEventListener");

/** The pieces of a source, one at a time. The signal stops the source even while it is waited for. */
export async function* pieces(source: Prepared, pick: Pick | undefined, signal: AbortSignal): AsyncGenerator<Piece> {
  const opened = await source;
  if (signal.aborted) return abandon(opened);
  for await (const item of itemsOf(opened, signal, pick !== undefined)) {
    const isSent = item instanceof Sent;
    const chunk = isSent ? item.chunk : item;
    const picked = pick ? pick(chunk as never, isSent ? item.data : undefined) : pieceOf(chunk);
    if (typeof picked === "string") yield { text: picked };
    else if (picked) yield checked(picked);
  }
}

/** A piece that a caller made may have anything in it. */
function checked(piece: Piece): Piece {
  const { text, reasoning } = piece;
  const isText = text === undefined || text === null || typeof text === "string" || text instanceof Uint8Array;
  if (isText && (reasoning === undefined || reasoning === null || typeof reasoning === "string")) return piece;
  throw new SourceError("a piece has `text` as a string or a `Uint8Array`, and `reasoning` as a string");
}

/** Gives up a source that nobody has read yet, so that its request ends. */
export function abandon(source: Exclude<Prepared, PromiseLike<Source>>): void {
  if (typeof source !== "object" || source === null || source instanceof Uint8Array) return;
  if (source instanceof Listened || isEventSource(source)) return (source as Listened).close();
  if (has(source, "headers") && has(source, "status")) return cancelStream((source as Response).body);
  if (has(source, "fullStream")) return abandon((source as Streaming).fullStream as Source);
  if (has(source, "getReader")) return cancelStream(source as ReadableStream<unknown>);
  const iterable = source as Partial<AsyncIterable<unknown> & Iterable<unknown>>;
  endRequest(source, () => (iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]?.())?.return?.());
}

function cancelStream(stream: ReadableStream<unknown> | null): void {
  // A stream that somebody else reads stays theirs.
  if (stream && !stream.locked) stream.cancel().catch(() => {});
}

/** Ends the request behind an iterable. The clients of providers have a `controller` or an `abort` for that. */
function endRequest(source: object, leave: () => unknown): void {
  const { controller, abort } = source as { controller?: Partial<AbortController>; abort?: () => void };
  // The iterator is left first: a helper of an SDK that is aborted while nobody iterates it rejects a promise that nobody has.
  for (const end of [leave, () => controller?.abort?.(), () => abort?.call(source)]) {
    // Who cancels wants no errors of what was cancelled. Nothing waits for it either: a source may never answer.
    try {
      Promise.resolve(end()).catch(() => {});
    } catch {
      continue;
    }
  }
}

function itemsOf(source: Exclude<Prepared, PromiseLike<Source>>, signal: AbortSignal, isPicked: boolean): AsyncIterable<unknown> | Iterable<unknown> {
  if (source instanceof Listened) return ofEventSource(source, signal);
  if (typeof source === "string" || source instanceof Uint8Array) return [source];
  if (typeof source !== "object" || source === null) throw new SourceError(`a source is a stream, a response or a text, not ${source === null ? "null" : typeof source}`);
  if (has(source, "headers") && has(source, "status")) return ofResponse(source as Response, signal, isPicked);
  if (isEventSource(source)) return ofEventSource(new Listened(source as EventSource), signal);
  if (has(source, "fullStream")) return itemsOf((source as Streaming).fullStream, signal, isPicked);
  if (has(source, "getReader")) return chunksOf(source as ReadableStream<unknown>, signal);
  if (has(source, "subscribe")) return ofObserved(source as Observed, signal);
  if (has(source, Symbol.asyncIterator) || has(source, Symbol.iterator)) return chunksOfIterable(source as AsyncIterable<unknown>, signal);
  if (chunksOfBody(source)) throw new SourceError("this is a whole response: ask the client for a stream (`stream: true`), or give `parse` its text");
  throw new SourceError("this source is no stream: it is neither iterable, nor a response, nor an `EventSource`");
}

/** The chunks of an iterable. The clients of providers have a `controller` that ends their request. */
async function* chunksOfIterable(source: AsyncIterable<unknown> | Iterable<unknown>, signal: AbortSignal): AsyncGenerator<unknown> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isDone = false;
  const stop = (): void => {
    isDone = true;
    endRequest(source, () => iterator.return?.());
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
  } catch (error) {
    isDone = true;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    if (!isDone) stop();
  }
}

async function* ofResponse(response: Response, signal: AbortSignal, isPicked: boolean): AsyncGenerator<unknown> {
  const kind = response.headers.get("content-type") ?? "";
  if (!response.ok) {
    const said = (await wholeText(response, signal).catch(() => "")).slice(0, 500);
    throw new SourceError(`the server answered ${response.status}${said === "" ? "" : `: ${said}`}`);
  }
  const { body } = response;
  if (!body) return;
  if (kind.includes("text/event-stream")) yield* ofEvents(body, signal, isPicked);
  else if (/ndjson|jsonl|json-seq|stream\+json/u.test(kind)) yield* ofLines(body, signal);
  else if (kind.includes("json")) yield* await ofJson(response, signal);
  else yield* chunksOf(body, signal);
}

/** The data of a server-sent event. */
class Sent {
  readonly data: string;

  constructor(data: string) {
    this.data = data;
  }

  get chunk(): unknown {
    try {
      return JSON.parse(this.data);
    } catch {
      return undefined;
    }
  }
}

async function* ofEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal, isPicked: boolean): AsyncGenerator<unknown> {
  for await (const { name, data } of serverSentEvents(body, signal)) {
    if (data === "[DONE]") return;
    if (name === "error" && !isKnownError(data)) throw new SourceError(`the server sent an error: ${data.slice(0, 500)}`);
    yield isPicked ? new Sent(data) : readJson(data, "an event of the server");
  }
}

/** Whether what was sent as an error is one that the reader of chunks knows. */
function isKnownError(data: string): boolean {
  try {
    const item = JSON.parse(data) as { type?: unknown; event?: unknown } | null;
    return item?.type === "error" || item?.event === "error";
  } catch {
    return false;
  }
}

async function* ofLines(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const line of lines(texts(body, signal))) {
    if (line.trim() !== "") yield readJson(line, "a line of the server");
  }
}

/** The text of a body. The signal ends the request even while the rest is waited for. */
async function wholeText({ body }: Response, signal: AbortSignal): Promise<string> {
  let text = "";
  if (body) for await (const part of texts(body, signal)) text += part;
  return text;
}

/** The chunks of a provider's whole body, or the answer itself. */
async function ofJson(response: Response, signal: AbortSignal): Promise<unknown[]> {
  const text = await wholeText(response, signal);
  try {
    return chunksOfBody(JSON.parse(text)) ?? [text];
  } catch {
    return [text];
  }
}

/** The values of an observable. It cannot wait, so that they are kept for a slow reader. */
async function* ofObserved(source: Observed, signal: AbortSignal): AsyncGenerator<unknown> {
  const waiting = new Queue<unknown>();
  let wake = (): void => {};
  let end: { error?: unknown } | undefined;
  const stop = (): void => wake();
  const ended = (how: { error?: unknown }): void => {
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
      while (!waiting.isEmpty) yield waiting.take();
      if (end && "error" in end) throw end.error;
      if (end) return;
      await new Promise<void>((done) => (wake = done));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    subscription.unsubscribe();
  }
}

// The events of a server of patchwire.
const NAMES = [
  ...["patch", "text", "reasoning", "reasoning_done", "element_open", "element_close", "stray", "comment", "reclassify"],
  ...["skipped", "notice", "root_complete", "verdict", "final", "tool_call", "failure", "error"],
];

async function* ofEventSource(source: Listened, signal: AbortSignal): AsyncGenerator<unknown> {
  const { waiting } = source;
  const stop = (): void => source.wake();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      while (!waiting.isEmpty) {
        const item = waiting.take() as WireEvent;
        yield item;
        if (item.event === "final") return;
      }
      if (source.failure) throw source.failure;
      await new Promise<void>((done) => (source.wake = done));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    source.close();
  }
}
