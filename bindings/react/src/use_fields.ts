// The hook.

import type { AnySchema, Answer, DeepPartial, PathOf, ReadOptions, TypeOf } from "patchwire";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

import { type FieldStatus, type FieldsSource, Store } from "./store.js";

export type { FieldStatus, FieldsSource };

/** How the answer is read, and what is sent for it. */
export interface FieldsOptions<S extends AnySchema> extends Omit<ReadOptions<S>, "signal"> {
  /** The request of a URL. By default, `submit` posts its argument as JSON. */
  readonly init?: RequestInit;
  /** Called with the validated value. */
  readonly onData?: (data: TypeOf<S>) => void;
  readonly onError?: (error: unknown) => void;
}

/** The answer so far. */
export interface Fields<T> {
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
  /** Asks a URL, or another source. */
  submit(body?: unknown): void;
  /** Ends the reading; what was read stays. */
  stop(): void;
}

/**
 * Reads the fields of an answer: from a URL, which `submit` asks, or from a stream, which is read at once. A stream can
 * be read once only, so keep it between renders, in a state or a `useMemo`.
 */
export function useFields<S extends AnySchema>(source: string | URL | FieldsSource | null, options: FieldsOptions<S> = {}): Fields<TypeOf<S>> {
  type T = TypeOf<S>;
  const [store] = useState(() => new Store<S, T>());
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const { draft, data, answer, error, isLoading, fields } = useSyncExternalStore(store.subscribe, store.snapshot, store.serverSnapshot);

  const isUrl = typeof source === "string" || source instanceof URL;
  const submit = useCallback(
    (body?: unknown) => {
      const { init, onData: _data, onError: _error, ...reading } = latest.current;
      if (!isUrl) {
        if (source !== null) store.start(source as FieldsSource, reading);
        return;
      }
      const request: RequestInit = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
      store.start((signal) => fetch(source, { ...request, ...init, headers: { ...(request.headers as object), ...(init?.headers as object) }, signal }), reading);
    },
    [store, source, isUrl],
  );

  // A stream is read when it is there. Under StrictMode effects run twice: the stream is not started again.
  const started = useRef<unknown>(null);
  useEffect(() => {
    if (isUrl || source === null || started.current === source) return;
    started.current = source;
    submit();
  }, [isUrl, source, submit]);

  // Leaving ends the request. A component that StrictMode mounts again goes on.
  const mounted = useRef(0);
  useEffect(() => {
    mounted.current += 1;
    return () => {
      const last = mounted.current;
      setTimeout(() => {
        if (mounted.current === last) store.stop();
      });
    };
  }, [store]);

  useEffect(() => {
    if (data !== undefined) latest.current.onData?.(data);
  }, [data]);
  useEffect(() => {
    if (error !== undefined) latest.current.onError?.(error);
  }, [error]);

  return useMemo(() => {
    const status = (path: string): FieldStatus => fields.get(path) ?? "waiting";
    return { draft, data, answer, error, isLoading, status, done: (path: string) => status(path) === "complete", submit, stop: store.stop };
  }, [draft, data, answer, error, isLoading, fields, submit, store]);
}
