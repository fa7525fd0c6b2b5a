// The hook.

import type { AnySchema, TypeOf } from "patchwire";
import { type FieldStatus, type FieldsOptions, type FieldsSource, type FieldsState, FieldsStore, isUrl } from "patchwire/fields";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";

export type { FieldStatus, FieldsOptions, FieldsSource, FieldsState };

/** The answer so far, and what asks for another one. */
export interface Fields<T> extends FieldsState<T> {
  /** Asks a URL, or another source. A body is posted as JSON. */
  submit(body?: unknown): void;
  /** Ends the reading; what was read stays. */
  stop(): void;
}

/**
 * Reads the fields of an answer: from a URL, which `submit` asks, or from a stream, which is read at once. A stream can
 * be read once only, so keep it between renders, in a state or a `useMemo`.
 */
export function useFields<S extends AnySchema>(source: string | URL | FieldsSource | null, options: FieldsOptions<S> = {}): Fields<TypeOf<S>> {
  const [store] = useState(() => new FieldsStore<S>());
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const now = useSyncExternalStore(store.subscribe, store.snapshot, store.serverSnapshot);

  const submit = useCallback(
    (body?: unknown) => {
      if (source !== null) store.submit(source, latest.current, body);
    },
    [store, source],
  );

  useEffect(() => store.follow(() => latest.current), [store]);

  // A stream is read when it is there. Under StrictMode effects run twice: the stream is not started again.
  const started = useRef<unknown>(null);
  useEffect(() => {
    if (isUrl(source) || source === null || started.current === source) return;
    started.current = source;
    submit();
  }, [source, submit]);

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

  return useMemo(() => ({ ...now, submit, stop: store.stop }), [now, submit, store]);
}
