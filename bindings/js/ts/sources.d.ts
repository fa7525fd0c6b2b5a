import { SourceError } from "./errors.js";
import { type Piece } from "./items.js";
import { Queue } from "./queue.js";
/** What can be read: text, a stream of text, bytes or chunks of a client, a response, or an `EventSource`. */
export type Source = string | Uint8Array | AsyncIterable<unknown> | Iterable<unknown> | ReadableStream<unknown> | Response | EventSource | Streaming | Observed;
/** A result of the package `ai`. */
export interface Streaming {
    readonly fullStream: AsyncIterable<unknown> | ReadableStream<unknown>;
}
/** What the agents of AG-UI return: an observable of RxJS, or one like it. */
export interface Observed {
    subscribe(observer: {
        next(value: unknown): void;
        error(error: unknown): void;
        complete(): void;
    }): {
        unsubscribe(): void;
    };
}
/**
 * What a chunk adds to the answer: a piece, its text, or nothing. Of server-sent events, `data` is what was sent, and the
 * chunk its JSON: `undefined` if it is none.
 */
export type Pick = (chunk: never, data?: string) => Piece | string | null | undefined;
/** An `EventSource` that is listened to: what it sends before somebody reads is kept. */
declare class Listened {
    #private;
    readonly waiting: Queue<unknown>;
    failure: SourceError | undefined;
    wake: () => void;
    constructor(source: EventSource);
    close(): void;
}
/** A source, once something listens to it. An `EventSource` sends from now on, and not from the first read on. */
export type Prepared = Source | PromiseLike<Source> | Listened;
/** Listens to a source that does not wait for its reader. */
export declare function prepared(source: Source | PromiseLike<Source>): Prepared;
/** The pieces of a source, one at a time. The signal stops the source even while it is waited for. */
export declare function pieces(source: Prepared, pick: Pick | undefined, signal: AbortSignal): AsyncGenerator<Piece>;
/** Gives up a source that nobody has read yet, so that its request ends. */
export declare function abandon(source: Exclude<Prepared, PromiseLike<Source>>): void;
export {};
