// Reading a stream: events, and parts of the answer while it grows.

import type { Answer, DataOptions } from "./answer.js";
import { Calls } from "./calls.js";
import type { Call } from "./decode.js";
import { ready } from "./engine.js";
import { CancelledError, PathError, PatchwireError, SourceError, StreamError } from "./errors.js";
import type { Event } from "./events.js";
import type { Piece } from "./items.js";
import { Parser } from "./parser.js";
import { All, Each, Get, type Part, Place, type Reading, Reasoning, Text, Values } from "./parts.js";
import { Remote } from "./remote.js";
import type { AnySchema, TypeOf } from "./schema.js";
import { type Pick, type Prepared, type Source, abandon, pieces, prepared } from "./sources.js";
import { Spec, type SpecOptions } from "./spec.js";
import type { DeepPartial, EachOf, PathOf, TypeAtPath } from "./types.js";

/** A stream of values that can be iterated, too. */
export type FieldStream<V> = ReadableStream<V> & AsyncIterable<V>;

/** How a stream is read. */
export interface ReadOptions<S extends AnySchema = AnySchema> extends SpecOptions<S> {
  /** Ends the reading and the source. */
  readonly signal?: AbortSignal | undefined;
  /** Says what is in a chunk of a client that is not known. */
  readonly pick?: Pick | undefined;
}

/** Reads a stream. Nothing is read before an event or a part is asked for. */
export function read<S extends AnySchema = AnySchema>(
  source: Source | PromiseLike<Source>,
  options?: ReadOptions<S> | Spec<TypeOf<S>>,
): Reader<TypeOf<S>> {
  return new Reader<TypeOf<S>>(source, options as ReadOptions);
}

/**
 * An answer that is being read. Its events can be iterated, and any number of its parts at the same time. The source
 * is asked for more only when one of them waits.
 */
export class Reader<T = unknown> implements AsyncIterable<Event<T>> {
  readonly #spec: Spec<T>;
  readonly #calls: Calls;
  readonly #stop = new AbortController();
  readonly #source: Prepared;
  readonly #pieces: AsyncGenerator<Piece>;
  readonly #parts = new Set<Part<unknown>>();
  #reading: (Reading & { readonly answer: Answer<T> | undefined }) | undefined;
  /** What parts read: a server may turn out to send events in place of text. */
  readonly #view: Reading;
  #parser: Parser<AnySchema, T> | undefined;
  #reasoning = "";
  #pulling: Promise<void> | undefined;
  #wake: () => void = () => {};
  #isOver = false;
  /** Why the reading broke off: a source may throw anything, `undefined` included. */
  #failure: { readonly error: unknown } | undefined;
  #hasBegun = false;
  #refusal: string | undefined;
  #answer: Promise<Answer<T>> | undefined;
  #forget: () => void = () => {};

  constructor(source: Source | PromiseLike<Source>, options: ReadOptions | Spec<T> = {}) {
    const { signal, pick, ...rest } = options instanceof Spec ? {} : options;
    this.#spec = options instanceof Spec ? options : new Spec<T>(rest);
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
    if (!signal) return;
    const abort = (): void => this.#cancel(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    this.#forget = () => signal.removeEventListener("abort", abort);
  }

