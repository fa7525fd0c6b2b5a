// Everything that this package throws. `code` is stable; the message says what is wrong and what to do.

import type { Answer } from "./answer.js";
import type { Event } from "./events.js";

/** An error of this package. Each has a `code` that stays the same. */
export class PatchwireError extends Error {
  override readonly name: string = "PatchwireError";
  /** A stable name of what is wrong. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The module is not loaded yet: `await ready()` first. */
export class NotReadyError extends PatchwireError {
  override readonly name = "NotReadyError";

  constructor() {
    super("not_ready", "the WebAssembly module is not loaded yet; `await ready()` once, before the first call");
  }
}

/** Options that cannot be used. */
export class OptionError extends PatchwireError {
  override readonly name = "OptionError";
  /** The option that is wrong; empty if it is none of them. */
  readonly option: string;

  constructor(option: string, message: string, options?: ErrorOptions) {
    super("option", option === "" ? message : `\`${option}\`: ${message}`, options);
    this.option = option;
  }
}

/** The engine stopped: a limit was reached, or strict reading met a slip. */
export class StreamError extends PatchwireError {
  override readonly name = "StreamError";
  /** The byte at which it stopped. */
  readonly offset: number;
  /** The events of the same chunk, from before it stopped. */
  readonly events: readonly Event<never>[];

  /** @internal */
  constructor(code: string, message: string, offset: number, events: readonly Event<never>[]) {
    super(code, `${message} at byte ${offset}`);
    this.offset = offset;
    this.events = events;
  }
}

/** The source of the tokens failed, or gives something that is not understood. */
export class SourceError extends PatchwireError {
  override readonly name = "SourceError";

  constructor(message: string, options?: ErrorOptions) {
    super("source", message, options);
  }
}

/** A path that cannot be read, or that the schema or the answer does not have. */
export class PathError extends PatchwireError {
  override readonly name = "PathError";
  readonly path: string;

  constructor(path: string, message: string) {
    super("path", message);
    this.path = path;
  }
}

/** The answer was cut. The error has what arrived. */
export class CutError<T = unknown> extends PatchwireError {
  override readonly name = "CutError";
  /** The path that was being written; empty if none is known. */
  readonly path: string;
  /** What arrived: of the answer, or of the part that was asked for. */
  readonly value: unknown;
  /** The answer, if all of it was asked for. */
  readonly answer: Answer<T> | undefined;

  constructor(path: string, value: unknown, answer?: Answer<T>) {
    const where = path === "" ? "" : ` inside \`${path}\``;
    super("cut", `the answer was cut${where}; ${answer ? "`data({ partial: true })` reads what arrived" : "the error has what arrived"}`);
    this.path = path;
    this.value = value;
    this.answer = answer;
  }
}

/** The answer has no value: the model wrote only text, reasoning or tool calls, or nothing. */
export class NoValueError<T = unknown> extends PatchwireError {
  override readonly name = "NoValueError";
  readonly answer: Answer<T>;

  constructor(answer: Answer<T>) {
    super("no_value", `the answer has no value: ${instead(answer as Answer)}`);
    this.answer = answer;
  }
}

/** The value does not fit the schema. */
export class InvalidError extends PatchwireError {
  override readonly name = "InvalidError";
  readonly issues: readonly Issue[];
  readonly value: unknown;

  constructor(issues: readonly Issue[], value: unknown) {
    super("invalid", `the value does not fit the schema: ${issues.slice(0, 5).map(shown).join("; ")}${issues.length > 5 ? `; and ${issues.length - 5} more` : ""}`);
    this.issues = issues;
    this.value = value;
  }
}

/** What a validator says about a value, as in Standard Schema. */
export interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** Reading was given up by the caller. */
export class CancelledError extends PatchwireError {
  override readonly name = "CancelledError";

  constructor(message = "the stream was cancelled", options?: ErrorOptions) {
    super("cancelled", message, options);
  }
}

/** A bug of the engine. This parser is lost; others go on, and new ones can be made. */
export class PanicError extends PatchwireError {
  override readonly name = "PanicError";

  constructor(message: string, options?: ErrorOptions) {
    super("panic", `a bug in patchwire, please report it: ${message}`, options);
  }
}

function instead({ outcome, calls, text, reasoning, refusal }: Answer): string {
  if (refusal !== undefined) return refusal === "" ? "the model refused" : `the model refused, ${beginning(refusal)}`;
  if (calls.length > 0 && (outcome === "tool_calls" || text.trim() === "")) return `the model called tools (${calls.map(({ name }) => `\`${name}\``).join(", ")})`;
  if (text.trim() !== "") return `the model wrote only text, ${beginning(text)}`;
  if (reasoning.trim() !== "") return `the model wrote only reasoning, ${beginning(reasoning)}`;
  return "the model wrote nothing";
}

/** The first words of a text on one line, in quotes. */
function beginning(text: string): string {
  const line = text.trim().split(/\s+/u).join(" ");
  return line.length <= 60 ? `which is “${line}”` : `which begins “${line.slice(0, 59)}…”`;
}

function shown({ message, path }: Issue): string {
  const steps = (path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const at = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const place = at.replace(/^\./u, "");
  // The engine's own messages begin with the place.
  return place === "" || message.startsWith(place) ? message : `${place}: ${message}`;
}
