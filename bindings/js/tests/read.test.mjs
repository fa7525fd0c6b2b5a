import assert from "node:assert/strict";
import { test } from "node:test";

import { CancelledError, CutError, InvalidError, NoValueError, PathError, SourceError, StreamError, read } from "patchwire";

const TEXT = '{"title": "Spring", "summary": "It is warm.", "rows": [{"sku": "a1", "n": 1}, {"sku": "b2", "n": 2}]}';
const VALUE = JSON.parse(TEXT);

/** The text in pieces, with the count of those that were asked for. */
function pieces(text = TEXT, size = 4) {
  const source = {
    asked: 0,
    closed: false,
    async *[Symbol.asyncIterator]() {
      try {
        for (let at = 0; at < text.length; at += size) {
          source.asked += 1;
          yield text.slice(at, at + size);
        }
      } finally {
        source.closed = true;
      }
    },
  };
  return source;
}

const collect = async (stream) => {
  const all = [];
  for await (const one of stream) all.push(one);
  return all;
};
const failure = (promise) => promise.then(() => assert.fail("it should fail"), (error) => error);

test("every kind of source gives the same value", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const stream = (chunks) => new ReadableStream({ start: (c) => (chunks.forEach((chunk) => c.enqueue(chunk)), c.close()) });
  for (const source of [
    TEXT,
    bytes,
    [TEXT.slice(0, 9), TEXT.slice(9)],
    pieces(),
    stream([TEXT]),
    stream([bytes.subarray(0, 7), bytes.subarray(7)]),
    new Response(TEXT),
    new Response(TEXT, { headers: { "content-type": "application/json" } }),
    Promise.resolve(new Response(bytes)),
  ]) {
    assert.deepEqual(await read(source).data(), VALUE);
  }
});

