// The events of a stream, as JavaScript sees them.

import type { Answer } from "./answer.js";
import type { Field } from "./mirror.js";

/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Bytes of the stream: the first, and the one after the last. */
export type Span = readonly [start: number, end: number];

/** What a patch does: `open` and `replace` set the value, `delta` appends, `done` completes, `remove` deletes. */
export type PatchKind = "open" | "delta" | "done" | "replace" | "remove";

/** How the end of a value is known. */
export type Completion = "observed" | "end_of_input" | "reconciled";

/** An event on the wire: a line of the command `patchwire parse`. */
export interface WireEvent {
  readonly event: string;
  readonly [member: string]: unknown;
}

const KINDS: readonly PatchKind[] = ["open", "delta", "done"];
const COMPLETIONS = [undefined, "observed", "end_of_input"] as const;
const REPAIRED = 1 << 10;
const DEFERRED = 1 << 11;
const STRING = 4;
const LIST = 5;
const OBJECT = 6;

/** A field opened, grew, was completed, replaced or removed. */
export class Patch {
  readonly type = "patch" as const;
  readonly kind: PatchKind;
  /** The path of the field, such as `rows[0].name`; empty for the root. */
  readonly path: string;
  /** The new text of a string; otherwise empty. */
  readonly delta: string;
  /** The value of the field so far. Lists and objects grow in place; `structuredClone` keeps one as it is. */
  readonly value: Json | undefined;
  /** Whether the field is complete. */
  readonly isComplete: boolean;
  /** The first byte of the stream that made the change. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
  /** @internal */
  readonly field: Field;
  /** @internal */
  readonly flags: number;
  /** @internal */
  readonly wire: WireEvent | undefined;

  /** @internal */
  constructor(kind: number, field: Field, delta: string, flags: number, start: number, end: number, wire?: WireEvent) {
    this.kind = wire ? (wire.kind as PatchKind) : KINDS[kind]!;
    this.path = wire ? (wire.path as string) : field.path;
    this.delta = delta;
    this.value = wire ? (wire.value as Json | undefined) : field.value;
    this.isComplete = wire ? (wire.is_complete as boolean) : kind === 2;
    this.start = start;
    this.end = end;
    this.field = field;
    this.flags = flags;
    this.wire = wire;
  }

  get span(): Span {
    return [this.start, this.end];
  }

  /** The path with `[*]` for each index of a list. */
  get wildcardPath(): string {
    return this.wire ? (this.wire.wildcard_path as string) : this.field.wildcardPath;
  }

  /** The path as a JSON Pointer. */
  get pointer(): string {
    return this.wire ? (this.wire.pointer as string) : this.field.pointer;
  }

  /** How the end of the value is known, if the patch completes it. */
  get completion(): Completion | undefined {
    return this.wire ? (this.wire.completion as Completion | undefined) : COMPLETIONS[(this.flags >> 8) & 3];
  }

  /** Whether a rule of lenient reading shaped the value. */
  get repaired(): boolean {
    return this.wire ? this.wire.repaired === true : (this.flags & REPAIRED) !== 0;
  }

  /** Whether the value was read whole before it was emitted. */
  get deferred(): boolean {
    return this.wire ? this.wire.deferred === true : (this.flags & DEFERRED) !== 0;
  }

  /** The element whose body holds the document. */
  get element(): number | undefined {
    return this.field.document.origin.element;
  }

  /** The number of the root, if several follow one another. */
  get root(): number {
    return this.field.document.origin.root ?? 0;
  }

  /** The number of the document; 0 is the answer. */
  get document(): number {
    return this.field.document.number;
  }

  /** The event on the wire, as the command prints it. */
  toJSON(): WireEvent {
    if (this.wire) return this.wire;
    const wire: Record<string, unknown> = { event: "patch", kind: this.kind, path: this.path };
    wire.wildcard_path = this.wildcardPath;
    wire.pointer = this.pointer;
    if (this.kind === "delta") wire.delta = this.delta;
    const value = this.#shown();
    if (value !== undefined) wire.value = value;
    wire.is_complete = this.isComplete;
    if (this.completion) wire.completion = this.completion;
    if (this.repaired) wire.repaired = true;
    if (this.deferred) wire.deferred = true;
    wire.span = this.span;
    return Object.assign(wire, this.field.document.origin) as unknown as WireEvent;
  }

