import type { Reader } from "./read.js";
/** A chunk of a UI message. */
export type UIChunk = {
    readonly type: "start" | "start-step" | "finish-step" | "finish";
} | {
    readonly type: "tool-input-available";
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
} | {
    readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end";
    readonly id: string;
} | {
    readonly type: "text-delta" | "reasoning-delta";
    readonly id: string;
    readonly delta: string;
} | {
    readonly type: `data-${string}`;
    readonly id: string;
    readonly data: unknown;
} | {
    readonly type: "error";
    readonly errorText: string;
};
/** How an answer is sent. */
export interface UIOptions {
    /** The name of the data part: `useChat` gives the value so far as a part of the type `data-answer`. */
    readonly name?: string;
    /** Milliseconds between two values. */
    readonly every?: number;
}
/**
 * The answer as chunks of a UI message, for `createUIMessageStreamResponse({ stream })`. The value so far is one data part,
 * which each chunk replaces; text around the payload, reasoning and whole tool calls are parts of their own. An answer that
 * was cut ends with an error.
 */
export declare function toUIMessageStream<T>(reader: Reader<T>, { name, every }?: UIOptions): ReadableStream<UIChunk>;