const sse = (events, ends = "\n\n") => new Response(events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}${ends}`).join(""), { headers: { "content-type": "text/event-stream; charset=utf-8" } });
const halves = [TEXT.slice(0, 30), TEXT.slice(30)];

const CLIENTS = {
  "OpenAI's chat completions": [
    { choices: [{ delta: { role: "assistant", content: "" } }] },
    { choices: [{ delta: { reasoning_content: "so" } }] },
    ...halves.map((content) => ({ choices: [{ delta: { content } }] })),
    { choices: [{ delta: {}, finish_reason: "stop" }] },
    { choices: [], usage: { total_tokens: 9 } },
  ],
  "OpenAI's responses": [
    { type: "response.created", response: {} },
    { type: "response.reasoning_summary_text.delta", delta: "so" },
    ...halves.map((delta) => ({ type: "response.output_text.delta", delta })),
    { type: "response.output_text.done", text: TEXT },
    { type: "response.completed", response: {} },
  ],
  "Anthropic's messages": [
    { type: "message_start", message: { content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "so" } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "x" } },
    { type: "ping" },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    ...halves.map((text) => ({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ],
  "the parts of `ai`": [
    { type: "start" },
    { type: "reasoning-delta", id: "1", text: "so" },
    ...halves.map((text) => ({ type: "text-delta", id: "2", text })),
    { type: "text-end", id: "2" },
    { type: "finish", finishReason: "stop" },
  ],
  "the UI messages of `ai`": [
    { type: "start" },
    { type: "reasoning-delta", id: "1", delta: "so" },
    ...halves.map((delta) => ({ type: "text-delta", id: "2", delta })),
    { type: "finish" },
  ],
  "Ollama's chat": [
    { model: "m", message: { role: "assistant", content: "", thinking: "so" }, done: false },
    ...halves.map((content) => ({ model: "m", message: { role: "assistant", content }, done: false })),
    { model: "m", message: { role: "assistant", content: "" }, done: true },
  ],
  "Ollama's generate": [{ model: "m", response: "", thinking: "so" }, ...halves.map((response) => ({ model: "m", response }))],
  "Gemini's candidates": [
    { candidates: [{ content: { parts: [{ text: "so", thought: true }] } }] },
    ...halves.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })),
    { usageMetadata: {} },
  ],
  "AG-UI": [
    { type: "RUN_STARTED" },
    { type: "REASONING_MESSAGE_CONTENT", delta: "so" },
    ...halves.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta })),
    { type: "RUN_FINISHED" },
  ],
};

for (const [name, chunks] of Object.entries(CLIENTS)) {
  test(`the chunks of ${name}, as objects and as a body`, async () => {
    for (const source of [chunks, { async *[Symbol.asyncIterator]() { yield* chunks; } }, { fullStream: chunks }, sse([...chunks, "[DONE]"]), sse(chunks, "\r\n\r\n")]) {
      const answer = await read(source).answer;
      assert.deepEqual([answer.value, answer.reasoning, answer.outcome], [VALUE, "so", "complete"]);
    }
    const lines = new Response(chunks.map((chunk) => JSON.stringify(chunk)).join("\n"), { headers: { "content-type": "application/x-ndjson" } });
    assert.deepEqual(await read(lines).data(), VALUE);
  });
}

test("whole completions of providers", async () => {
  const whole = (body) => read(new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } })).data();
  const list = halves.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] }));
  for (const body of [{ choices: [{ message: { content: TEXT } }] }, { content: [{ type: "text", text: TEXT }] }, { message: { content: TEXT } }, list]) {
    assert.deepEqual(await whole(body), VALUE);
  }
  assert.deepEqual(await whole([{ a: 1 }, null]), [{ a: 1 }, null]);
});

test("tool calls of providers, while they are written", async () => {
  const call = (at, name, text) => ({ choices: [{ delta: { tool_calls: [{ index: at, ...(name && { id: `c${at}` }), function: { ...(name && { name }), arguments: text } }] } }] });
  const reader = read([call(0, "weather", '{"city": "Ro'), call(0, null, 'me", "days": "3"'), call(0, null, "}"), call(1, "stop", "{}")], { tools: { weather: { city: "str", days: "int" } } });
  const seen = [];
  const iterator = reader.events().getReader();
  const read_ = iterator.read();
  assert.equal((await read_).value.type, "final");
  seen.push(...reader.calls);
  assert.deepEqual(seen, [
    { id: "c0", name: "weather", arguments: { city: "Rome", days: 3 }, isComplete: true },
    { id: "c1", name: "stop", arguments: {}, isComplete: true },
  ]);
  const error = await failure(reader.data());
  assert.ok(error instanceof NoValueError && error.message.includes("called tools"), error.message);
  const anthropic = [
    { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "f", input: {} } },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a": [1, ' } },
  ];
  const growing = read({ async *[Symbol.asyncIterator]() { yield* anthropic; yield "[1"; await new Promise(() => {}); } });
  const events = growing[Symbol.asyncIterator]();
  await events.next();
  assert.deepEqual(growing.calls, [{ id: "t", name: "f", arguments: { a: [1] }, isComplete: false }]);
  growing.cancel();
});

test("a chunk that is not known says what to do", async () => {
  const error = await failure(read([{ foo: "bar" }]).answer);
  assert.ok(error instanceof SourceError && error.message.includes("`pick`"), error.message);
  assert.deepEqual(await read([{ foo: "[1" }, { foo: "]" }], { pick: ({ foo }) => foo }).data(), [1]);
  for (const source of [7, null, undefined, {}]) assert.ok((await failure(read(source).answer)) instanceof SourceError);
});

test("errors of a source", async () => {
  const refused = await failure(read(new Response("no key", { status: 401 })).answer);
  assert.equal(refused.message, "the server answered 401: no key");
  for (const chunk of [{ error: { message: "busy" } }, { type: "error", error: { message: "busy" } }, { type: "RUN_ERROR", message: "busy" }, { type: "response.failed", response: { error: { message: "busy" } } }]) {
    const error = await failure(read(sse([chunk])).answer);
    assert.ok(error instanceof SourceError && error.message === "the source failed: busy", error.message);
  }
  const own = new Error("gone");
  const reader = read({ async *[Symbol.asyncIterator]() { yield '{"a": "b'; throw own; } });
  const text = reader.text("a");
  assert.equal(await failure(collect(text)), own);
  assert.equal(await failure(reader.answer), own);
  assert.deepEqual(reader.value, { a: "b" });
  const bad = await failure(read(sse(["{"])).answer);
  assert.ok(bad instanceof SourceError && bad.message.includes("is not JSON"), bad.message);
});

test("the parts of an answer, at the same time", async () => {
  const reader = read(pieces());
  const [title, summary, rows, values, sku, data] = await Promise.all([
    reader.get("title"),
    collect(reader.text("summary")),
    collect(reader.each("rows")),
    collect(reader.values("rows")),
    reader.get("rows[1].sku"),
    reader.data(),
  ]);
  assert.deepEqual([title, sku, data], ["Spring", "b2", VALUE]);
  assert.ok(summary.length > 2 && summary.join("") === "It is warm.", summary.join("|"));
  assert.deepEqual(rows, VALUE.rows);
  assert.deepEqual(values.at(-1), VALUE.rows);
  assert.ok(values.length > 5 && JSON.stringify(values[0]) !== JSON.stringify(values.at(-1)));
});

test("the parts of an answer, one after the other", async () => {
  const reader = read(pieces());
  assert.equal(await reader.get("title"), "Spring");
  assert.equal((await collect(reader.text("summary"))).join(""), "It is warm.");
  assert.deepEqual(await collect(reader.each("rows")), VALUE.rows);
  // And again, although all was read.
  assert.equal(await reader.get("title"), "Spring");
  assert.deepEqual(await collect(reader.text("summary")), ["It is warm."]);
  assert.deepEqual(await collect(reader.each("rows[*]")), VALUE.rows);
  assert.deepEqual(await collect(reader.values("rows")), [VALUE.rows]);
  assert.deepEqual(await collect(reader.values()), [VALUE]);
  assert.deepEqual(await reader.get("rows"), VALUE.rows);
  assert.equal(await reader.get("rows[*].sku"), "a1");
});

test("a part that begins in the middle has what came before", async () => {
  const text = '{"a": "one two three", "b": [1, 2, 3]}';
  for (let before = 0; before < text.length; before += 1) {
    const reader = read(pieces(text, 1));
    const events = reader.events().getReader();
    for (let at = 0; at < before; at += 1) if ((await events.read()).done) break;
    const [parts, items, whole] = await Promise.all([collect(reader.text("a")), collect(reader.each("b")), reader.get("b")]);
    assert.deepEqual([parts.join(""), items, whole], ["one two three", [1, 2, 3], [1, 2, 3]], `after ${before} events`);
  }
});

test("what is not there, and what was cut", async () => {
  const reader = read(pieces('{"title": "Spring", "rows": [{"n": 1}, {"n": 2'));
  const missing = await failure(reader.get("titel"));
  assert.ok(missing instanceof PathError);
  assert.equal(missing.message, "the answer has no `titel`; it has `title`, `rows`");
  const cut = await failure(reader.get("rows"));
  assert.ok(cut instanceof CutError);
  assert.deepEqual([cut.path, cut.value], ["rows", [{ n: 1 }, { n: 2 }]]);
  assert.deepEqual(await reader.get("rows[0]"), { n: 1 });
  const items = [];
  const error = await failure((async () => { for await (const item of reader.each("rows")) items.push(item); })());
  assert.ok(error instanceof CutError);
  assert.deepEqual(items, [{ n: 1 }]);
  const drafts = [];
  const open = await failure((async () => { for await (const rows of reader.values("rows")) drafts.push(rows); })());
  assert.ok(open instanceof CutError, open.message);
  assert.deepEqual(drafts, [[{ n: 1 }, { n: 2 }]]);
  const text = await failure(collect(reader.text("rows")));
  assert.ok(text instanceof PathError && text.message.includes("is a list and no text"), text.message);
  const path = await failure(reader.get("rows[["));
  assert.ok(path instanceof PathError, path.message);
});

test("a value that has no items", async () => {
  for (const open of [pieces(), pieces(TEXT, TEXT.length)]) {
    const reader = read(open);
    const items = await failure(collect(reader.each("title")));
    assert.ok(items instanceof PathError && items.message === "`title` is a string and has no items; use `get`", items.message);
    assert.deepEqual(await reader.get("title"), "Spring");
    const again = await failure(collect(reader.each("rows[0].n")));
    assert.ok(again instanceof PathError, again.message);
  }
  const declared = await failure(collect(read(pieces(), { schema: "{title: str}" }).each("title")));
  assert.ok(declared instanceof PathError && declared.message.includes("`title` is no list"), declared.message);
  assert.deepEqual(await collect(read(['{"rows": null}']).each("rows")), []);
});

test("a path that the schema does not have is an error at once", async () => {
  const source = pieces();
  const error = await failure(read(source, { schema: { title: "str", rows: [{ sku: "str" }] } }).get("titel"));
  assert.ok(error instanceof PathError);
  assert.match(error.message, /the schema has no `titel`; did you mean `title`\?/u);
  assert.equal(source.asked, 0);
});

test("only what is asked for is read", async () => {
  const source = pieces(TEXT, 1);
  const reader = read(source);
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(source.asked, 0);
  await reader.get("title");
  const asked = source.asked;
  // The quote that ends a text is sure once a name follows.
  assert.ok(asked <= TEXT.indexOf("summary"), `${asked}`);
  const text = reader.text("summary").getReader();
  await text.read();
  const later = source.asked;
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(source.asked, later);
});

test("a signal ends the reading, the source and all parts", async () => {
  const stop = new AbortController();
  const source = pieces(TEXT, 1);
  const reader = read(source, { signal: stop.signal });
  await reader.get("title");
  const waiting = [reader.get("rows"), collect(reader.text("summary")), reader.answer].map(failure);
  const reason = new Error("enough");
  stop.abort(reason);
  assert.deepEqual(await Promise.all(waiting), [reason, reason, reason]);
  assert.ok(source.closed);
  assert.equal(reader.value.title, "Spring");
  assert.equal(await failure(read(pieces(), { signal: stop.signal }).answer), reason);
});

test("a source that never answers can be left", async () => {
  let cancelled;
  for (const source of [
    { async *[Symbol.asyncIterator]() { yield "[1,"; await new Promise(() => {}); } },
    new ReadableStream({ start: (c) => c.enqueue("[1,"), cancel: (reason) => void (cancelled = reason) }),
  ]) {
    const reader = read(source);
    const waiting = failure(reader.answer);
    await new Promise((done) => setTimeout(done, 5));
    reader.cancel();
    assert.ok((await waiting) instanceof CancelledError);
    assert.equal(await reader.get("[0]"), 1);
    assert.ok((await failure(reader.get("[1]"))) instanceof CancelledError);
  }
  assert.ok(cancelled instanceof CancelledError);
});

test("the controller of a client is aborted", async () => {
  const controller = new AbortController();
  const reader = read({ controller, async *[Symbol.asyncIterator]() { yield "["; await new Promise(() => {}); } });
  const waiting = failure(reader.answer);
  await new Promise((done) => setTimeout(done, 5));
  reader.cancel();
  await waiting;
  assert.ok(controller.signal.aborted);
});

test("leaving the loop ends the source, unless more is read", async () => {
  const source = pieces(TEXT, 1);
  for await (const event of read(source)) if (event.path === "title") break;
  await new Promise((done) => setTimeout(done, 1));
  assert.ok(source.closed);
  const other = pieces(TEXT, 1);
  const reader = read(other);
  const data = reader.data();
  for await (const event of reader) if (event.path === "title") break;
  assert.deepEqual(await data, VALUE);
  const third = pieces(TEXT, 1);
  const stream = read(third).text("summary");
  for await (const _ of stream) break;
  await new Promise((done) => setTimeout(done, 1));
  assert.ok(third.closed);
});

test("an error of the engine reaches all who read", async () => {
  const reader = read(pieces("[[[[1]]]]", 1), { limits: { depth: 2 } });
  const error = await failure(reader.answer);
  assert.ok(error instanceof StreamError && error.code === "limit_depth");
  assert.equal(await failure(reader.get("[0]")), error);
  assert.equal(await failure(collect(reader)), error);
});

test("standard schemas validate, and give their JSON Schema", async () => {
  const asked = [];
  const schema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async (value) => (value.n > 1 ? { value: { n: BigInt(value.n) } } : { issues: [{ message: "too small", path: ["n"] }] }),
      jsonSchema: { input: (options) => (asked.push(options.target), { type: "object", properties: { n: { type: "integer" } } }) },
    },
  };
  assert.deepEqual(await read('{"n": "7"}', { schema }).data(), { n: 7n });
  const error = await failure(read('{"n": 1}', { schema }).data());
  assert.ok(error instanceof InvalidError);
  assert.equal(error.message, "the value does not fit the schema: n: too small");
  assert.deepEqual(asked, ["draft-2020-12", "draft-2020-12"]);
  // What arrived of a cut answer is not validated.
  assert.deepEqual(await read('{"n": 1', { schema }).data({ partial: true }), { n: 1 });
});

/** An `EventSource` as browsers have it. */
class Events extends EventTarget {
  readyState = 1;
  constructor(events) {
    super();
    const next = () => {
      if (this.readyState === 2) return;
      const event = events.shift();
      if (event === undefined) return;
      this.dispatchEvent(Object.assign(new globalThis.Event(event.event), { data: JSON.stringify(event) }));
      setTimeout(next);
    };
    setTimeout(next);
  }
  close() {
    this.readyState = 2;
  }
}

test("the events of a server, by a body and by an `EventSource`", async () => {
  const events = [];
  for await (const event of read(["Sure! ", ...TEXT])) events.push(JSON.parse(JSON.stringify(event)));
  for (const source of [() => new Events([...events]), () => sse(events), () => events]) {
    const own = source();
    const reader = read(own);
    const [title, summary, rows, answer] = await Promise.all([reader.get("title"), collect(reader.text("summary")), collect(reader.each("rows")), reader.answer]);
    assert.deepEqual([title, summary.join(""), rows, answer.value, answer.text], ["Spring", "It is warm.", VALUE.rows, VALUE, "Sure! "]);
    assert.deepEqual(reader.value, VALUE);
    if (own instanceof Events) assert.equal(own.readyState, 2);
  }
  const stopped = await failure(read(sse(events.slice(0, 9))).answer);
  assert.ok(stopped instanceof StreamError && stopped.code === "unexpected_end");
});

test("values of a slow reader are the newest", async () => {
  const reader = read(pieces(TEXT, 1));
  const stream = reader.values().getReader();
  const first = (await stream.read()).value;
  await reader.get("summary");
  const next = (await stream.read()).value;
  assert.deepEqual([first, next.summary], [{}, "It is warm."]);
});

test("reasoning", async () => {
  const reader = read(pieces(`<think>First this.</think>${TEXT}`));
  const reasoning = await collect(reader.reasoning());
  assert.ok(reasoning.length > 1);
  assert.equal(reasoning.join(""), "First this.");
});
