import type { Answer } from "./answer.js";
import { type Call } from "./decode.js";
import type { Event } from "./events.js";
import type { AnySchema, TypeOf } from "./schema.js";
import { Spec, type SpecOptions } from "./spec.js";
import type { DeepPartial } from "./types.js";
/**
 * The parser of one stream. `feed` takes chunks, cut anywhere, and returns the events that they decide; `finish`
 * ends the stream. `free` gives its memory back at once; without it, that happens when the parser is collected.
 */
export declare class Parser<S extends AnySchema = AnySchema, T = TypeOf<S>> {
    #private;
    constructor(options?: SpecOptions<S> | Spec<T>);
    /** Reads a chunk, and returns the events that it decides. */
    feed(chunk: string | Uint8Array): Event<T>[];
    /** Reads reasoning that the provider sends in a field of its own. */
    feedReasoning(chunk: string): Event<T>[];
    /** Ends the stream. The last event is the answer. */
    finish(): Event<T>[];
    /** The answer; `undefined` before `finish`. */
    get answer(): Answer<T> | undefined;
    /** The value so far. It grows in place: read it, do not keep it. `undefined` until the payload begins. */
    get value(): DeepPartial<T> | undefined;
    /** The value so far as one that no later chunk changes. What did not change is shared with the last snapshot. */
    snapshot(): DeepPartial<T> | undefined;
    /** A copy of the value so far, without what is still being written. */
    settled(): DeepPartial<T> | null;
    /** The tool calls so far that the model wrote as text. */
    get calls(): readonly Call[];
    /** Gives the memory of the parser back. Later calls throw. */
    free(): void;
    [Symbol.dispose](): void;
}
/** Reads a whole text. */
export declare function parse<S extends AnySchema = AnySchema>(text: string | Uint8Array, options?: SpecOptions<S> | Spec<TypeOf<S>>): Answer<TypeOf<S>>;
/** The instructions that make a model write what these options read. */
export declare function prompt(options?: SpecOptions | Spec): string;
/** What `check` found. */
export interface Checked {
    /** How many cuts were tried. */
    readonly cuts: number;
    /** The byte at which a cut changes the events; `undefined` if none does. */
    readonly difference: number | undefined;
}
/**
 * Reads a text in two pieces, cut at every byte, and compares the events with those of the whole. Up to 20 KB every
 * cut is tried, beyond that at most 2,000 of them.
 */
export declare function check(text: string | Uint8Array, options?: SpecOptions | Spec): Checked;
/** The names that options have. */
export interface Names {
    readonly formats: readonly string[];
    readonly tags: readonly string[];
    readonly slips: readonly string[];
    readonly limits: readonly string[];
}
/** The names of formats, tag sets, slips and limits. */
export declare function names(): Names;
