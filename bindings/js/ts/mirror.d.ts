import type { Json, WireEvent } from "./events.js";
export type Key = string | number;
/** Where a document comes from, as on the wire. */
export interface Origin {
    readonly element?: number;
    readonly root?: number;
}
type Container = Json[] | {
    [name: string]: Json;
};
/** A field: one value of a document, on the way from the root to the last patch. */
export declare class Field {
    readonly document: Document;
    readonly parent: Field | null;
    readonly key: Key;
    readonly path: string;
    value: Json | undefined;
    isComplete: boolean;
    /** The snapshot that the value may still be shared with. */
    version: number;
    constructor(document: Document, parent: Field | null, key: Key, value: Json | undefined);
    get wildcardPath(): string;
    get pointer(): string;
}
/** A step of a path as it is printed. */
export declare function step(key: Key, isFirst: boolean): string;
/** One document: the answer, a further root, or the body of an element. */
export declare class Document {
    #private;
    readonly number: number;
    readonly origin: Origin;
    version: number;
    /** The fields from the root to the last one, and others behind them that are replaced: it costs much to shorten a list. */
    readonly line: Field[];
    /** Open fields that the line left. */
    readonly left: Field[];
    constructor(number: number, origin: Origin);
    get value(): Json | undefined;
    /** The value, which no later patch changes. What did not change since is shared with the last one. */
    snapshot(): Json | undefined;
    /** A field begins at this depth. */
    open(depth: number, key: Key, value: Json | undefined): Field;
    /** Goes back to a field that was opened before. */
    turn(depth: number, key: Key): void;
    /** The field at this depth, to which the line has just turned, has this value. A root may not have begun. */
    put(depth: number, value: Json): void;
    /** A text grows. */
    grow(field: Field, delta: string): void;
    /** A field has another value. */
    change(field: Field, value: Json): void;
    complete(depth: number): Field;
    /** Whether the value at this path may still change. */
    isOpen(path: string): boolean;
    /** The container of a field, as one that no snapshot shares. */
    own(field: Field): Container;
    /** Nothing but the root is known. */
    leave(): void;
    /** A patch in any order, by its pointer: from the finalizer, or from a server. */
    apply(wire: WireEvent, depth: number): void;
}
/** The member or item of a container. Names that every object has are not taken for members. */
export declare function get(value: Json | undefined, key: Key): Json | undefined;
/** All documents of a stream. */
export declare class Mirror {
    readonly documents: Map<number, Document>;
    document(number: number, origin?: Origin): Document;
    /** The document of the answer, once it has begun. */
    get answer(): Document | undefined;
}
/** The steps of a printed path; `undefined` if it cannot be read. `*` stands for any item or member. */
export declare function stepsOf(path: string): Key[] | undefined;
export {};