  /** The value that the wire repeats: of leaves, and the empty one where a container opens. */
  #shown(): Json | undefined {
    const kind = (this.flags >> 4) & 15;
    if (this.kind === "open") return kind === STRING ? "" : kind === LIST ? [] : {};
    return this.kind === "done" && kind !== LIST && kind !== OBJECT ? this.value : undefined;
  }

  /** How node prints it: without what is only for this package. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    const { type, kind, path, delta, value, isComplete, span } = this;
    return { type, kind, path, delta, value, isComplete, span };
  }
}

/** Text outside the payload. */
export class TextEvent {
  readonly type = "text" as const;
  /** The channel that the tag set sends it to; `text` outside elements. */
  readonly channel: string;
  readonly delta: string;
  readonly element: number | undefined;
  readonly span: Span;

  /** @internal */
  constructor(channel: string, delta: string, element: number, span: Span) {
    this.channel = channel;
    this.delta = delta;
    this.element = element === 0 ? undefined : element;
    this.span = span;
  }

  toJSON(): WireEvent {
    const { channel, element, delta, span } = this;
    return { event: "text", channel, ...(element !== undefined && { element }), delta, span };
  }
}

/** A piece of the model's reasoning. */
export class ReasoningEvent {
  readonly type = "reasoning" as const;
  readonly delta: string;
  readonly element: number | undefined;
  readonly span: Span;

  /** @internal */
  constructor(delta: string, element: number, span: Span) {
    this.delta = delta;
    this.element = element === 0 ? undefined : element;
    this.span = span;
  }

  toJSON(): WireEvent {
    const { element, delta, span } = this;
    return { event: "reasoning", delta, ...(element !== undefined && { element }), span };
  }
}

/** Something was skipped, repaired or guessed. */
export interface Notice {
  /** A stable name of what happened. */
  readonly code: string;
  readonly message: string;
  /** The field; empty if it is none. */
  readonly path: string;
  readonly span: Span;
  /** What the repair costs, and what the streamed reading would have cost. */
  readonly cost?: number;
  readonly streamedCost?: number;
}

/** A rule about the answer that it breaks. */
export interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly path?: string;
  readonly keyword?: string;
}

interface Others {
  reasoning_done: { readonly span: Span };
  element_open: {
    readonly id: number;
    readonly parent?: number;
    readonly name: string;
    readonly params: Readonly<Record<string, string>>;
    readonly channel: string;
    readonly span: Span;
  };
  element_close: { readonly id: number; readonly reason: string; readonly by?: number; readonly span: Span };
  stray: { readonly name: string; readonly span: Span };
  comment: { readonly element?: number; readonly delta: string; readonly isComplete: boolean; readonly span: Span };
  reclassify: { readonly from: number; readonly to: number; readonly channel: string };
  skipped: { readonly reason: string; readonly span: Span };
  notice: Notice;
  root_complete: { readonly offset: number; readonly document?: number };
  verdict: Failure;
}

/** An event that is none of patches, text, reasoning and the answer. */
export type OtherEvent = { [T in keyof Others]: { readonly type: T; toJSON(): WireEvent } & Others[T] }[keyof Others];

/** The last event. */
export class FinalEvent<T = unknown> {
  readonly type = "final" as const;
  readonly answer: Answer<T>;
  readonly #wire: WireEvent;

  /** @internal */
  constructor(answer: Answer<T>, wire: WireEvent) {
    this.answer = answer;
    this.#wire = wire;
  }

  toJSON(): WireEvent {
    return this.#wire;
  }
}

/** An event of a stream. `type` says which; `JSON.stringify` gives its line on the wire. */
export type Event<T = unknown> = Patch | TextEvent | ReasoningEvent | OtherEvent | FinalEvent<T>;

const camel = (name: string): string => name.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** The members of an object of the wire, with the names of JavaScript. */
export function named(wire: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(wire).map(([name, value]) => [camel(name), value]));
}

/** An event from its line on the wire. */
export function otherEvent(wire: WireEvent): OtherEvent {
  const { event: type, ...members } = wire;
  const made = { type, ...named(members) };
  if (type === "notice") Object.assign(made, { path: wire.path ?? "" });
  Object.defineProperty(made, "toJSON", { value: () => wire });
  return made as unknown as OtherEvent;
}

/** A notice from the wire. */
export function noticeOf(wire: object): Notice {
  return { path: "", ...named(wire) } as unknown as Notice;
}
