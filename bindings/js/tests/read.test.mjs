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
  for (const body of [{ choices: [{ message: { content: TEXT } }] }, { type: "message", role: "assistant", content: [{ type: "text", text: TEXT }] }, { model: "m", message: { role: "assistant", content: TEXT }, done: true }, list, { object: "response", output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "Hm" }] }, { type: "message", content: [{ type: "output_text", text: TEXT }] }] }]) {
    assert.deepEqual(await whole(body), VALUE);
  }
  assert.deepEqual(await whole([{ a: 1 }, null]), [{ a: 1 }, null]);
  // Answers that have the names of a provider's body, and are none.
  for (const own of [{ question: "q", choices: ["a", "b"] }, { message: { to: "bob", content: "hi" } }, { content: [{ heading: "x", text: "y" }] }, { candidates: [{ name: "a" }] }]) {
    assert.deepEqual(await whole(own), own);
  }
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

const toolCall = (index, name, text, id) => ({ choices: [{ index: 0, delta: { tool_calls: [{ ...(index !== undefined && { index }), ...(id && { id }), function: { ...(name && { name }), arguments: text } }] } }] });
const callsOf = async (chunks) => (await read(chunks).answer).calls.map(({ name, arguments: given, isComplete }) => [name, given, isComplete]);

test("calls whose parts come in turns, or without an index", async () => {
  const turns = [toolCall(0, "a", '{"x":', "1"), toolCall(1, "b", '{"y":', "2"), toolCall(0, null, "1}"), toolCall(1, null, "2}")];
  assert.deepEqual(await callsOf(turns), [["a", { x: 1 }, true], ["b", { y: 2 }, true]]);
  assert.deepEqual(await callsOf([toolCall(undefined, "a", "{}", "1"), toolCall(undefined, "b", '{"y":2}', "2")]), [["a", {}, true], ["b", { y: 2 }, true]]);
  const ollama = ["a", "b"].map((name) => ({ message: { tool_calls: [{ function: { name, arguments: { n: name } } }] } }));
  assert.deepEqual(await callsOf(ollama), [["a", { n: "a" }, true], ["b", { n: "b" }, true]]);
  const gemini = [{ candidates: [{ content: { parts: [{ functionCall: { name: "f", args: { x: 1 } } }, { functionCall: { name: "g" } }] } }] }];
  assert.deepEqual(await callsOf(gemini), [["f", { x: 1 }, true], ["g", {}, true]]);
  const server = [{ type: "content_block_start", index: 0, content_block: { type: "server_tool_use", id: "t", name: "web_search" } }];
  assert.deepEqual(await callsOf(server), [["web_search", {}, true]]);
});

test("a call that was cut is not complete", async () => {
  assert.deepEqual(await callsOf([toolCall(0, "f", '{"city":"Ro', "c")]), [["f", { city: "Ro" }, false]]);
  const reader = read([toolCall(0, "f", '{"city":"Rome"}', "c"), { choices: [{ index: 0, delta: { content: "Text" } }] }]);
  await reader[Symbol.asyncIterator]().next();
  assert.deepEqual(reader.calls.map(({ isComplete }) => isComplete), [true]);
});

test("calls that a server of patchwire sends", async () => {
  const calls = [{ id: "c", name: "f", arguments: { a: 1 }, outcome: "complete" }, { name: "g", arguments: { b: "x" }, outcome: "truncated" }];
  const answer = await read([{ event: "final", outcome: "tool_calls", value: null, text: "", reasoning: "", notices: [], calls }]).answer;
  assert.deepEqual(answer.calls, [{ id: "c", name: "f", arguments: { a: 1 }, isComplete: true }, { name: "g", arguments: { b: "x" }, isComplete: false }]);
});

test("of several answers the first is read", async () => {
  const chunk = (index, content) => ({ choices: [{ index, delta: { content } }] });
  assert.deepEqual(await read([chunk(0, '{"a":'), chunk(1, '{"zz":'), chunk(0, "1}"), chunk(1, "2}")]).data(), { a: 1 });
});

test("rules that are broken are an error of `data`", async () => {
  const schema = { type: "object", properties: { n: { type: "integer", maximum: 3 }, title: { type: "string" } }, required: ["n", "title"] };
  const error = await failure(read('{"n":7}', { schema, valid: true }).data());
  assert.ok(error instanceof InvalidError, error);
  assert.deepEqual(error.issues, [{ message: "title is missing", path: ["title"] }]);
  assert.ok(error.message.endsWith("schema: title is missing"), error.message);
  assert.ok((await failure(read('{"n":1}', { ensure: ["title"] }).data())) instanceof InvalidError);
  assert.deepEqual(await read('{"n":1,"title":"a"}', { schema }).data(), { n: 1, title: "a" });
});

test("refusals are said", async () => {
  const chunk = (refusal) => ({ choices: [{ index: 0, delta: { refusal } }] });
  const error = await failure(read([chunk("I can"), chunk("not.")]).data());
  assert.ok(error instanceof NoValueError && error.message.includes("the model refused, which is “I cannot.”"), error.message);
  assert.equal((await read([{ type: "response.refusal.delta", delta: "No." }]).answer).refusal, "No.");
  const silent = await failure(read([{ type: "message_delta", delta: { stop_reason: "refusal" } }]).data());
  assert.ok(silent.message.endsWith("the model refused"), silent.message);
});

