// The result of a stream.

import type { Call } from "./decode.js";
import { CutError, InvalidError, type Issue, NoValueError } from "./errors.js";
import { type Failure, type Json, type Notice, type WireEvent, named, noticeOf } from "./events.js";
import { type Key, get, stepsOf } from "./mirror.js";
import type { Validate } from "./schema.js";
import type { DeepPartial } from "./types.js";

/** How an answer ended. */
export type Outcome = "complete" | "truncated" | "repaired" | "tool_calls" | "no_answer" | "empty" | "failed";

/** What `data` accepts. */
export interface DataOptions {
  /** Accepts an answer that was cut: what arrived is then not validated. */
  readonly partial?: boolean;
}

/** The result of a stream: its value, text, reasoning, calls and notices. Reading it never parses again. */
export class Answer<T = unknown> {
  /** How the answer ended. */
  readonly outcome: Outcome;
  /** The value as it is written, not validated; `null` if there is none. */
  readonly value: DeepPartial<T> | null;
  /** The value as JSON, with every digit of its numbers. */
  readonly json: string;
  /** The text of the answer without reasoning, outside payloads. */
  readonly text: string;
  readonly reasoning: string;
  /** What was skipped, repaired or guessed. */
  readonly notices: readonly Notice[];
  /** The number of notices, those past the limit included. */
  readonly noticeCount: number;
  /** The rules that the value breaks. */
  readonly failures: readonly Failure[];
  #calls: readonly Call[] = [];
  #refusal: string | undefined;
  readonly #validate: Validate | undefined;
  readonly #hasValue: boolean;

  /** @internal */
  constructor(wire: WireEvent, json: string, validate?: Validate) {
    const notices = wire.notices as object[];
    this.outcome = wire.outcome as Outcome;
    this.value = wire.value as DeepPartial<T> | null;
    this.json = json;
    this.text = wire.text as string;
    this.reasoning = wire.reasoning as string;
    this.notices = notices.map(noticeOf);
    this.noticeCount = (wire.notice_count as number | undefined) ?? notices.length;
    this.failures = ((wire.failures as object[] | undefined) ?? []).map((one) => named(one) as unknown as Failure);
    // A value that is null is complete, repaired or cut; without a value the outcome is another one.
    this.#hasValue = this.value !== null || ["complete", "repaired", "truncated"].includes(this.outcome);
    this.#validate = validate;
  }

  /** The tool calls that the model wrote as text. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  /** What the model said where it refused, in the words of the provider; `undefined` if it did not. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** @internal Whether there is a value, `null` included. */
  get hasValue(): boolean {
    return this.#hasValue;
  }

  /** @internal */
  take(calls: readonly Call[]): void {
    this.#calls = calls;
  }

  /** @internal */
  refuse(refusal: string | undefined): void {
    this.#refusal = refusal;
  }

  /** The path at which the answer was cut; `undefined` if it was not. */
  get cutAt(): string | undefined {
    if (this.outcome !== "truncated") return undefined;
    return this.notices.findLast(({ code }) => code === "truncated")?.path ?? "";
  }

  /** Whether the value at a path is not whole because the answer was cut. */
  isCutAt(path: string): boolean {
    const cut = this.cutAt;
    if (cut === undefined || !cut.startsWith(path)) return false;
    return path === "" || cut.length === path.length || ".[".includes(cut[path.length]!);
  }

  /** The value at a path; `undefined` if there is none. */
  at(path: string): Json | undefined {
    const steps = stepsOf(path);
    return steps?.reduce<Json | undefined>((value, step: Key) => get(value, step), this.value as Json);
  }

  /**
   * The value, validated by the schema. Rejects with a `CutError` if the answer was cut, with a `NoValueError` if the
   * model wrote no value, and with an `InvalidError` if the value does not fit the schema, or breaks a rule such as `ensure`.
   */
  async data({ partial = false }: DataOptions = {}): Promise<T> {
    if (!this.#hasValue) throw new NoValueError(this);
    const isCut = this.outcome === "truncated";
    if (isCut && !partial) throw new CutError(this.cutAt!, this.value, this);
    if (isCut) return this.value as T;
    const result = this.#validate ? await this.#validate(this.value) : { value: this.value };
    // The validator knows more, so its issues come first.
    const issues = result.issues ?? this.failures.map(issueOf);
    if (result.issues || issues.length > 0) throw new InvalidError(issues, this.value);
    return result.value as T;
  }
}

function issueOf({ message, path }: Failure): Issue {
  const steps = path === undefined ? undefined : stepsOf(path);
  return { message, ...(steps && { path: steps }) };
}
