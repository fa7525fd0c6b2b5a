// The composable.

import type { AnySchema, PathOf, TypeOf } from "patchwire";
import { type FieldStatus, type FieldsOptions, type FieldsSource, type FieldsState, FieldsStore, isUrl } from "patchwire/fields";
import { type ComputedRef, type MaybeRef, type MaybeRefOrGetter, computed, getCurrentInstance, onMounted, onScopeDispose, shallowRef, toRaw, toValue, unref, watch } from "vue";

export type { FieldStatus, FieldsOptions, FieldsSource, FieldsState };

/** The answer so far, in refs, and what asks for another one. */
export interface Fields<T> {
  /** The value so far. What did not change is the same object as before. */
  readonly draft: ComputedRef<FieldsState<T>["draft"]>;
  /** The value, once it is whole and valid. */
  readonly data: ComputedRef<T | undefined>;
  /** All of the answer, once it was read. */
  readonly answer: ComputedRef<FieldsState<T>["answer"]>;
  /** Why there is no value. What was read stays in `draft`. */
  readonly error: ComputedRef<unknown>;
  readonly isLoading: ComputedRef<boolean>;
  /** How far a field is. Templates and effects that ask are run again when it changes. */
  status(path: PathOf<T> | ""): FieldStatus;
  /** Whether a field is complete. */
  done(path: PathOf<T> | ""): boolean;
  /** Asks a URL, or another source. A body is posted as JSON. */
  submit(body?: unknown): void;
  /** Ends the reading; what was read stays. */
  stop(): void;
}

/**
 * Reads the fields of an answer: from a URL, which `submit` asks, or from a stream, which is read at once. A ref may get
 * another stream later, which then replaces the one before. A function is not a getter: it is called to ask for a stream.
 * The request ends with the component or the effect scope.
 */
export function useFields<S extends AnySchema>(source: MaybeRef<string | URL | FieldsSource | null>, options: MaybeRefOrGetter<FieldsOptions<S>> = {}): Fields<TypeOf<S>> {
  const store = new FieldsStore<S>();
  // The parts of a state are no reactive objects: a new one comes for each change.
  const now = shallowRef(store.snapshot());
  const leave = [store.subscribe(() => void (now.value = store.snapshot())), store.follow(() => toValue(options))];
  onScopeDispose(() => {
    store.stop();
    for (const end of leave) end();
  });

  const current = (): string | URL | FieldsSource | null => toRaw(unref(source));
  const submit = (body?: unknown): void => {
    const asked = current();
    if (asked !== null) store.submit(asked, toValue(options), body);
  };
  const begin = (): void => {
    watch(current, (source) => !isUrl(source) && submit(), { immediate: true });
  };
  // What a server rendered is what is drawn first; a server reads nothing.
  if (getCurrentInstance()) onMounted(begin);
  else begin();

  const { stop } = store;
  const [draft, data, answer] = [computed(() => now.value.draft), computed(() => now.value.data), computed(() => now.value.answer)];
  const [error, isLoading] = [computed(() => now.value.error), computed(() => now.value.isLoading)];
  return { draft, data, answer, error, isLoading, status: (path) => now.value.status(path), done: (path) => now.value.done(path), submit, stop };
}
