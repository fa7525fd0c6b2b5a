// An answer as the stream of UI messages that `useChat` of the package `ai` reads.
import { CutError } from "./errors.js";
/**
 * The answer as chunks of a UI message, for `createUIMessageStreamResponse({ stream })`. The value so far is one data part,
 * which each chunk replaces; text around the payload, reasoning and whole tool calls are parts of their own. An answer that
 * was cut ends with an error.
 */
export function toUIMessageStream(reader, { name = "answer", every = 50 } = {}) {
    const chunks = chunksOf(reader, `data-${name}`, every);
    return new ReadableStream({
        async pull(controller) {
            const { done, value } = await chunks.next();
            if (done)
                controller.close();
            else
                controller.enqueue(value);
        },
        async cancel(reason) {
            reader.cancel(reason);
        },
    }, { highWaterMark: 0 });
}
async function* chunksOf(reader, type, every) {
    let open;
    let count = 0;
    let last = -Infinity;
    const id = () => `${open ?? ""}-${count}`;
    const close = () => {
        if (!open)
            return [];
        const chunk = { type: `${open}-end`, id: id() };
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
                    if (event.delta.trim() === "")
                        continue;
                    [open, count] = [event.type, count + 1];
                    yield { type: `${open}-start`, id: id() };
                }
                yield { type: `${open}-delta`, id: id(), delta: event.delta };
            }
            else if (event.type === "patch" && event.document === 0) {
                yield* close();
                const now = Date.now();
                if (now - last < every)
                    continue;
                last = now;
                yield { type, id: "answer", data: reader.value };
            }
        }
        yield* close();
        const answer = await reader.answer;
        if (answer.value !== null)
            yield { type, id: "answer", data: answer.value };
        yield* callsOf(answer.calls);
        if (answer.cutAt !== undefined)
            throw new CutError(answer.cutAt, answer.value);
        yield { type: "finish" };
    }
    catch (error) {
        yield* close();
        yield { type: "error", errorText: error instanceof Error ? error.message : String(error) };
    }
}
/** Calls whose arguments were cut are left out: nobody may run half of one. */
function* callsOf(calls) {
    for (const [at, { id, name, arguments: input, isComplete }] of calls.entries()) {
        if (isComplete)
            yield { type: "tool-input-available", toolCallId: id ?? `call-${at + 1}`, toolName: name, input };
    }
}
