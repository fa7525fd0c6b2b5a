// The clients that people use, against a server on this machine that answers like their providers. `node clients.mjs FOLDER`
// installs them there, and says which were left out.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { read, toUIMessageStream } from "patchwire";

const folder = resolve(process.argv[2]);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');

const TEXT = 'Sure! {"title": "Spring", "rows": [{"sku": "a1"}, {"sku": "b2"}]}';
const VALUE = JSON.parse(TEXT.slice(6));
const PIECES = TEXT.match(/[\s\S]{1,5}/gu);
const schema = { title: "str", rows: [{ sku: "str" }] };

// What each provider sends.
const sse = (events) => events.map((event) => (event.type && !event.choices ? `event: ${event.type}\n` : "") + `data: ${JSON.stringify(event)}\n\n`).join("");
const BODIES = {
  "/v1/chat/completions": sse([...PIECES.map((content) => ({ id: "c", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta: { content } }] })), { id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }]) + "data: [DONE]\n\n",
  "/v1/responses": sse([
    { type: "response.created", sequence_number: 0, response: { id: "r", output: [] } },
    ...PIECES.map((delta, at) => ({ type: "response.output_text.delta", sequence_number: at + 1, item_id: "i", output_index: 0, content_index: 0, delta })),
    { type: "response.completed", sequence_number: 99, response: { id: "r", output: [] } },
  ]),
  "/v1/messages": sse([
    { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [], model: "m", usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...PIECES.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]),
  "/api/chat": [...PIECES.map((content) => ({ model: "m", message: { role: "assistant", content }, done: false })), { model: "m", message: { role: "assistant", content: "" }, done: true }].map((line) => `${JSON.stringify(line)}\n`).join(""),
  "/agent": sse([
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "1", role: "assistant" },
    ...PIECES.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta })),
    { type: "TEXT_MESSAGE_END", messageId: "1" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" },
  ]),
};
/** Set while the server stops in the middle of its answers and waits for the client to go. */
let waiting;
const server = createServer((request, response) => {
  const body = BODIES[request.url.split("?")[0]];
  request.resume();
  if (waiting) {
    const { asked, left } = waiting;
    asked();
    response.on("close", left);
    response.writeHead(200, { "content-type": request.url.startsWith("/api") ? "application/x-ndjson" : "text/event-stream" });
    return void response.write(body.slice(0, body.length * 0.7));
  }
  request.on("end", () => response.writeHead(body ? 200 : 404, { "content-type": request.url.startsWith("/api") ? "application/x-ndjson" : "text/event-stream" }).end(body));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}`;

/** What a client gives, read by its fields; and that its request ends with the reading, be it before or after something was read. */
async function reads(name, make, isEnded = true) {
  const reader = read(await make(), { schema });
  const [title, data, deltas] = await Promise.all([reader.get("title"), reader.data(), Array.fromAsync ? Array.fromAsync(reader.text("title")) : collect(reader.text("title"))]);
  assert.deepEqual([title, data, deltas.join("")], ["Spring", VALUE, "Spring"]);
  assert.ok(deltas.length > 1, "the title came in pieces");
  if (isEnded) {
    await ends(make, async () => {});
    await ends(make, (reader) => reader.get("title"));
  }
  console.log(`ok   ${name}`);
}

async function ends(make, first) {
  let wasAsked = false;
  const left = new Promise((done) => (waiting = { asked: () => (wasAsked = true), left: done }));
  const reader = read(await make(), { schema });
  await first(reader);
  reader.cancel();
  const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds, "still open"));
  // Some clients ask only when they are read: then there is nothing to end.
  if (!wasAsked) await rest(200);
  const outcome = wasAsked ? await Promise.race([left, rest(4000)]) : "never asked";
  waiting = undefined;
  assert.notEqual(outcome, "still open", "the request outlived its reader");
}

async function collect(stream) {
  const all = [];
  for await (const one of stream) all.push(one);
  return all;
}

const resolveFrom = createRequire(join(folder, "x.js"));
/** Runs a check with packages, where they can be installed. */
async function withPackages(packages, what) {
  const { status, stderr } = spawnSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: folder, encoding: "utf8" });
  if (status !== 0) return console.error(`left out: ${packages.join(", ")}, which cannot be installed: ${stderr.trim().split("\n")[0]}`);
  await what((name) => import(pathToFileURL(resolveFrom.resolve(name))));
}

await withPackages(["openai"], async (load) => {
  const { default: module } = await load("openai");
  const OpenAI = module.OpenAI ?? module.default ?? module;
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
  await reads("openai, chat completions", () => client.chat.completions.create({ model: "m", messages: [], stream: true }));
  await reads("openai, responses", () => client.responses.create({ model: "m", input: "x", stream: true }));
});

await withPackages(["@anthropic-ai/sdk"], async (load) => {
  const { default: module } = await load("@anthropic-ai/sdk");
  const Anthropic = module.Anthropic ?? module.default ?? module;
  const client = new Anthropic({ baseURL: url, apiKey: "x" });
  const request = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "x" }] };
  await reads("@anthropic-ai/sdk, create", () => client.messages.create({ ...request, stream: true }));
  await reads("@anthropic-ai/sdk, stream", () => client.messages.stream(request));
});

await withPackages(["ollama"], async (load) => {
  const { Ollama } = await load("ollama");
  await reads("ollama", () => new Ollama({ host: url }).chat({ model: "m", messages: [], stream: true }));
});

await withPackages(["ai", "@ai-sdk/openai-compatible", "zod"], async (load) => {
  const { readUIMessageStream, streamText, uiMessageChunkSchema } = await load("ai");
  const { createOpenAICompatible } = await load("@ai-sdk/openai-compatible");
  const model = createOpenAICompatible({ name: "own", baseURL: `${url}/v1` })("m");
  // Its stream is a branch of one that it keeps: only its own `abortSignal` ends the request.
  await reads("ai, streamText", () => streamText({ model, prompt: "x" }), false);
  const stop = new AbortController();
  await ends(() => {
    stop.signal.addEventListener("abort", () => {});
    return streamText({ model, prompt: "x", abortSignal: stop.signal });
  }, async (reader) => {
    await reader.get("title");
    stop.abort();
  });
  const stream = toUIMessageStream(read(streamText({ model, prompt: "x" }), { schema }), { every: 0 });
  let message;
  let drafts = 0;
  for await (message of readUIMessageStream({ stream })) drafts += message.parts.some(({ type }) => type === "data-answer") ? 1 : 0;
  const part = message.parts.find(({ type }) => type === "data-answer");
  assert.deepEqual(part.data, VALUE);
  assert.ok(drafts > 5, `${drafts} drafts`);
  assert.equal(message.parts.find(({ type }) => type === "text").text, "Sure! ");
  if (uiMessageChunkSchema) console.log("ok   ai, UI messages with the answer as a data part");
});

await withPackages(["@ag-ui/client"], async (load) => {
  const { HttpAgent } = await load("@ag-ui/client");
  const agent = new HttpAgent({ url: `${url}/agent` });
  // What it returns cannot end its request, only `agent.abortRun()` can.
  await reads("@ag-ui/client, HttpAgent", () => agent.run({ threadId: "t", runId: "r", messages: [], tools: [], context: [], state: {}, forwardedProps: {} }), false);
});

await reads("fetch, a body of server-sent events", () => fetch(`${url}/v1/responses`));
server.close();
server.closeAllConnections();
