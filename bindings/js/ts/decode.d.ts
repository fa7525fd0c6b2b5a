import { Answer } from "./answer.js";
import type { Engine } from "./engine.js";
import { type Event, type Json } from "./events.js";
import { Mirror } from "./mirror.js";
import type { Validate } from "./schema.js";
/** A tool call that the model wrote as text. */
export interface Call {
    readonly id?: string;
    readonly name: string;
    readonly arguments: Json;
    readonly isComplete: boolean;
}
/** Decodes the records of one stream. */
export declare class Decoder<T> {
    #private;
    readonly mirror: Mirror;
    answer: Answer<T> | undefined;
    constructor(validate?: Validate);
    /**
     * The events of the last result of the module, which is that of this chunk if it is text. Throws the error that
     * stopped the stream, with the events before it.
     */
    take(engine: Engine, chunk: string): Event<T>[];
}
