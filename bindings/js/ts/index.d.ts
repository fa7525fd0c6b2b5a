/**
 * Turns the token stream of a language model into fields while the model is still writing.
 *
 * ```ts
 * import { read } from "patchwire";
 *
 * const answer = read(stream, { schema: Report }); // zod, valibot, arktype, or JSON Schema
 * for await (const delta of answer.text("summary")) write(delta);
 * const report = await answer.data();
 * ```
 *
 * @module
 */
export { Answer, type DataOptions, type Outcome } from "./answer.js";
export type { Call } from "./decode.js";
export { ready } from "./engine.js";
export * from "./errors.js";
export { FinalEvent, Patch, ReasoningEvent, TextEvent } from "./events.js";
export type { Completion, Event, Failure, Json, Notice, OtherEvent, PatchKind, Span, WireEvent } from "./events.js";
export { type CallPart, type Piece, pieceOf } from "./items.js";
export { type Checked, type Names, Parser, check, names, parse, prompt } from "./parser.js";
export { type FieldStream, type ReadOptions, Reader, read } from "./read.js";
export type { AnySchema, StandardSchema, TypeOf } from "./schema.js";
export type { Source } from "./sources.js";
export { type Format, Spec, type SpecOptions } from "./spec.js";
export { type UIChunk, type UIOptions, toUIMessageStream } from "./ui_messages.js";
export type { DeepPartial, EachOf, ItemOf, PathOf, TypeAtPath } from "./types.js";
