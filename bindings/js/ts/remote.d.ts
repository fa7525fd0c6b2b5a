import { Answer } from "./answer.js";
import type { Call } from "./decode.js";
import { type Event, type Json, type WireEvent } from "./events.js";
import type { Validate } from "./schema.js";
/** Builds the value of a stream of events. */
export declare class Remote<T> {
    #private;
    answer: Answer<T> | undefined;
    constructor(validate?: Validate);
    get live(): Json | undefined;
    /** Patches of a server copy what they change, so the live value is a snapshot. */
    snapshot(): Json | undefined;
    isOpen(path: string): boolean;
    get calls(): readonly Call[];
    /** The event of a line. */
    take(wire: WireEvent): Event<T>[];
}
/** The value at a path of a value. */
export declare function at(value: Json | undefined, path: string): Json | undefined;
