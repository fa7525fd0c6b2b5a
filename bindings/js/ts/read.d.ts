import type { Answer, DataOptions } from "./answer.js";
import type { Call } from "./decode.js";
import type { Event } from "./events.js";
import type { AnySchema, TypeOf } from "./schema.js";
import { type Pick, type Source } from "./sources.js";
import { Spec, type SpecOptions } from "./spec.js";
import type { DeepPartial, EachOf, PathOf, TypeAtPath } from "./types.js";
/** A stream of values that can be iterated, too. */
export type FieldStream<V> = ReadableStream<V> & AsyncIterable<V>;
/** How a stream is read. */
export interface ReadOptions<S extends AnySchema = AnySchema> extends SpecOptions<S> {
    /** Ends the reading and the source. */
    readonly signal?: AbortSignal | undefined;
    /** Says what is in a chunk of a client that is not known. */
    readonly pick?: Pick | undefined;
}
/** Reads a stream. Nothing is read before an event or a part is asked for. */
export declare function read<S extends AnySchema = AnySchema>(source: Source | PromiseLike<Source>, options?: ReadOptions<S> | Spec<TypeOf<S>>): Reader<TypeOf<S>>;
/**
 * An answer that is being read. Its events can be iterated, and any number of its parts at the same time. The source
 * is asked for more only when one of them waits.
 */
export declare class Reader<T = unknown> implements AsyncIterable<Event<T>> {
    #private;
    constructor(source: Source | PromiseLike<Source>, options?: ReadOptions | Spec<T>);
    /** Every event from now on. Leaving the loop ends the reading, unless another part is still read. */
    [Symbol.asyncIterator](): AsyncIterator<Event<T>>;
    /** Every event from now on, as a stream. */
    events(): FieldStream<Event<T>>;
    /** One field, when it is complete. */
    get<P extends PathOf<T>>(path: P): Promise<TypeAtPath<T, P>>;
    /** The text of one field, as it is written. */
    text<P extends PathOf<T>>(path: P): FieldStream<string>;
    /** The value so far, of the answer or of one field, whenever it grew: at most once for each chunk of the source. */
    values<P extends PathOf<T> | "" = "">(path?: P): FieldStream<DeepPartial<TypeAtPath<T, P>>>;
    /** The items of a list, each when it is whole. */
    each<P extends PathOf<T> | "">(path: P): FieldStream<EachOf<T, P>>;
    /** The model's reasoning, as it is written. */
    reasoning(): FieldStream<string>;
    /** The tool calls so far: those of the provider, and those that the model wrote as text. */
    get calls(): readonly Call[];
    /** The value so far, as one that does not change. `undefined` until the payload begins. */
    get value(): DeepPartial<T> | undefined;
    /** The answer, once all of it was read. */
    get answer(): Promise<Answer<T>>;
    /**
     * The value of the answer, validated by the schema. Rejects if the answer was cut (`CutError`), if there is no value
     * (`NoValueError`), or if it does not fit (`InvalidError`).
     */
    data(options?: DataOptions): Promise<T>;
    /** Ends the reading and the source. Parts that are still read fail with the reason. */
    cancel(reason?: unknown): void;
    [Symbol.asyncDispose](): Promise<void>;
}
