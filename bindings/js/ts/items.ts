// What the chunks of clients hold: text, reasoning, and the arguments of tool calls. Clients are told by the shape of
// their chunks, so none of them is imported.

import { SourceError } from "./errors.js";
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

type Item = Record<string, unknown>;

const NOTHING: Piece = {};
const object = (value: unknown): Item => (typeof value === "object" && value !== null ? (value as Item) : {});
const list = (value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : []);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The piece in a chunk of a client. */
export function pieceOf(item: unknown): Piece {
  if (item === null || item === undefined) return NOTHING;
  if (typeof item === "string" || item instanceof Uint8Array) return { text: item };
  if (item instanceof ArrayBuffer) return { text: new Uint8Array(item) };
  if (typeof item !== "object") throw unknownItem(item);
  const chunk = item as Item;
  if (Array.isArray(chunk.choices)) return ofChoices(chunk);
  if (chunk.object === "response" && Array.isArray(chunk.output)) return ofWholeResponse(chunk);
  if (typeof chunk.type === "string") return ofTyped(chunk, chunk.type);
  if (typeof chunk.event === "string" && EVENTS.has(chunk.event)) return { event: chunk as WireEvent };
  if (chunk.error !== undefined && chunk.error !== null) throw failed(chunk.error);
  if (Array.isArray(chunk.candidates)) return ofCandidates(chunk);
  if ("message" in chunk || "response" in chunk) return ofOllama(chunk);
  if (Array.isArray(chunk.content)) return ofContent(chunk);
  if ("usage" in chunk || "usageMetadata" in chunk) return NOTHING;
  throw unknownItem(item);
}

/** The chunks in the JSON of a whole body: a completion, or the list that Gemini sends without server-sent events. `null` if it is none. */
export function chunksOfBody(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return Array.isArray(object(body[0]).candidates) ? body : null;
  const whole = object(body);
  const isBody =
    ["message", "delta", "text"].some((name) => name in object(list(whole.choices)[0])) ||
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
function ofChoices(chunk: Item): Piece {
  if (chunk.error) throw failed(chunk.error);
  // Of several answers, the first is read.
  const choice = object(list(chunk.choices).find(({ index }) => (index ?? 0) === 0));
  const delta = object(choice.delta ?? choice.message);
  const calls = list(delta.tool_calls).map((call, place): CallPart => {
    const named = object(call.function);
    const at = (call.index as number | undefined) ?? text(call.id) ?? place;
    return { at, id: text(call.id), name: text(named.name), arguments: text(named.arguments) };
  });
  return {
    text: text(delta.content) ?? text(choice.text),
    reasoning: text(delta.reasoning_content) ?? text(delta.reasoning),
    refusal: text(delta.refusal),
    calls,
  };
}

function ofTyped(chunk: Item, type: string): Piece {
  if (type.startsWith("response.") || type === "error") return ofResponses(chunk, type);
  if (/^(content_block|message)_|^ping$|^message$/u.test(type)) return ofMessages(chunk, type);
  if (/^[A-Z_]+$/u.test(type)) return ofAgUi(chunk, type);
  return ofAi(chunk, type);
}

/** OpenAI's responses. */
function ofResponses(chunk: Item, type: string): Piece {
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
      if (item.type !== "function_call") return NOTHING;
      return { calls: [{ at: chunk.output_index as number, id: text(item.call_id), name: text(item.name) }] };
    case "response.function_call_arguments.delta":
      return { calls: [{ at: chunk.output_index as number, arguments: text(chunk.delta) }] };
    case "response.failed":
      throw failed(object(chunk.response).error);
    case "error":
      throw failed(chunk.error ?? chunk.errorText ?? chunk);
    default:
      return NOTHING;
  }
}

