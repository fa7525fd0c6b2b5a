// The store.

import type { AnySchema, TypeOf } from "patchwire";
import { type FieldStatus, type FieldsOptions, type FieldsSource, type FieldsState, FieldsStore, isUrl } from "patchwire/fields";
import type { Readable } from "svelte/store";

export type { FieldStatus, FieldsOptions, FieldsSource, FieldsState };

/** The answer so far as a readable store, and what asks for another one. */
export interface Fields<T> extends Readable<FieldsState<T>> {
  /** Asks the URL, or the source again. A body is posted as JSON. */
  submit(body?: unknown): void;
  /** Reads another source in place of the one before. */
  read(source: FieldsSource): void;
  /** Ends the reading; what was read stays. */
  stop(): void;
}

/**
 * The fields of an answer: from a URL, which `submit` asks, or from a stream, which is read as soon as somebody
 * subscribes. When the last subscriber has left, the request ends.
 */
export function fields<S extends AnySchema>(source: string | URL | FieldsSource | null, options: FieldsOptions<S> = {}): Fields<TypeOf<S>> {
  type T = TypeOf<S>;
  const store = new FieldsStore<S>();
  let subscribers = 0;
  // A server reads nothing. A stream is begun once, by itself.
  let isDue = source !== null && !isUrl(source) && typeof document !== "undefined";
  store.follow(() => options);

  const submit = (body?: unknown): void => {
    isDue = false;
    if (source !== null) store.submit(source, options, body);
  };
  const read = (other: FieldsSource): void => {
    isDue = false;
    store.submit(other, options);
  };
  const subscribe = (run: (state: FieldsState<T>) => void): (() => void) => {
    subscribers += 1;
    const leave = store.subscribe(() => run(store.snapshot()));
    run(store.snapshot());
    // What a server rendered is what is drawn first.
    if (isDue) queueMicrotask(() => isDue && subscribers > 0 && submit());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      leave();
      subscribers -= 1;
      // Somebody else may come in place of who leaves.
      setTimeout(() => subscribers === 0 && store.stop());
    };
  };
  return { subscribe, submit, read, stop: store.stop };
}
