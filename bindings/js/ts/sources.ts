// Where tokens come from: streams, responses, and what clients return.

import { SourceError } from "./errors.js";
import { type Piece, chunksOfBody, pieceOf } from "./items.js";
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

/** What a chunk adds to the answer: a piece, its text, or nothing. */
export type Pick = (chunk: never) => Piece | string | null | undefined;

/** The pieces of a source, one at a time. The signal stops the source even while it is waited for. */
export async function* pieces(source: Source | PromiseLike<Source>, pick: Pick | undefined, signal: AbortSignal): AsyncGenerator<Piece> {
  for await (const item of itemsOf(await source, signal)) {
    const picked = (pick ?? pieceOf)(item as never);
    if (typeof picked === "string") yield { text: picked };
    else if (picked) yield picked;
  }
}

const has = (value: object, name: PropertyKey): boolean => name in value;

function itemsOf(source: Source, signal: AbortSignal): AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof source === "string" || source instanceof Uint8Array) return [source];
  if (typeof source !== "object" || source === null) throw new SourceError(`a source is a stream, a response or a text, not ${source === null ? "null" : typeof source}`);
  if (has(source, "headers") && has(source, "status")) return ofResponse(source as Response, signal);
  if (has(source, "readyState") && has(source, "addEventListener")) return ofEventSource(source as EventSource, signal);
  if (has(source, "fullStream")) return itemsOf((source as Streaming).fullStream, signal);
  if (has(source, "getReader")) return chunksOf(source as ReadableStream<unknown>, signal);
  if (has(source, "subscribe")) return ofObserved(source as Observed, signal);
  if (has(source, Symbol.asyncIterator) || has(source, Symbol.iterator)) return chunksOfIterable(source as AsyncIterable<unknown>, signal);
  throw new SourceError("this source is no stream: it is neither iterable, nor a response, nor an `EventSource`");
}

/** The chunks of an iterable. The clients of providers have a `controller` that ends their request. */
async function* chunksOfIterable(source: AsyncIterable<unknown> | Iterable<unknown>, signal: AbortSignal): AsyncGenerator<unknown> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let isDone = false;
  const stop = (): void => {
    isDone = true;
    (source as { controller?: Partial<AbortController> }).controller?.abort?.();
    // Without waiting: a source may never answer.
    Promise.resolve(iterator.return?.()).catch(() => {});
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

async function* ofResponse(response: Response, signal: AbortSignal): AsyncGenerator<unknown> {
  const kind = response.headers.get("content-type") ?? "";
  if (!response.ok) {
    const said = (await response.text().catch(() => "")).slice(0, 500);
    throw new SourceError(`the server answered ${response.status}${said === "" ? "" : `: ${said}`}`);
  }
  const { body } = response;
  if (!body) return;
  if (kind.includes("text/event-stream")) yield* ofEvents(body, signal);
  else if (/ndjson|jsonl|json-seq|stream\+json/u.test(kind)) yield* ofLines(body, signal);
  else if (kind.includes("json")) yield* await ofJson(response);
  else yield* chunksOf(body, signal);
}

async function* ofEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const { name, data } of serverSentEvents(body, signal)) {
    if (data === "[DONE]") return;
    const item = readJson(data, "an event of the server");
    if (name === "error" && typeof item === "object" && item !== null && !("type" in item) && !("event" in item)) {
      throw new SourceError(`the server sent an error: ${data.slice(0, 500)}`);
    }
    yield item;
  }
}

async function* ofLines(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<unknown> {
  for await (const line of lines(texts(body, signal))) {
    if (line.trim() !== "") yield readJson(line, "a line of the server");
  }
}

/** The chunks of a provider's whole body, or the answer itself. */
async function ofJson(response: Response): Promise<unknown[]> {
  const text = await response.text();
  try {
    return chunksOfBody(JSON.parse(text)) ?? [text];
  } catch {
    return [text];
  }
}

/** The values of an observable. It cannot wait, so that they are kept for a slow reader. */
async function* ofObserved(source: Observed, signal: AbortSignal): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
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
      while (waiting.length > 0) yield waiting.shift();
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

async function* ofEventSource(source: EventSource, signal: AbortSignal): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = (): void => {};
  let failure: SourceError | undefined;
  const take = (event: Event): void => {
    const { data } = event as MessageEvent<string | undefined>;
    if (data === undefined) {
      // The browser connects again, unless it gave up.
      if (source.readyState === 2) failure = new SourceError("the connection of the `EventSource` was lost");
    } else {
      try {
        waiting.push(readJson(data, "an event of the server"));
      } catch (error) {
        failure = error as SourceError;
      }
    }
    wake();
  };
  const stop = (): void => wake();
  for (const name of [...NAMES, "message"]) source.addEventListener(name, take);
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      while (waiting.length > 0) {
        const item = waiting.shift() as WireEvent;
        yield item;
        if (item.event === "final") return;
      }
      if (failure) throw failure;
      await new Promise<void>((done) => (wake = done));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    // Or the browser connects again, and the model is asked again.
    source.close();
    for (const name of [...NAMES, "message"]) source.removeEventListener(name, take);
  }
}
