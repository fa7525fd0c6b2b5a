import type { Call } from "./decode.js";
import { type Failure, type Json, type Notice } from "./events.js";
import type { DeepPartial } from "./types.js";
/** How an answer ended. */
export type Outcome = "complete" | "truncated" | "repaired" | "tool_calls" | "no_answer" | "empty" | "failed";
/** What `data` accepts. */
export interface DataOptions {
    /** Accepts an answer that was cut: what arrived is then not validated. */
    readonly partial?: boolean;
}
/** The result of a stream: its value, text, reasoning, calls and notices. Reading it never parses again. */
export declare class Answer<T = unknown> {
    #private;
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
    /** The tool calls that the model wrote as text. */
    get calls(): readonly Call[];
    /** What the model said where it refused, in the words of the provider; `undefined` if it did not. */
    get refusal(): string | undefined;
    /** The path at which the answer was cut; `undefined` if it was not. */
    get cutAt(): string | undefined;
    /** Whether the value at a path is not whole because the answer was cut. */
    isCutAt(path: string): boolean;
    /** The value at a path; `undefined` if there is none. */
    at(path: string): Json | undefined;
    /**
     * The value, validated by the schema. Rejects with a `CutError` if the answer was cut, with a `NoValueError` if the
     * model wrote no value, and with an `InvalidError` if the value does not fit the schema, or breaks a rule such as `ensure`.
     */
    data({ partial }?: DataOptions): Promise<T>;
}
