// Clients of node, unchanged but for their base URL, read patches and values from their own objects.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";

import { HttpAgent } from "@ag-ui/client";
import { createOpenAI } from "@ai-sdk/openai";
import { Chat } from "@ai-sdk/react";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import { DefaultChatTransport, generateText, streamText } from "ai";
import { EventSource } from "eventsource";
import OpenAI from "openai";

const gateway = process.argv[2];
const text = 'Here it is: {"title": "Café ☃", "tags": ["a", "b"], "n": 12}';
const value = { title: "Café ☃", tags: ["a", "b"], n: 12 };
const messages = [{ role: "user", content: "Go." }];
const options = { schema: { title: "str", tags: ["str"], n: "int" } };
const plain = (object) => JSON.parse(JSON.stringify(object ?? null));

function named(name) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`));
  return `${name} ${version}`;
}

function check(name, content, patches, answer) {
  const title = patches.filter((patch) => patch.pointer === "/title").map((patch) => patch.delta ?? "").join("");
  assert.equal(content, text, name);
  assert.equal(title, "Café ☃", name);
  assert.deepEqual([answer.event, answer.value], ["final", value], name);
  console.log(`ok: ${name}`);
}

async function openai() {
  const client = new OpenAI({ baseURL: `${gateway}/v1`, apiKey: "client-key" });
  assert.deepEqual((await client.models.list()).data.map(({ id }) => id), ["m"]);
  let [content, patches, answer] = ["", [], null];
  for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true, patchwire: options })) {
    for (const { delta } of chunk.choices) {
      content += delta.content ?? "";
      patches.push(...(delta.patches ?? []));
      answer = delta.answer ?? answer;
    }
  }
  check(`${named("openai")} (node), stream`, content, patches, answer);
  const whole = await client.chat.completions.create({ model: "m", messages, patchwire: options });
  const message = whole.choices[0].message;
  check(`${named("openai")} (node), whole`, message.content, [{ pointer: "/title", delta: "Café ☃" }], message.answer);
  const final = await client.chat.completions.stream({ model: "m", messages, patchwire: options }).finalContent();
  assert.equal(final, text);
}

/** The options go as a header, because these clients do not send members that they do not know. */
const headers = { patchwire: JSON.stringify(options) };

async function aiSdk() {
  const provider = createOpenAI({ baseURL: `${gateway}/v1`, apiKey: "client-key", headers });
  const model = provider.chat("m");
  assert.equal((await generateText({ model, prompt: "Go." })).text, text);
  const { fullStream } = streamText({ model, prompt: "Go.", includeRawChunks: true });
  let [content, patches, answer] = ["", [], null];
  for await (const part of fullStream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") content += part.text;
    if (part.type !== "raw") continue;
    for (const { delta } of part.rawValue.choices ?? []) {
      patches.push(...(delta.patches ?? []));
      answer = delta.answer ?? answer;
    }
  }
  check(`${named("@ai-sdk/openai")} with ${named("ai")}`, content, patches, answer);
}

async function langchain() {
  const model = new ChatOpenAI({
    model: "m",
    apiKey: "client-key",
    configuration: { baseURL: `${gateway}/v1` },
    modelKwargs: { patchwire: options },
    __includeRawResponse: true,
  });
  assert.equal((await model.invoke("Go.")).content, text);
  let [content, patches, answer] = ["", [], null];
  for await (const chunk of await model.stream("Go.")) {
    content += chunk.content;
    for (const { delta } of chunk.additional_kwargs.__raw_response?.choices ?? []) {
      patches.push(...(delta.patches ?? []));
      answer = delta.answer ?? answer;
    }
  }
  check(`${named("@langchain/openai")} (node)`, content, patches, answer);
}

async function anthropic() {
  const client = new Anthropic({ baseURL: gateway, apiKey: "client-key" });
  const asked = { model: "m", max_tokens: 100, messages, patchwire: options };
  let [content, patches, answer] = ["", [], null];
  for await (const event of await client.messages.create({ ...asked, stream: true })) {
    if (event.type === "content_block_delta") content += event.delta.text ?? "";
    patches.push(...(event.delta?.patches ?? []));
    answer = event.delta?.answer ?? answer;
  }
  check(`${named("@anthropic-ai/sdk")} (node), stream`, content, patches, answer);
  const whole = await client.messages.create(asked);
  check(`${named("@anthropic-ai/sdk")} (node), whole`, whole.content[0].text, [{ pointer: "/title", delta: "Café ☃" }], whole.answer);
  assert.equal((await client.messages.stream(asked).finalMessage()).content[0].text, text);
}

async function httpAgent() {
  const agent = new HttpAgent({
    url: `${gateway}/v1/fields`,
    headers: { patchwire: JSON.stringify({ ...options, wire: "ag-ui" }) },
  });
  agent.messages = [{ id: "1", role: "user", content: "Go." }];
  await agent.runAgent({ forwardedProps: { model: "keyless" } });
  assert.deepEqual(plain(agent.state), value);
  assert.equal(agent.messages.at(-1).content, "Here it is: ");
  console.log(`ok: ${named("@ag-ui/client")}, HttpAgent`);
}

async function useChat() {
  const transport = new DefaultChatTransport({
    api: `${gateway}/v1/fields`,
    body: { model: "keyless", patchwire: { ...options, wire: "ui-message" } },
  });
  let failure;
  const chat = new Chat({ transport, onError: (error) => (failure = error) });
  await chat.sendMessage({ text: "Go." });
  if (failure) throw failure;
  // The second request has the answer of the first among its messages.
  await chat.sendMessage({ text: "Again." });
  const answers = chat.messages.filter(({ role }) => role === "assistant");
  assert.equal(answers.length, 2);
  for (const { parts } of answers) {
    assert.deepEqual(parts.find(({ type }) => type === "data-answer").data, value);
  }
  console.log(`ok: ${named("@ai-sdk/react")}, the chat of useChat`);
}

async function eventSource() {
  const asked = { model: "keyless", messages, patchwire: { ...options, wire: "ops" } };
  const response = await fetch(`${gateway}/v1/fields`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  const name = response.headers.get("patchwire-stream");
  await response.body.cancel();
  const source = new EventSource(`${gateway}/v1/fields/${name}`);
  let title = "";
  await new Promise((resolve, reject) => {
    source.addEventListener("op", ({ data }) => {
      const op = JSON.parse(data);
      if (op.path === "/title") title += op.text ?? "";
      if (op.path === "/n") resolve();
    });
    source.addEventListener("error", reject);
  });
  source.close();
  assert.equal(title, "Café ☃");
  console.log(`ok: ${named("eventsource")}, a stream that was begun with POST`);
}

await openai();
await aiSdk();
await langchain();
await anthropic();
await httpAgent();
await useChat();
await eventSource();
