import assert from "node:assert/strict";
import { test } from "node:test";

import { Answer, CutError, NoValueError, OptionError, PanicError, Parser, PatchwireError, Spec, StreamError, check, names, parse, prompt } from "patchwire";

const TEXT = 'Sure! {"title": "Mül 😀 \\u00e9", "rows": [{"n": 1, "s": "a"}, {"n": 2.5, "s": ""}], "ok": True,} Bye.';

const shown = (events) => events.map(({ type, kind, path, delta, value }) => [type, kind, path, delta, structuredClone(value)]);
const joined = (events) => {
  const out = [];
  for (const event of events) {
    const last = out.at(-1);
    const isSame = last && "delta" in event && event.delta !== "" && last.path === event.path && last.type === event.type && last.kind === event.kind;
    if (isSame) last.delta += event.delta;
    else out.push({ type: event.type, kind: event.kind, path: event.path, delta: event.delta ?? "" });
  }
  return out;
};

test("the ten lines of the README", () => {
  const parser = new Parser();
  const seen = [];
  for (const chunk of ['Sure! {"title": "Hel', 'lo", "tags": ["a"', ', "b"]}']) {
    for (const event of parser.feed(chunk)) {
      if (event.type === "patch") seen.push(`${event.path} ${event.kind} ${event.delta}`);
    }
  }
  parser.finish();
  assert.deepEqual(parser.answer.value, { title: "Hello", tags: ["a", "b"] });
  assert.ok(seen.includes("title delta Hel") && seen.includes("title delta lo"));
  parser.free();
});

test("a whole text", () => {
  const answer = parse(TEXT);
  assert.ok(answer instanceof Answer);
  assert.deepEqual(answer.value, { title: "Mül 😀 é", rows: [{ n: 1, s: "a" }, { n: 2.5, s: "" }], ok: true });
  assert.equal(answer.outcome, "repaired");
  assert.equal(answer.json, '{"title":"Mül 😀 é","rows":[{"n":1,"s":"a"},{"n":2.5,"s":""}],"ok":true}');
  assert.ok(answer.notices.some(({ code }) => code === "foreign_literal" || code.includes("literal")), JSON.stringify(answer.notices));
});

test("every digit of a number is in the JSON", () => {
  assert.equal(parse("[12345678901234567890, 1.10]").json, "[12345678901234567890,1.10]");
});

test("every cut of bytes gives the same events and the same value", () => {
  const bytes = new TextEncoder().encode(TEXT);
  const whole = new Parser();
  const expected = joined([...whole.feed(bytes), ...whole.finish()]);
  for (let at = 0; at <= bytes.length; at += 1) {
    const parser = new Parser();
    const events = [...parser.feed(bytes.subarray(0, at)), ...parser.feed(bytes.subarray(at)), ...parser.finish()];
    assert.deepEqual(joined(events), expected, `cut at ${at}`);
    assert.deepEqual(parser.answer.value, whole.answer.value);
    parser.free();
  }
});

test("a string may be cut inside a surrogate pair", () => {
  for (let at = 0; at <= TEXT.length; at += 1) {
    const parser = new Parser();
    parser.feed(TEXT.slice(0, at));
    parser.feed(TEXT.slice(at));
    parser.finish();
    assert.equal(parser.answer.value.title, "Mül 😀 é", `cut at ${at}`);
    parser.free();
  }
  const parser = new Parser();
  parser.feed('["x\ud83d');
  parser.finish();
  assert.deepEqual(parser.answer.value, ["x\ufffd"]);
});

test("the live value is the value after each chunk", () => {
  const parser = new Parser();
  const all = [];
  for (const unit of TEXT) {
    parser.feed(unit);
    all.push([parser.snapshot(), JSON.stringify(parser.value), JSON.stringify(parser.settled())]);
  }
  // Snapshots are as they were, although the value went on.
  for (const [snapshot, value] of all) assert.equal(JSON.stringify(snapshot), value);
  const growing = all.map(([, value]) => value).filter((value, at, list) => value !== list[at - 1]);
  assert.ok(growing.length > 15, `${growing.length} values`);
  assert.ok(growing.includes('{"title":"Mül 😀 é","rows":[{"n":1,"s":"a"},{}]}'), growing.join("\n"));
  parser.finish();
  assert.deepEqual(parser.value, parser.answer.value);
});

test("snapshots share what did not change", () => {
  const parser = new Parser();
  parser.feed('{"a": [1, 2], "b": [3');
  const first = parser.snapshot();
  parser.feed(", 4, ");
  const second = parser.snapshot();
  assert.notEqual(first, second);
  assert.equal(first.a, second.a);
  assert.deepEqual([first.b, second.b], [[], [3, 4]]);
});

