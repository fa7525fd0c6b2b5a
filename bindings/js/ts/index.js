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
export { Answer } from "./answer.js";
export { ready } from "./engine.js";
export * from "./errors.js";
export { FinalEvent, Patch, ReasoningEvent, TextEvent } from "./events.js";
export { pieceOf } from "./items.js";
export { Parser, check, names, parse, prompt } from "./parser.js";
export { Reader, read } from "./read.js";
export { Spec } from "./spec.js";
export { toUIMessageStream } from "./ui_messages.js";
