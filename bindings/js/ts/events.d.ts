import type { Answer } from "./answer.js";
/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | {
    [name: string]: Json;
};
/** Bytes of the stream: the first, and the one after the last. */
export type Span = readonly [start: number, end: number];
/** What a patch does: `open` and `replace` set the value, `delta` appends, `done` completes, `remove` deletes. */
export type PatchKind = "open" | "delta" | "done" | "replace" | "remove";
/** How the end of a value is known. */
export type Completion = "observed" | "end_of_input" | "reconciled";
/** An event on the wire: a line of the command `patchwire parse`. */
export interface WireEvent {
    readonly event: string;
    readonly [member: string]: unknown;
}
/** A field opened, grew, was completed, replaced or removed. */
export declare class Patch {
    #private;
    readonly type: "patch";
    readonly kind: PatchKind;
    /** The path of the field, such as `rows[0].name`; empty for the root. */
    readonly path: string;
    /** The new text of a string; otherwise empty. */
    readonly delta: string;
    /** The value of the field so far. Lists and objects grow in place; `structuredClone` keeps one as it is. */
    readonly value: Json | undefined;
    /** Whether the field is complete. */
    readonly isComplete: boolean;
    /** The first byte of the stream that made the change. */
    readonly start: number;
    /** The byte after the last one. */
    readonly end: number;
    get span(): Span;
    /** The path with `[*]` for each index of a list. */
    get wildcardPath(): string;
    /** The path as a JSON Pointer. */
    get pointer(): string;
    /** How the end of the value is known, if the patch completes it. */
    get completion(): Completion | undefined;
    /** Whether a rule of lenient reading shaped the value. */
    get repaired(): boolean;
    /** Whether the value was read whole before it was emitted. */
    get deferred(): boolean;
    /** The element whose body holds the document. */
    get element(): number | undefined;
    /** The number of the root, if several follow one another. */
    get root(): number;
    /** The number of the document; 0 is the answer. */
    get document(): number;
    /** The event on the wire, as the command prints it. */
    toJSON(): WireEvent;
}
/** Text outside the payload. */
export declare class TextEvent {
    readonly type: "text";
    /** The channel that the tag set sends it to; `text` outside elements. */
    readonly channel: string;
    readonly delta: string;
    readonly element: number | undefined;
    readonly span: Span;
    toJSON(): WireEvent;
}
/** A piece of the model's reasoning. */
export declare class ReasoningEvent {
    readonly type: "reasoning";
    readonly delta: string;
    readonly element: number | undefined;
    readonly span: Span;
    toJSON(): WireEvent;
}
/** Something was skipped, repaired or guessed. */
export interface Notice {
    /** A stable name of what happened. */
    readonly code: string;
    readonly message: string;
    /** The field; empty if it is none. */
    readonly path: string;
    readonly span: Span;
    /** What the repair costs, and what the streamed reading would have cost. */
    readonly cost?: number;
    readonly streamedCost?: number;
}
/** A rule about the answer that it breaks. */
export interface Failure {
    readonly kind: string;
    readonly message: string;
    readonly path?: string;
    readonly keyword?: string;
}
interface Others {
    reasoning_done: {
        readonly span: Span;
    };
    element_open: {
        readonly id: number;
        readonly parent?: number;
        readonly name: string;
        readonly params: Readonly<Record<string, string>>;
        readonly channel: string;
        readonly span: Span;
    };
    element_close: {
        readonly id: number;
        readonly reason: string;
        readonly by?: number;
        readonly span: Span;
    };
    stray: {
        readonly name: string;
        readonly span: Span;
    };
    comment: {
        readonly element?: number;
        readonly delta: string;
        readonly isComplete: boolean;
        readonly span: Span;
    };
    reclassify: {
        readonly from: number;
        readonly to: number;
        readonly channel: string;
    };
    skipped: {
        readonly reason: string;
        readonly span: Span;
    };
    notice: Notice;
    root_complete: {
        readonly offset: number;
        readonly document?: number;
    };
    verdict: Failure;
}
/** An event that is none of patches, text, reasoning and the answer. */
export type OtherEvent = {
    [T in keyof Others]: {
        readonly type: T;
        toJSON(): WireEvent;
    } & Others[T];
}[keyof Others];
/** The last event. */
export declare class FinalEvent<T = unknown> {
    #private;
    readonly type: "final";
    readonly answer: Answer<T>;
    toJSON(): WireEvent;
}
/** An event of a stream. `type` says which; `JSON.stringify` gives its line on the wire. */
export type Event<T = unknown> = Patch | TextEvent | ReasoningEvent | OtherEvent | FinalEvent<T>;
/** The members of an object of the wire, with the names of JavaScript. */
export declare function named(wire: object): Record<string, unknown>;
/** An event from its line on the wire. */
export declare function otherEvent(wire: WireEvent): OtherEvent;
/** A notice from the wire. */
export declare function noticeOf(wire: object): Notice;
export {};