test("names and texts are what was written, whatever came before", () => {
  // The bytes of the one name are the units of the other; names of one length, and names that came before.
  const names = ["é", "\u00c3\u00a9", "ab", "ba", "ab", "a b", "名", "n".repeat(40), "", "0"];
  const text = JSON.stringify(names.map((name) => ({ [name]: name })));
  for (const size of [1, 2, 3, 4, 7, 1000]) {
    const parser = new Parser();
    for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size));
    assert.deepEqual(parser.value, JSON.parse(text));
    parser.finish();
    assert.equal(parser.answer.json, text);
  }
  // A delta as long as its chunk that is another text, and one that is the chunk.
  const parser = new Parser();
  const deltas = [...parser.feed('["a\\'), ...parser.feed("nbc"), ...parser.feed("\\u00"), ...parser.feed("41xy"), ...parser.feed("same")];
  assert.deepEqual(deltas.flatMap(({ kind, delta }) => (kind === "delta" ? [delta] : [])), ["a", "\n", "bc", "A", "xy", "same"]);
});

test("a field is open until it is complete, and not longer", () => {
  const parser = new Parser();
  const open = () => ["a", "a[0].b", "c", "c[0].b"].filter((path) => parser.isOpen(path));
  parser.feed('{"a": [{"b": "x');
  assert.deepEqual(open(), ["a", "a[0].b"]);
  parser.feed('"}]');
  assert.deepEqual(open(), []);
  parser.feed(', "c": [{"b": "y"},');
  assert.deepEqual(open(), ["c"]);
  parser.feed("1]}");
  parser.finish();
  assert.deepEqual(open(), []);
});

test("names that every object has are members like others", () => {
  const text = '{"__proto__": {"harmed": 1}, "constructor": {"prototype": {"harmed": 2}}, "toString": "x"}';
  const parser = new Parser();
  for (const unit of text) parser.feed(unit);
  assert.equal(JSON.stringify(parser.snapshot()), JSON.stringify(JSON.parse(text)));
  parser.finish();
  assert.equal(JSON.stringify(parser.value), JSON.stringify(JSON.parse(text)));
  assert.equal({}.harmed, undefined);
});

test("a patch has what the wire has", () => {
  const parser = new Parser();
  const [patch] = parser.feed('{"a/b": [{"c.d": "x').filter(({ kind }) => kind === "delta");
  assert.deepEqual(
    [patch.path, patch.wildcardPath, patch.pointer, patch.span, patch.value, patch.isComplete, patch.document],
    ['["a/b"][0]["c.d"]', '["a/b"][*]["c.d"]', "/a~1b/0/c.d", [18, 19], "x", false, 0],
  );
  assert.deepEqual(shown([patch]), [["patch", "delta", patch.path, "x", "x"]]);
});

test("schemas give types, and prompts", () => {
  const schema = { type: "object", properties: { n: { type: "integer", description: "how many" } }, required: ["n"] };
  assert.deepEqual(parse('{"n": "7"}', { schema }).value, { n: 7 });
  assert.match(prompt({ schema }), /how many/u);
  assert.deepEqual(parse("n: 7", { schema: "n: int", format: "yaml_literal" }).value, { n: 7 });
  const spec = new Spec({ schema });
  assert.deepEqual(spec.jsonSchema.properties.n.type, "integer");
  assert.equal(new Spec().jsonSchema, undefined);
  assert.ok(spec.skeleton.includes('"n"'));
});

test("tags, reasoning and calls", () => {
  const answer = parse('<think>so</think><tool_call>{"name": "weather", "arguments": {"city": "Rome"}}</tool_call>', { tags: ["think", "hermes_json"], format: "text" });
  assert.equal(answer.reasoning, "so");
  assert.deepEqual(answer.calls, [{ name: "weather", arguments: { city: "Rome" }, isComplete: true }]);
  assert.equal(answer.outcome, "tool_calls");
  const parser = new Parser();
  parser.feedReasoning("First ");
  parser.feed("{}");
  parser.feedReasoning("this");
  parser.finish();
  assert.equal(parser.answer.reasoning, "First this");
});

test("data is the whole value, or an error that says why not", async () => {
  assert.deepEqual(await parse("[1]").data(), [1]);
  const cut = parse('{"tags": ["a", "b');
  const error = await cut.data().catch((error) => error);
  assert.ok(error instanceof CutError && error.code === "cut", String(error));
  assert.deepEqual([error.path, error.value, error.answer], ["tags[1]", { tags: ["a", "b"] }, cut]);
  assert.deepEqual(await cut.data({ partial: true }), { tags: ["a", "b"] });
  assert.deepEqual([cut.isCutAt("tags"), cut.isCutAt("tags[0]"), cut.isCutAt("tag"), cut.isCutAt("")], [true, false, false, true]);
  const prose = await parse("I cannot help with that.").data().catch((error) => error);
  assert.ok(prose instanceof NoValueError);
  assert.equal(prose.message, "the answer has no value: the model wrote only text, which is “I cannot help with that.”");
});

