import type { Answer } from "./answer.js";
import { PathError } from "./errors.js";
import type { Event, Json, Patch } from "./events.js";
import { type Key } from "./mirror.js";
/** What parts read. */
export interface Reading {
    readonly live: Json | undefined;
    snapshot(): unknown;
    isOpen(path: string): boolean;
}
/** A part of an answer. */
export interface Part<V> {
    /** Takes an event of the stream. */
    take(event: Event): void;
    /** The stream ended; with an error if it broke off. */
    end(answer: Answer | undefined): void;
    /** The next value, if there is one. */
    next(): {
        value: V;
    } | undefined;
    readonly isClosed: boolean;
    readonly error: unknown;
}
/** A path as it is printed, and whether patches are of it. */
export declare class Place {
    #private;
    readonly path: string;
    constructor(path: string);
    is(path: string): boolean;
    /** The index or name of an item of this place, if the path is of one. */
    itemOf(path: string): Key | undefined;
    /** Whether a change at the path changes the value of this place. */
    concerns(path: string): boolean;
    /** The first place in a value that has this path. */
    find(value: Json | undefined): {
        path: string;
        value: Json;
    } | undefined;
    /** An error for a place that the answer does not have. */
    missing(value: Json | undefined): PathError;
}
declare abstract class Base<V> implements Part<V> {
    isClosed: boolean;
    error: unknown;
    protected readonly place: Place;
    protected readonly reading: Reading;
    constructor(place: Place, reading: Reading);
    take(event: Event): void;
    end(answer: Answer | undefined): void;
    protected fail(error: unknown): void;
    abstract next(): {
        value: V;
    } | undefined;
    protected abstract patch(patch: Patch): void;
    protected abstract conclude(answer: Answer): void;
}
/** One field, when it is complete. */
export declare class Get extends Base<Json> {
    #private;
    constructor(place: Place, reading: Reading);
    protected patch(patch: Patch): void;
    protected conclude(answer: Answer): void;
    next(): {
        value: Json;
    } | undefined;
}
/** The text of one field, delta by delta. */
export declare class Text extends Base<string> {
    #private;
    constructor(place: Place, reading: Reading);
    protected patch(patch: Patch): void;
    protected conclude(answer: Answer): void;
    next(): {
        value: string;
    } | undefined;
}
/** The value of a field so far, whenever it grew. */
export declare class Values extends Base<unknown> {
    #private;
    constructor(place: Place, reading: Reading);
    protected patch(patch: Patch): void;
    protected conclude(answer: Answer): void;
    next(): {
        value: unknown;
    } | undefined;
}
/** The items of a list, or the members of a map, each when it is whole. */
export declare class Each extends Base<Json> {
    #private;
    constructor(place: Place, reading: Reading);
    protected patch(patch: Patch): void;
    protected conclude(answer: Answer): void;
    next(): {
        value: Json;
    } | undefined;
}
/** Every event from now on. */
export declare class All<T> implements Part<Event<T>> {
    #private;
    isClosed: boolean;
    readonly error: undefined;
    take(event: Event): void;
    end(): void;
    next(): {
        value: Event<T>;
    } | undefined;
}
/** The reasoning, delta by delta. */
export declare class Reasoning implements Part<string> {
    #private;
    isClosed: boolean;
    readonly error: undefined;
    constructor(before: string);
    take(event: Event): void;
    end(): void;
    next(): {
        value: string;
    } | undefined;
}
export {};