/** A whole one of OpenAI's responses. */
function ofWholeResponse({ output, error }: Item): Piece {
  if (error) throw failed(error);
  const items = list(output);
  const parts = items.flatMap(({ content }) => list(content));
  const joined = (some: Item[], name: string): string => some.map((part) => text(part[name]) ?? "").join("");
  const refusals = parts.filter(({ type }) => type === "refusal");
  const calls = items.flatMap((item): CallPart[] =>
    item.type === "function_call" ? [{ id: text(item.call_id), name: text(item.name), arguments: text(item.arguments) }] : [],
  );
  return {
    text: joined(parts.filter(({ type }) => type === "output_text"), "text"),
    reasoning: joined(items.flatMap(({ summary }) => list(summary)), "text"),
    refusal: refusals.length > 0 ? joined(refusals, "refusal") : undefined,
    calls,
  };
}

/** Anthropic's messages. */
function ofMessages(chunk: Item, type: string): Piece {
  if (type === "message") return ofContent(chunk);
  const at = chunk.index as number;
  if (type === "content_block_start") {
    const block = object(chunk.content_block);
    if (block.type !== "tool_use" && block.type !== "server_tool_use") return { text: text(block.text), reasoning: text(block.thinking) };
    return { calls: [{ at, id: text(block.id), name: text(block.name) }] };
  }
  if (type === "message_delta" && object(chunk.delta).stop_reason === "refusal") return { refusal: "" };
  if (type !== "content_block_delta") return NOTHING;
  const delta = object(chunk.delta);
  const json = text(delta.partial_json);
  return { text: text(delta.text), reasoning: text(delta.thinking), ...(json !== undefined && { calls: [{ at, arguments: json }] }) };
}

/** A whole message of Anthropic's. */
function ofContent(chunk: Item): Piece {
  const blocks = list(chunk.content);
  const joined = (name: string): string => blocks.map((block) => text(block[name]) ?? "").join("");
  const calls = blocks.flatMap((block) =>
    block.type === "tool_use" ? [{ id: text(block.id), name: text(block.name), arguments: JSON.stringify(block.input) }] : [],
  );
  return { text: joined("text"), reasoning: joined("thinking"), calls };
}

/** The parts of `streamText` of the package `ai`, and the chunks of its UI messages. */
function ofAi(chunk: Item, type: string): Piece {
  const delta = text(chunk.text) ?? text(chunk.delta) ?? text(chunk.textDelta);
  const at = (chunk.toolCallId ?? chunk.id) as string;
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
      if (delta !== undefined || text(chunk.content) !== undefined) throw unknownItem(chunk);
      return NOTHING;
  }
}

/** The events of AG-UI. */
function ofAgUi(chunk: Item, type: string): Piece {
  const delta = text(chunk.delta);
  const at = chunk.toolCallId as string;
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
function ofCandidates(chunk: Item): Piece {
  const parts = list(object(object(list(chunk.candidates)[0]).content).parts);
  const joined = (isThought: boolean): string =>
    parts.map((part) => ((part.thought === true) === isThought ? (text(part.text) ?? "") : "")).join("");
  const calls = parts.flatMap(({ functionCall }): CallPart[] => {
    const call = object(functionCall);
    return functionCall ? [{ id: text(call.id), name: text(call.name), arguments: JSON.stringify(call.args ?? {}) }] : [];
  });
  return { text: joined(false), reasoning: joined(true), calls };
}

/** Ollama's `chat` and `generate`. */
function ofOllama(chunk: Item): Piece {
  if (text(chunk.error)) throw failed(chunk.error);
  const message = object(chunk.message);
  const calls = list(message.tool_calls).map((call): CallPart => {
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
function failed(error: unknown): SourceError {
  const said = text(error) ?? text(object(error).message) ?? JSON.stringify(error);
  return new SourceError(`the source failed: ${said}`, { cause: error });
}

function unknownItem(item: unknown): SourceError {
  let shown = String(item);
  try {
    shown = JSON.stringify(item).slice(0, 100);
  } catch {
    // What has no JSON is shown as it prints.
  }
  return new SourceError(`a chunk of this shape is not known: ${shown}; say with \`pick\` where its text is`);
}