test("options that cannot be used are errors", () => {
  const fails = (options, option, words) => {
    assert.throws(() => parse("[]", options), (error) => error instanceof OptionError && error.option === option && error.message.includes(words));
  };
  fails({ format: "jsn" }, "format", "no format is called `jsn`");
  fails({ formt: "json" }, "", "there is no option `formt`");
  fails({ schema: { type: 7 } }, "schema", "at `");
  fails({ tags: "thnk" }, "tags", "no tag set is called `thnk`");
  fails({ limits: { depth: -1 } }, "limits", "`depth`: invalid value: integer `-1`");
  fails({ limits: { dept: 1 } }, "limits", "no such limit");
  fails({ schema: { a: 1n } }, "", "JSON");
  fails(7, "", "object");
});

test("a limit stops the stream, and what was read stays", () => {
  const parser = new Parser({ limits: { depth: 2 } });
  assert.throws(() => parser.feed('{"a": [[1]]}'), (error) => {
    assert.ok(error instanceof StreamError);
    assert.deepEqual([error.code, error.offset], ["limit_depth", 7]);
    assert.deepEqual(error.events.map(({ path }) => path), ["", "a"]);
    return true;
  });
  assert.deepEqual(parser.value, { a: [] });
  assert.throws(() => parser.feed("x"), { code: "limit_depth" });
  assert.throws(() => parse("[1,]", { strictness: "strict" }), (error) => error.code.startsWith("syntax_"));
});

test("chunks of another type are errors", () => {
  const parser = new Parser();
  for (const chunk of [null, 7, undefined, {}, [1]]) assert.throws(() => parser.feed(chunk), { code: "chunk" });
  parser.feed("[1]");
  parser.finish();
  assert.deepEqual(parser.value, [1]);
  assert.throws(() => parser.feed("x"), { code: "finished" });
  parser.free();
  parser.free();
  assert.throws(() => parser.feed("x"), { code: "freed" });
});

test("a panic loses one parser and nothing else", () => {
  const before = new Parser();
  before.feed('{"a": "b');
  const broken = new Parser();
  broken.feed("[1, ");
  assert.throws(() => broken.panicOnPurpose(), (error) => error instanceof PanicError && error.message.includes("a test asked for this"));
  assert.deepEqual(broken.value, [1]);
  assert.throws(() => broken.feed("2]"), PanicError);
  // A parser from before goes on, and new ones are made.
  before.feed('c"}');
  before.finish();
  assert.deepEqual(before.value, { a: "bc" });
  for (let times = 0; times < 50; times += 1) {
    const next = new Parser({ schema: { n: "int" } });
    next.feed('{"n": "1');
    if (times % 2) assert.throws(() => next.panicOnPurpose(), PanicError);
    else next.finish();
    next.free();
  }
  assert.deepEqual(parse("[1]").value, [1]);
});

test("big chunks, and long streams in small ones", () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `näme ${at}`, tags: ["a", "b"] }));
  const text = JSON.stringify({ rows });
  const whole = new Parser();
  const events = [...whole.feed(text), ...whole.finish()];
  assert.deepEqual(whole.value, { rows });
  assert.equal(events.filter(({ isComplete, path }) => isComplete && /\.name$/u.test(path)).length, 20_000);
  const slow = new Parser();
  for (let at = 0; at < text.length; at += 1000) slow.feed(text.slice(at, at + 1000));
  assert.deepEqual(slow.value, { rows });
  slow.finish();
});

test("many parsers at the same time do not meet", () => {
  const all = Array.from({ length: 300 }, (_, at) => ({ at, parser: new Parser() }));
  for (const { at, parser } of all) parser.feed(`{"n": ${at}, "s": "`);
  for (const { at, parser } of all) parser.feed(`x${at}"}`);
  for (const { at, parser } of all) {
    parser.finish();
    assert.deepEqual(parser.value, { n: at, s: `x${at}` });
    parser.free();
  }
});

test("cuts are checked", () => {
  assert.deepEqual(check("[1, 2]"), { cuts: 5, difference: undefined });
  assert.deepEqual(check(""), { cuts: 0, difference: undefined });
  const long = JSON.stringify({ text: "x".repeat(30_000) });
  const { cuts, difference } = check(long);
  assert.ok(cuts === 2000 && difference === undefined, `${cuts}`);
});

test("names of formats and tags", () => {
  const { formats, tags, slips, limits } = names();
  assert.ok(formats.includes("hybrid") && tags.includes("think") && slips.includes("comments") && limits.includes("depth"));
});

test("every error has a code", () => {
  for (const error of [new PanicError("x"), new OptionError("a", "b")]) assert.ok(error instanceof PatchwireError && error.code !== "");
});
