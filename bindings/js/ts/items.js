// What the chunks of clients hold: text, reasoning, and the arguments of tool calls. Clients are told by the shape of
// their chunks, so none of them is imported.
import { SourceError } from "./errors.js";
const NOTHING = {};
const object = (value) => (typeof value === "object" && value !== null ? value : {});
const list = (value) => (Array.isArray(value) ? value : []);
const text = (value) => (typeof value === "string" && value !== "" ? value : undefined);
/** The piece in a chunk of a client. */
export function pieceOf(item) {
    if (item === null || item === undefined)
        return NOTHING;
    if (typeof item === "string" || item instanceof Uint8Array)
        return { text: item };
    if (item instanceof ArrayBuffer)
        return { text: new Uint8Array(item) };
    if (typeof item !== "object")
        throw unknownItem(item);
    const chunk = item;
    if (Array.isArray(chunk.choices))
        return ofChoices(chunk);
    if (chunk.object === "response" && Array.isArray(chunk.output))
        return ofWholeResponse(chunk);
    if (typeof chunk.type === "string")
        return ofTyped(chunk, chunk.type);
    if (typeof chunk.event === "string" && EVENTS.has(chunk.event))
        return { event: chunk };
    if (chunk.error !== undefined && chunk.error !== null)
        throw failed(chunk.error);
    if (Array.isArray(chunk.candidates))
        return ofCandidates(chunk);
    if ("message" in chunk || "response" in chunk)
        return ofOllama(chunk);
    if (Array.isArray(chunk.content))
        return ofContent(chunk);
    if ("usage" in chunk || "usageMetadata" in chunk)
        return NOTHING;
    throw unknownItem(item);
}
/** The chunks in the JSON of a whole body: a completion, or the list that Gemini sends without server-sent events. `null` if it is none. */
export function chunksOfBody(body) {
    if (Array.isArray(body))
        return Array.isArray(object(body[0]).candidates) ? body : null;
    const whole = object(body);
    const isBody = ["message", "delta", "text"].some((name) => name in object(list(whole.choices)[0])) ||
        "content" in object(list(whole.candidates)[0]) ||
        // A message of Anthropic's, and the answer of Ollama: an answer may well have a `content` or a `message` of its own.
        (whole.type === "message" && typeof object(list(whole.content)[0]).type === "string") ||
        ("done" in whole && "model" in whole) ||
        (whole.object === "response" && Array.isArray(whole.output));
    return isBody ? [body] : null;
}
const EVENTS = new Set([
    ...["patch", "text", "reasoning", "reasoning_done", "element_open", "element_close", "stray", "comment", "reclassify"],
    ...["skipped", "notice", "root_complete", "verdict", "final", "error", "facts", "tool_call", "snapshot", "reset", "raw"],
]);
/** OpenAI's chat completions, and all that speak them: a chunk, or a whole completion. */
function ofChoices(chunk) {
    if (chunk.error)
        throw failed(chunk.error);
    // Of several answers, the first is read.
    const choice = object(list(chunk.choices).find(({ index }) => (index ?? 0) === 0));
    const delta = object(choice.delta ?? choice.message);
    const calls = list(delta.tool_calls).map((call, place) => {
        const named = object(call.function);
        const at = call.index ?? text(call.id) ?? place;
        return { at, id: text(call.id), name: text(named.name), arguments: text(named.arguments) };
    });
    return {
        text: text(delta.content) ?? text(choice.text),
        reasoning: text(delta.reasoning_content) ?? text(delta.reasoning),
        refusal: text(delta.refusal),
        calls,
    };
}
function ofTyped(chunk, type) {
    if (type.startsWith("response.") || type === "error")
        return ofResponses(chunk, type);
    if (/^(content_block|message)_|^ping$|^message$/u.test(type))
        return ofMessages(chunk, type);
    if (/^[A-Z_]+$/u.test(type))
        return ofAgUi(chunk, type);
    return ofAi(chunk, type);
}
/** OpenAI's responses. */
function ofResponses(chunk, type) {
    const item = object(chunk.item);
    switch (type) {
        case "response.output_text.delta":
            return { text: text(chunk.delta) };
        case "response.reasoning_text.delta":
        case "response.reasoning_summary_text.delta":
            return { reasoning: text(chunk.delta) };
        case "response.refusal.delta":
            return { refusal: text(chunk.delta) };
        case "response.output_item.added":
            if (item.type !== "function_call")
                return NOTHING;
            return { calls: [{ at: chunk.output_index, id: text(item.call_id), name: text(item.name) }] };
        case "response.function_call_arguments.delta":
            return { calls: [{ at: chunk.output_index, arguments: text(chunk.delta) }] };
        case "response.failed":
            throw failed(object(chunk.response).error);
        case "error":
            throw failed(chunk.error ?? chunk.errorText ?? chunk);
        default:
            return NOTHING;
    }
}
/** A whole one of OpenAI's responses. */
function ofWholeResponse({ output, error }) {
    if (error)
        throw failed(error);
    const items = list(output);
    const parts = items.flatMap(({ content }) => list(content));
    const joined = (some, name) => some.map((part) => text(part[name]) ?? "").join("");
    const refusals = parts.filter(({ type }) => type === "refusal");
    const calls = items.flatMap((item) => item.type === "function_call" ? [{ id: text(item.call_id), name: text(item.name), arguments: text(item.arguments) }] : []);
    return {
        text: joined(parts.filter(({ type }) => type === "output_text"), "text"),
        reasoning: joined(items.flatMap(({ summary }) => list(summary)), "text"),
        refusal: refusals.length > 0 ? joined(refusals, "refusal") : undefined,
        calls,
    };
}
/** Anthropic's messages. */
function ofMessages(chunk, type) {
    if (type === "message")
        return ofContent(chunk);
    const at = chunk.index;
    if (type === "content_block_start") {
        const block = object(chunk.content_block);
        if (block.type !== "tool_use" && block.type !== "server_tool_use")
            return { text: text(block.text), reasoning: text(block.thinking) };
        return { calls: [{ at, id: text(block.id), name: text(block.name) }] };
    }
    if (type === "message_delta" && object(chunk.delta).stop_reason === "refusal")
        return { refusal: "" };
    if (type !== "content_block_delta")
        return NOTHING;
    const delta = object(chunk.delta);
    const json = text(delta.partial_json);
    return { text: text(delta.text), reasoning: text(delta.thinking), ...(json !== undefined && { calls: [{ at, arguments: json }] }) };
}
/** A whole message of Anthropic's. */
function ofContent(chunk) {
    const blocks = list(chunk.content);
    const joined = (name) => blocks.map((block) => text(block[name]) ?? "").join("");
    const calls = blocks.flatMap((block) => block.type === "tool_use" ? [{ id: text(block.id), name: text(block.name), arguments: JSON.stringify(block.input) }] : []);
    return { text: joined("text"), reasoning: joined("thinking"), calls };
}
/** The parts of `streamText` of the package `ai`, and the chunks of its UI messages. */
function ofAi(chunk, type) {
    const delta = text(chunk.text) ?? text(chunk.delta) ?? text(chunk.textDelta);
    const at = (chunk.toolCallId ?? chunk.id);
    switch (type) {
        case "text-delta":
            return { text: delta };
        case "reasoning-delta":
        case "reasoning":
            return { reasoning: delta };
        case "tool-input-start":
            return { calls: [{ at, id: at, name: text(chunk.toolName) }] };
        case "tool-input-delta":
            return { calls: [{ at, arguments: text(chunk.inputTextDelta) ?? delta }] };
        case "abort":
            throw new SourceError("the model was stopped before its end");
        default:
            // Parts without text, such as the beginnings and ends of steps, say nothing of the answer.
            if (delta !== undefined || text(chunk.content) !== undefined)
                throw unknownItem(chunk);
            return NOTHING;
    }
}
/** The events of AG-UI. */
function ofAgUi(chunk, type) {
    const delta = text(chunk.delta);
    const at = chunk.toolCallId;
    switch (type) {
        case "TEXT_MESSAGE_CONTENT":
        case "TEXT_MESSAGE_CHUNK":
            return { text: delta };
        case "REASONING_MESSAGE_CONTENT":
        case "REASONING_MESSAGE_CHUNK":
        case "THINKING_TEXT_MESSAGE_CONTENT":
            return { reasoning: delta };
        case "TOOL_CALL_START":
            return { calls: [{ at, id: at, name: text(chunk.toolCallName) }] };
        case "TOOL_CALL_ARGS":
        case "TOOL_CALL_CHUNK":
            return { calls: [{ at, name: text(chunk.toolCallName), arguments: delta }] };
        case "RUN_ERROR":
            throw failed(chunk);
        default:
            return NOTHING;
    }
}
/** Gemini's candidates. */
function ofCandidates(chunk) {
    const parts = list(object(object(list(chunk.candidates)[0]).content).parts);
    const joined = (isThought) => parts.map((part) => ((part.thought === true) === isThought ? (text(part.text) ?? "") : "")).join("");
    const calls = parts.flatMap(({ functionCall }) => {
        const call = object(functionCall);
        return functionCall ? [{ id: text(call.id), name: text(call.name), arguments: JSON.stringify(call.args ?? {}) }] : [];
    });
    return { text: joined(false), reasoning: joined(true), calls };
}
/** Ollama's `chat` and `generate`. */
function ofOllama(chunk) {
    if (text(chunk.error))
        throw failed(chunk.error);
    const message = object(chunk.message);
    const calls = list(message.tool_calls).map((call) => {
        const named = object(call.function);
        return { name: text(named.name), arguments: JSON.stringify(named.arguments ?? {}) };
    });
    return {
        text: text(message.content) ?? text(chunk.response),
        reasoning: text(message.thinking) ?? text(chunk.thinking),
        calls,
    };
}
/** An error that the provider sent. */
function failed(error) {
    const said = text(error) ?? text(object(error).message) ?? JSON.stringify(error);
    return new SourceError(`the source failed: ${said}`, { cause: error });
}
function unknownItem(item) {
    let shown = String(item);
    try {
        shown = JSON.stringify(item).slice(0, 100);
    }
    catch {
        // What has no JSON is shown as it prints.
    }
    return new SourceError(`a chunk of this shape is not known: ${shown}; say with \`pick\` where its text is`);
}
