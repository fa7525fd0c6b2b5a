// An answer as the stream of UI messages that `useChat` of the package `ai` reads.

import type { Call } from "./decode.js";
import { CutError } from "./errors.js";
import type { Reader } from "./read.js";

/** A chunk of a UI message. */
export type UIChunk =
  | { readonly type: "start" | "start-step" | "finish-step" | "finish" }
  | { readonly type: "tool-input-available"; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: `data-${string}`; readonly id: string; readonly data: unknown }
  | { readonly type: "error"; readonly errorText: string };

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
export function toUIMessageStream<T>(reader: Reader<T>, { name = "answer", every = 50 }: UIOptions = {}): ReadableStream<UIChunk> {
  const chunks = chunksOf(reader, `data-${name}`, every);
  return new ReadableStream<UIChunk>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

async function* chunksOf<T>(reader: Reader<T>, type: `data-${string}`, every: number): AsyncGenerator<UIChunk> {
  let open: "text" | "reasoning" | undefined;
  let count = 0;
  let last = -Infinity;
  const id = (): string => `${open ?? ""}-${count}`;
  const close = (): UIChunk[] => {
    if (!open) return [];
    const chunk: UIChunk = { type: `${open}-end`, id: id() };
    open = undefined;
    return [chunk];
  };
  yield { type: "start" };
  try {
    for await (const event of reader) {
      if (event.type === "text" || event.type === "reasoning") {
        if (open !== event.type) {
          yield* close();
          // Blanks around the payload are no part of their own.
          if (event.delta.trim() === "") continue;
          [open, count] = [event.type, count + 1];
          yield { type: `${open}-start`, id: id() };
        }
        yield { type: `${open}-delta`, id: id(), delta: event.delta };
      } else if (event.type === "patch" && event.document === 0) {
        yield* close();
        const now = Date.now();
        if (now - last < every) continue;
        last = now;
        yield { type, id: "answer", data: reader.value };
      }
    }
    yield* close();
    const answer = await reader.answer;
    if (answer.value !== null) yield { type, id: "answer", data: answer.value };
    yield* callsOf(answer.calls);
    if (answer.cutAt !== undefined) throw new CutError(answer.cutAt, answer.value);
    yield { type: "finish" };
  } catch (error) {
    yield* close();
    yield { type: "error", errorText: error instanceof Error ? error.message : String(error) };
  }
}

/** Calls whose arguments were cut are left out: nobody may run half of one. */
function* callsOf(calls: readonly Call[]): Generator<UIChunk> {
  for (const [at, { id, name, arguments: input, isComplete }] of calls.entries()) {
    if (isComplete) yield { type: "tool-input-available", toolCallId: id ?? `call-${at + 1}`, toolName: name, input };
  }
}
