/**
 * The state of one answer, for React, Vue, Svelte, or any other user interface. Listeners are called at most once a
 * frame.
 *
 * @module
 */

// By its name: what says where the module of WebAssembly is comes with it.
import { type AnySchema, type Answer, type DeepPartial, type Event, type PathOf, type ReadOptions, type Reader, type Source, type TypeOf, read } from "patchwire";

/** How far a field is: a field that has begun and is not whole is `streaming`, also where the answer was cut. */
export type FieldStatus = "waiting" | "streaming" | "complete";

/** The answer so far. A new object for each change. */
export interface FieldsState<T> {
  /** The value so far. What did not change is the same object as before. */
  readonly draft: DeepPartial<T> | undefined;
  /** The value, once it is whole and valid. */
  readonly data: T | undefined;
  /** All of the answer, once it was read. */
  readonly answer: Answer<T> | undefined;
  /** Why there is no value. What was read stays in `draft`. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** How far a field is. */
  status(path: PathOf<T> | ""): FieldStatus;
  /** Whether a field is complete. */
  done(path: PathOf<T> | ""): boolean;
}

/** Where an answer comes from: a stream, or a function that asks for one. */
export type FieldsSource = Source | PromiseLike<Source> | ((signal: AbortSignal) => Source | PromiseLike<Source>);

/** How the answer is read, and what is sent for it. */
export interface FieldsOptions<S extends AnySchema> extends Omit<ReadOptions<S>, "signal"> {
  /** The request of a URL. By default, a body is posted as JSON. */
  readonly init?: RequestInit;
  /** Called with the validated value. */
  readonly onData?: (data: TypeOf<S>) => void;
  /** Called with the reason if there is no value. */
  readonly onError?: (error: unknown) => void;
}

type Reading<S extends AnySchema> = Omit<ReadOptions<S>, "signal">;
type Known<T> = Omit<FieldsState<T>, "status" | "done">;

const NOTHING = { draft: undefined, data: undefined, answer: undefined, error: undefined, isLoading: false };

/** Whether a source is asked when somebody submits; streams are read at once. */
export const isUrl = (source: unknown): source is string | URL => typeof source === "string" || source instanceof URL;

/** Asks a URL; a body is posted as JSON. */
function ask(url: string | URL, init: RequestInit | undefined, body: unknown, signal: AbortSignal): Promise<Response> {
  if (body === undefined) return fetch(url, { ...init, signal });
  const headers = new Headers(init?.headers);
  if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  return fetch(url, { method: "POST", body: JSON.stringify(body), ...init, headers, signal });
}

function state<T>(known: Known<T>, fields: ReadonlyMap<string, FieldStatus>): FieldsState<T> {
  const { answer } = known;
  const status = (path: string): FieldStatus => {
    // The end may have taken another value than the one whose fields were streamed.
    if (answer?.hasValue && answer.at(path) !== undefined) return answer.isCutAt(path) ? "streaming" : "complete";
    return fields.get(path) ?? "waiting";
  };
  return { ...known, status, done: (path: string) => status(path) === "complete" };
}

// A page in the background has no frames.
const inAFrame = (run: () => void): void => {
  if (typeof requestAnimationFrame === "function" && !globalThis.document?.hidden) requestAnimationFrame(run);
  else setTimeout(run, 16);
};

/** Reads one answer after the other. */
export class FieldsStore<S extends AnySchema, T = TypeOf<S>> {
  readonly #nothing: FieldsState<T> = state<T>(NOTHING, new Map());
  #snapshot = this.#nothing;
  #listeners = new Set<() => void>();
  #stop: AbortController | undefined;
  #reader: Reader<T> | undefined;
  #fields = new Map<string, FieldStatus>();
  #isWaiting = false;

  /** Calls a listener after each change. What is returned ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The answer so far: the same object until something changes. */
  readonly snapshot = (): FieldsState<T> => this.#snapshot;
  /** On a server nothing was read yet. */
  readonly serverSnapshot = (): FieldsState<T> => this.#nothing;

  /**
   * Calls `onData` and `onError` of the options, which are asked for then. What is returned ends that. What they throw is
   * theirs, and no failure of the reading.
   */
  readonly follow = (options: () => Pick<FieldsOptions<S>, "onData" | "onError">): (() => void) => {
    let { data, error } = this.#snapshot;
    return this.subscribe(() => {
      const now = this.#snapshot;
      if (now.data !== data && now.data !== undefined) queueMicrotask(() => options().onData?.(now.data as unknown as TypeOf<S>));
      if (now.error !== error && now.error !== undefined) queueMicrotask(() => options().onError?.(now.error));
      ({ data, error } = now);
    });
  };

  /** Reads a source in place of the one before; a URL is asked. */
  readonly submit = (source: string | URL | FieldsSource, options: FieldsOptions<S> = {}, body?: unknown): void => {
    const { init, onData: _data, onError: _error, ...reading } = options;
    this.#start(isUrl(source) ? (signal) => ask(source, init, body, signal) : source, reading);
  };

  /** Ends the reading, and what was read stays. */
  readonly stop = (): void => {
    if (!this.#snapshot.isLoading) return;
    const now = this.#now();
    this.#stop?.abort();
    this.#set({ ...now, isLoading: false });
  };

  #start(source: FieldsSource, options: Reading<S>): void {
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    this.#fields = new Map();
    this.#reader = undefined;
    this.#isWaiting = false;
    this.#set({ ...NOTHING, isLoading: true });
    this.#read(source, options, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#set({ ...this.#now(), error, isLoading: false });
    });
  }

  async #read(source: FieldsSource, options: Reading<S>, signal: AbortSignal): Promise<void> {
    const asked = typeof source === "function" ? await source(signal) : source;
    if (signal.aborted) return;
    const reader = (this.#reader = read<S>(asked, { ...options, signal }) as unknown as Reader<T>);
    for await (const event of reader) {
      if (signal.aborted) return;
      this.#take(event);
    }
    if (signal.aborted) return;
    const answer = await reader.answer;
    const known = { ...this.#now(), answer };
    try {
      const data = await answer.data();
      if (!signal.aborted) this.#set({ ...known, data, isLoading: false });
    } catch (error) {
      if (!signal.aborted) this.#set({ ...known, error, isLoading: false });
    }
  }

  #take(event: Event<T>): void {
    if (event.type !== "patch" || event.document !== 0) return;
    if (event.kind === "remove") this.#fields.delete(event.path);
    else this.#fields.set(event.path, event.isComplete ? "complete" : "streaming");
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const reader = this.#reader;
    inAFrame(() => {
      this.#isWaiting = false;
      if (this.#reader === reader && this.#snapshot.isLoading) this.#set(this.#now());
    });
  }

  #now(): Known<T> {
    return { ...this.#snapshot, draft: this.#reader?.value ?? this.#snapshot.draft };
  }

  #set(known: Known<T>): void {
    this.#snapshot = state(known, new Map(this.#fields));
    for (const listener of this.#listeners) listener();
  }
}
