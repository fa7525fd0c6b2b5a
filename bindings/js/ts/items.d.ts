import type { WireEvent } from "./events.js";
/** A part of a tool call that the provider sends in a field of its own. */
export interface CallPart {
    /** Which call of the answer it is; left out, it is a call that comes whole. */
    readonly at?: string | number | undefined;
    readonly id?: string | undefined;
    readonly name?: string | undefined;
    /** More of the arguments, as JSON text. */
    readonly arguments?: string | undefined;
}
/** What a chunk adds to the answer. */
export interface Piece {
    readonly text?: string | Uint8Array | null | undefined;
    readonly reasoning?: string | null | undefined;
    /** What the model says where it refuses, which is no text of the answer. */
    readonly refusal?: string | null | undefined;
    readonly calls?: readonly CallPart[] | undefined;
    /** An event that a server of patchwire sent. */
    readonly event?: WireEvent | undefined;
}
/** The piece in a chunk of a client. */
export declare function pieceOf(item: unknown): Piece;
/** The chunks in the JSON of a whole body: a completion, or the list that Gemini sends without server-sent events. `null` if it is none. */
export declare function chunksOfBody(body: unknown): unknown[] | null;
