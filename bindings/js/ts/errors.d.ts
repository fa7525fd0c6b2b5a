import type { Answer } from "./answer.js";
import type { Event } from "./events.js";
/** An error of this package. Each has a `code` that stays the same. */
export declare class PatchwireError extends Error {
    readonly name: string;
    /** A stable name of what is wrong. */
    readonly code: string;
    constructor(code: string, message: string, options?: ErrorOptions);
}
/** The module is not loaded yet: `await ready()` first. */
export declare class NotReadyError extends PatchwireError {
    readonly name = "NotReadyError";
    constructor();
}
/** Options that cannot be used. */
export declare class OptionError extends PatchwireError {
    readonly name = "OptionError";
    /** The option that is wrong; empty if it is none of them. */
    readonly option: string;
    constructor(option: string, message: string, options?: ErrorOptions);
}
/** The engine stopped: a limit was reached, or strict reading met a slip. */
export declare class StreamError extends PatchwireError {
    readonly name = "StreamError";
    /** The byte at which it stopped. */
    readonly offset: number;
    /** The events of the same chunk, from before it stopped. */
    readonly events: readonly Event<never>[];
}
/** The source of the tokens failed, or gives something that is not understood. */
export declare class SourceError extends PatchwireError {
    readonly name = "SourceError";
    constructor(message: string, options?: ErrorOptions);
}
/** A path that cannot be read, or that the schema or the answer does not have. */
export declare class PathError extends PatchwireError {
    readonly name = "PathError";
    readonly path: string;
    constructor(path: string, message: string);
}
/** The answer was cut. The error has what arrived. */
export declare class CutError<T = unknown> extends PatchwireError {
    readonly name = "CutError";
    /** The path that was being written; empty if none is known. */
    readonly path: string;
    /** What arrived: of the answer, or of the part that was asked for. */
    readonly value: unknown;
    /** The answer, if all of it was asked for. */
    readonly answer: Answer<T> | undefined;
    constructor(path: string, value: unknown, answer?: Answer<T>);
}
/** The answer has no value: the model wrote only text, reasoning or tool calls, or nothing. */
export declare class NoValueError<T = unknown> extends PatchwireError {
    readonly name = "NoValueError";
    readonly answer: Answer<T>;
    constructor(answer: Answer<T>);
}
/** The value does not fit the schema. */
export declare class InvalidError extends PatchwireError {
    readonly name = "InvalidError";
    readonly issues: readonly Issue[];
    readonly value: unknown;
    constructor(issues: readonly Issue[], value: unknown);
}
/** What a validator says about a value, as in Standard Schema. */
export interface Issue {
    readonly message: string;
    readonly path?: ReadonlyArray<PropertyKey | {
        readonly key: PropertyKey;
    }> | undefined;
}
/** Reading was given up by the caller. */
export declare class CancelledError extends PatchwireError {
    readonly name = "CancelledError";
    constructor(message?: string, options?: ErrorOptions);
}
/** A bug of the engine. This parser is lost; others go on, and new ones can be made. */
export declare class PanicError extends PatchwireError {
    readonly name = "PanicError";
    constructor(message: string, options?: ErrorOptions);
}