test("names that every list has are no fields", async () => {
  const reader = read('{"a":[1]}');
  assert.ok((await failure(reader.get("a.length"))) instanceof PathError);
  const answer = await read('{"a":[1]}').answer;
  assert.equal(answer.at("a.constructor"), undefined);
  assert.equal(answer.at('["\\q"]'), undefined);
});

/** A source that is never asked, and knows whether it was left. */
function idle() {
  const source = { left: false, controller: { abort: () => (source.left = true) }, [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  return source;
}
const later = () => new Promise((done) => setTimeout(done, 5));

test("a source that nobody has read yet ends, too", async () => {
  const aborted = idle();
  read(aborted, { signal: AbortSignal.abort() });
  const cancelled = idle();
  read(cancelled).cancel();
  const promised = idle();
  read(Promise.resolve(promised)).cancel();
  const part = idle();
  await read(part).values().cancel();
  await later();
  assert.deepEqual([aborted.left, cancelled.left, promised.left, part.left], [true, true, true, true]);
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) }, { highWaterMark: 0 });
  read(new Response(body)).cancel();
  await later();
  assert.ok(isCancelled);
});

test("the signal ends the request of a body that is read whole", async () => {
  for (const init of [{ headers: { "content-type": "application/json" } }, { status: 500 }]) {
    let isCancelled = false;
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")), cancel: () => void (isCancelled = true) });
    const stop = new AbortController();
    const data = failure(read(new Response(body, init), { signal: stop.signal }).data());
    await later();
    stop.abort();
    await data;
    await later();
    assert.ok(isCancelled, JSON.stringify(init));
  }
});

test("errors of a source that was cancelled reach nobody", async () => {
  const source = { abort() { throw new Error("x"); }, [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: "[1," }), return() { throw new Error("y"); } }) };
  const reader = read(source);
  assert.equal(await reader.get("[0]"), 1);
  reader.cancel();
  await later();
  assert.ok((await failure(reader.answer)) instanceof CancelledError);
});

test("a source may throw anything", async () => {
  const reader = read({ async *[Symbol.asyncIterator]() { yield "[1"; throw undefined; } });
  const outcome = await reader.answer.then(() => "resolved", (error) => `rejected with ${error}`);
  assert.equal(outcome, "rejected with undefined");
});

test("mistakes of the caller are named, and no bug of the engine", async () => {
  const { Parser, check } = await import("../dist/node.js");
  assert.ok((await failure(read("[1]").get(undefined))) instanceof PathError);
  assert.ok((await failure(read("[1]").each(undefined).getReader().read())) instanceof PathError);
  assert.ok((await failure(read([{}], { pick: () => ({ reasoning: 5 }) }).answer)) instanceof SourceError);
  assert.ok((await failure(read([{ event: "patch" }]).answer)) instanceof SourceError);
  assert.ok((await failure(read([{ event: "final" }]).answer)) instanceof SourceError);
  const parser = new Parser();
  assert.throws(() => parser.feedReasoning(null), (error) => error.code === "chunk");
  assert.throws(() => check(5), (error) => error.code === "chunk");
  parser.feed("[1]");
  parser.finish();
  assert.deepEqual(parser.value, [1]);
});

test("an `EventSource` is listened to from the beginning", async () => {
  class Events extends EventTarget {
    readyState = 1;
    close() {
      this.readyState = 2;
    }
  }
  const source = new Events();
  const reader = read(source);
  const final = { event: "final", outcome: "complete", value: [1], text: "", reasoning: "", notices: [] };
  source.dispatchEvent(new MessageEvent("final", { data: JSON.stringify(final) }));
  await later();
  assert.deepEqual(await reader.data(), [1]);
  assert.equal(source.readyState, 2);
  const unread = new Events();
  read(unread).cancel();
  await later();
  assert.equal(unread.readyState, 2);
});

test("server-sent events that are errors, plain texts, or unknown", async () => {
  const events = (text) => new Response(text, { headers: { "content-type": "text/event-stream" } });
  const error = await failure(read(events('event: error\ndata: {"type":"overloaded","message":"busy"}\n\n')).data());
  assert.ok(error instanceof SourceError && error.message.includes("busy"), error);
  const plain = 'data: {"a":\n\ndata:  007\n\ndata: }\n\n';
  assert.ok((await failure(read(events(plain)).data())) instanceof SourceError);
  const picked = [];
  assert.deepEqual(await read(events('data: [1,\n\ndata: 2\n\ndata: ]\n\n'), { pick: (chunk, data) => (picked.push(chunk), data) }).data(), [1, 2]);
  assert.deepEqual(picked, [undefined, 2, undefined]);
  assert.ok((await failure(read([{ type: "foo", text: "[1]" }]).data())).message.includes("is not known"));
  const whole = await failure(read({ choices: [{ message: { content: "[1]" } }] }).data());
  assert.ok(whole.message.includes("stream: true"), whole.message);
});

test("a spec is taken for options", async () => {
  const { Spec } = await import("../dist/node.js");
  const spec = new Spec({ ensure: ["a"] });
  assert.deepEqual(await read('{"a":1}', spec).data(), { a: 1 });
  assert.ok((await failure(read("{}", spec).data())) instanceof InvalidError);
});

test("a field that is null has no text", async () => {
  const deltas = [];
  for await (const delta of read('{"a":null}').text("a")) deltas.push(delta);
  assert.deepEqual(deltas, []);
});

test("an answer without a value has no values", async () => {
  const seen = [];
  for await (const value of read("I cannot.").values()) seen.push(value);
  assert.deepEqual(seen, []);
});
