// The state of one answer, outside React: it is read here, and React is told at most once a frame.

import { type AnySchema, type Answer, type DeepPartial, type Event, type ReadOptions, Reader, type Source, type TypeOf, read } from "patchwire";

/** How far a field is. */
export type FieldStatus = "waiting" | "streaming" | "complete";

/** What is known of an answer. A new object for each change. */
export interface Snapshot<T> {
  readonly draft: DeepPartial<T> | undefined;
  readonly data: T | undefined;
  readonly answer: Answer<T> | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** The status of each field that has begun, by its path. */
  readonly fields: ReadonlyMap<string, FieldStatus>;
}

/** Where an answer comes from: a stream, or a function that asks for one. */
export type FieldsSource = Source | PromiseLike<Source> | ((signal: AbortSignal) => Source | PromiseLike<Source>);

type Options<S extends AnySchema> = Omit<ReadOptions<S>, "signal">;

const hasFrames = typeof requestAnimationFrame === "function";
// A page in the background has no frames.
const inAFrame = (run: () => void): void => {
  if (hasFrames && !globalThis.document?.hidden) requestAnimationFrame(run);
  else setTimeout(run, 16);
};

/** Reads one answer after the other. */
export class Store<S extends AnySchema, T = TypeOf<S>> {
  readonly #nothing: Snapshot<T> = { draft: undefined, data: undefined, answer: undefined, error: undefined, isLoading: false, fields: new Map() };
  #snapshot: Snapshot<T> = this.#nothing;
  #listeners = new Set<() => void>();
  #stop: AbortController | undefined;
  #reader: Reader<T> | undefined;
  #fields = new Map<string, FieldStatus>();
  #isWaiting = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Snapshot<T> => this.#snapshot;
  /** On a server nothing was read yet. */
  readonly serverSnapshot = (): Snapshot<T> => this.#nothing;

  /** Reads a source in place of the one before. */
  readonly start = (source: FieldsSource, options: Options<S>): void => {
    this.#stop?.abort();
    const stop = (this.#stop = new AbortController());
    this.#fields = new Map();
    this.#reader = undefined;
    this.#set({ ...this.#nothing, isLoading: true });
    this.#read(source, options, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) this.#set({ ...this.#now(), error, isLoading: false });
    });
  };

  /** Ends the reading, and what was read stays. */
  readonly stop = (): void => {
    if (!this.#snapshot.isLoading) return;
    const now = this.#now();
    this.#stop?.abort();
    this.#set({ ...now, isLoading: false });
  };

  async #read(source: FieldsSource, options: Options<S>, signal: AbortSignal): Promise<void> {
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

  #now(): Snapshot<T> {
    return { ...this.#snapshot, draft: this.#reader?.value ?? this.#snapshot.draft, fields: new Map(this.#fields) };
  }

  #set(snapshot: Snapshot<T>): void {
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}
