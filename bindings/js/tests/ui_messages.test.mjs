// An answer as the stream of UI messages that `useChat` reads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { read, toUIMessageStream } from "patchwire";

async function chunksOf(source, options) {
  const chunks = [];
  for await (const chunk of toUIMessageStream(read(source, options), { every: 0 })) chunks.push(chunk);
  return chunks;
}

test("text, reasoning, the value so far and the end", async () => {
  const chunks = await chunksOf(["<think>Hm</think>", 'Sure: {"a":', "1}"]);
  assert.deepEqual(chunks.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]), [
    ...["start", "reasoning-start", "reasoning-delta", "reasoning-end", "text-start", "text-delta", "text-end", "data-answer", "finish"],
  ]);
  assert.deepEqual(chunks.at(-2), { type: "data-answer", id: "answer", data: { a: 1 } });
});

test("whole tool calls are sent, and those that were cut are not", async () => {
  const call = (index, name, text) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index, id: `c${index}`, function: { name, arguments: text } }] } }] });
  const chunks = await chunksOf([call(0, "weather", '{"city":"Rome"}'), call(1, "mail", '{"to":"Ro')]);
  const calls = chunks.filter(({ type }) => type.startsWith("tool"));
  assert.deepEqual(calls, [{ type: "tool-input-available", toolCallId: "c0", toolName: "weather", input: { city: "Rome" } }]);
});

test("an answer that was cut ends with an error that says so", async () => {
  const chunks = await chunksOf(['{"a": "Ro']);
  assert.deepEqual(chunks.at(-2), { type: "data-answer", id: "answer", data: { a: "Ro" } });
  assert.ok(chunks.at(-1).type === "error" && chunks.at(-1).errorText.includes("cut inside `a`"), chunks.at(-1).errorText);
});