  /** Every event from now on. Leaving the loop ends the reading, unless another part is still read. */
  [Symbol.asyncIterator](): AsyncIterator<Event<T>> {
    const part = new All<T>();
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
  events(): FieldStream<Event<T>> {
    return this.#stream(async () => new All<T>());
  }

  /** One field, when it is complete. */
  get<P extends PathOf<T>>(path: P): Promise<TypeAtPath<T, P>> {
    return this.#get(path) as never;
  }

  /** The text of one field, as it is written. */
  text<P extends PathOf<T>>(path: P): FieldStream<string> {
    return this.#stream(() => this.#part(path, Text));
  }

  /** The value so far, of the answer or of one field, whenever it grew: at most once for each chunk of the source. */
  values<P extends PathOf<T> | "" = "">(path?: P): FieldStream<DeepPartial<TypeAtPath<T, P>>> {
    return this.#stream(() => this.#part(path ?? "", Values)) as never;
  }

  /** The items of a list, each when it is whole. */
  each<P extends PathOf<T> | "">(path: P): FieldStream<EachOf<T, P>> {
    const list = typeof path === "string" ? path.replace(/(\[\*\]|(^|\.)\*)$/u, "") : path;
    return this.#stream(() => this.#part(list, Each, `${list}[*]`)) as never;
  }

  /** The model's reasoning, as it is written. */
  reasoning(): FieldStream<string> {
    return this.#stream(async () => new Reasoning(this.#reasoning));
  }

  /** The tool calls so far: those of the provider, and those that the model wrote as text. */
  get calls(): readonly Call[] {
    const written = this.#reading?.answer?.calls ?? (this.#isOver ? [] : (this.#parser?.calls ?? []));
    return this.#reading?.answer ? written : [...this.#calls.all, ...written];
  }

  /** The value so far, as one that does not change. `undefined` until the payload begins. */
  get value(): DeepPartial<T> | undefined {
    return this.#reading?.snapshot() as DeepPartial<T> | undefined;
  }

  /** The answer, once all of it was read. */
  get answer(): Promise<Answer<T>> {
    return (this.#answer ??= this.#drain());
  }

  /**
   * The value of the answer, validated by the schema. Rejects if the answer was cut (`CutError`), if there is no value
   * (`NoValueError`), or if it does not fit (`InvalidError`).
   */
  async data(options?: DataOptions): Promise<T> {
    return (await this.answer).data(options);
  }

  /** Ends the reading and the source. Parts that are still read fail with the reason. */
  cancel(reason?: unknown): void {
    this.#cancel(reason ?? new CancelledError());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cancel();
  }

  async #get(path: string): Promise<unknown> {
    const part = await this.#part(path, Get);
    const next = await this.#next(part);
    this.#drop(part);
    return next!.value;
  }

  async #drain(): Promise<Answer<T>> {
    while (!this.#isOver) await this.#pull();
    if (this.#failure) throw this.#failure.error;
    return this.#reading!.answer!;
  }

  #add(part: Part<unknown>): void {
    if (this.#isOver) part.end(this.#reading?.answer as Answer | undefined);
    else this.#parts.add(part);
  }

  #drop(part: Part<unknown>): void {
    this.#parts.delete(part);
    if (this.#parts.size === 0 && !this.#answer && !part.isClosed) this.#cancel(new CancelledError());
  }

  async #part<V>(path: string, make: new (place: Place, reading: Reading) => Part<V>, needed = path): Promise<Part<V>> {
    await this.#begin();
    if (typeof path !== "string") throw new PathError(String(path), `a path is a string such as \`rows[0].name\`, not ${typeof path}`);
    this.#spec.locate(needed);
    const part = new make(new Place(path), this.#view);
    if (!part.isClosed) this.#add(part);
    return part;
  }

  async #begin(): Promise<void> {
    if (this.#parser || this.#isOver) return;
    await ready();
    this.#parser ??= new Parser<AnySchema, T>(this.#spec);
    this.#reading ??= this.#parser;
  }

  async #next<V>(part: Part<V>): Promise<{ value: V } | undefined> {
    for (;;) {
      const next = part.next();
      if (next) return next;
      if (part.error !== undefined) throw part.error;
      if (part.isClosed) {
        this.#parts.delete(part);
        if (this.#failure) throw this.#failure.error;
        return undefined;
      }
      await this.#pull();
    }
  }

  #stream<V>(make: () => Promise<Part<V>>): FieldStream<V> {
    // The part begins now, and not with the first read.
    const making = make().then((part) => {
      if (!part.isClosed) this.#add(part);
      return part;
    });
    making.catch(() => {});
    const stream = new ReadableStream<V>(
      {
        pull: async (controller) => {
          const next = await this.#next(await making);
          if (next) controller.enqueue(next.value);
          else controller.close();
        },
        cancel: async () => this.#drop(await making),
      },
      { highWaterMark: 0 },
    );
    if (!(Symbol.asyncIterator in stream)) Object.defineProperty(stream, Symbol.asyncIterator, { value: iterate });
    return stream as FieldStream<V>;
  }

  /** Reads one piece of the source. All who wait share it. */
  #pull(): Promise<void> {
    return (this.#pulling ??= new Promise<void>((done) => {
      this.#wake = () => {
        this.#pulling = undefined;
        done();
      };
      void this.#step().then(this.#wake);
    }));
  }

  async #step(): Promise<void> {
    try {
      await this.#begin();
      if (this.#isOver) return;
      this.#hasBegun = true;
      const { done, value } = await this.#pieces.next();
      if (this.#isOver) return;
      if (!done) this.#take(value);
      else this.#finish();
      if (done || this.#reading?.answer) this.#end();
    } catch (error) {
      if (error instanceof StreamError) this.#emit(error.events as Event<T>[]);
      this.#end({ error });
    }
  }

  #take({ text, reasoning, refusal, calls, event }: Piece): void {
    if (event) return this.#takeEvent(event);
    if (refusal !== undefined && refusal !== null) this.#refusal = (this.#refusal ?? "") + refusal;
    if (reasoning) this.#emit(this.#parser!.feedReasoning(reasoning));
    if (calls && calls.length > 0) this.#calls.take(calls);
    if (text) this.#emit(this.#parser!.feed(text));
  }

  #takeEvent(event: NonNullable<Piece["event"]>): void {
    const remote = this.#reading instanceof Remote ? this.#reading : new Remote<T>(this.#spec.validate);
    this.#reading = remote;
    let events: Event<T>[];
    try {
      events = remote.take(event);
    } catch (error) {
      if (error instanceof PatchwireError) throw error;
      throw new SourceError(`an event of the server cannot be read: ${JSON.stringify(event).slice(0, 100)}`, { cause: error });
    }
    this.#emit(events);
  }

  #finish(): void {
    if (this.#reading instanceof Remote) {
      if (!this.#reading.answer) throw new StreamError("unexpected_end", "the server's events ended before the answer", 0, []);
      return;
    }
    this.#calls.end();
    const events = this.#parser!.finish();
    const answer = this.#parser!.answer!;
    answer.take([...this.#calls.all, ...answer.calls]);
    answer.refuse(this.#refusal);
    this.#emit(events);
  }

  #emit(events: readonly Event<T>[]): void {
    for (const event of events) {
      if (event.type === "reasoning") this.#reasoning += event.delta;
      for (const part of this.#parts) part.take(event as Event);
    }
  }

  #end(failure?: { readonly error: unknown }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    for (const part of this.#parts) part.end(failure ? undefined : (this.#reading?.answer as Answer | undefined));
    this.#forget();
    this.#stop.abort(failure?.error);
    this.#parser?.free();
    // An iterator that waits for its source is not waited for. One that was never asked would leave its source as it is.
    this.#pieces.return(undefined).catch(() => {});
    if (!this.#hasBegun) Promise.resolve(this.#source as Source).then(abandon).catch(() => {});
  }

  #cancel(reason: unknown): void {
    this.#end({ error: reason ?? new CancelledError() });
    this.#wake();
  }
}

/** For platforms whose streams cannot be iterated. */
async function* iterate<V>(this: ReadableStream<V>): AsyncGenerator<V> {
  const reader = this.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}
