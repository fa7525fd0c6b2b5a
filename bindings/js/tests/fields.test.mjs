// The state of an answer for what draws it, without a framework.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FieldsStore } from "patchwire/fields";

import { TEXT, answering, frames, given, rest } from "./given.mjs";

const frame = frames();
const noted = (store) => {
  const states = [];
  store.subscribe(() => states.push(store.snapshot()));
  return states;
};

test("what draws is told at the start, once a frame, and at the end", async () => {
  const [store, source] = [new FieldsStore(), given()];
  const states = noted(store);
  assert.deepEqual([store.snapshot().isLoading, store.snapshot().status("title")], [false, "waiting"]);
  store.submit(source.stream);
  for (const unit of TEXT.slice(0, 14)) await source.give(unit);
  assert.deepEqual(states.map(({ isLoading, draft }) => [isLoading, draft]), [[true, undefined]], "nothing is told before a frame");
  await frame();
  assert.deepEqual([states.length, states[1].draft, states[1].status("title"), states[1].done("title")], [2, { title: "Spr" }, "streaming", false]);
  await source.give(TEXT.slice(14));
  await source.end();
  assert.equal(states.length, 3);
  const { data, isLoading, error, answer, done } = states[2];
  assert.deepEqual([data, isLoading, error, answer.outcome, done("rows[1].sku")], [JSON.parse(TEXT), false, undefined, "complete", true]);
  assert.equal(states[1].status("rows"), "waiting", "a state is not changed later");
});

test("another source takes the place of the one before", async () => {
  const [store, first, second] = [new FieldsStore(), given(), given()];
  store.submit(first.stream);
  await first.give('{"title": "First"');
  store.submit(second.stream);
  assert.deepEqual([store.snapshot().draft, store.snapshot().status("title")], [undefined, "waiting"]);
  await rest();
  assert.ok(first.isCancelled);
  await second.give('{"n": 1}');
  await second.end();
  await frame();
  assert.deepEqual(store.snapshot().data, { n: 1 });
});

test("a URL is asked with headers of any kind, and a body is JSON", async () => {
  const asked = answering(given().stream);
  const store = new FieldsStore();
  for (const headers of [{ "X-Key": "k" }, [["X-Key", "k"]], new Headers({ "x-key": "k" })]) store.submit(new URL("http://localhost/a"), { init: { headers } }, { n: 1 });
  store.submit("/b", { init: { headers: { "content-type": "text/plain" }, body: "as it is", method: "PUT" } }, {});
  store.submit("/c", { init: { headers: { "X-Key": "k" } } });
  const post = ["http://localhost/a", "POST", '{"n":1}', { "content-type": "application/json", "x-key": "k" }];
  const put = ["/b", "PUT", "as it is", { "content-type": "text/plain" }];
  assert.deepEqual(asked, [post, "aborted", post, "aborted", post, "aborted", put, "aborted", ["/c", "GET", undefined, { "x-key": "k" }]]);
});

test("a function is asked with a signal, and stop ends it", async () => {
  const [store, source] = [new FieldsStore(), given()];
  let signal;
  store.submit(async (own) => {
    signal = own;
    return source.stream;
  });
  await source.give('{"title": "Spr');
  store.stop();
  assert.ok(signal.aborted);
  const { draft, isLoading, error, status } = store.snapshot();
  assert.deepEqual([draft, isLoading, error, status("title")], [{ title: "Spr" }, false, undefined, "streaming"]);
});

test("who follows is called with the value, or the error, once for each answer", async () => {
  const store = new FieldsStore();
  const seen = [];
  const leave = store.follow(() => ({ onData: (data) => seen.push(data), onError: ({ code }) => seen.push(code) }));
  for (const source of [["[1]"], ['{"a": '], ["[1]"], []]) {
    store.submit(source);
    await rest();
  }
  leave();
  store.submit(["[2]"]);
  await rest();
  assert.deepEqual(seen, [[1], "cut", [1], "no_value"]);
  assert.deepEqual(store.snapshot().data, [2]);
});

test("fields of a value that only the end finds are complete", async () => {
  const [store, source] = [new FieldsStore(), given()];
  store.submit(source.stream, { format: "json", schema: "a: int\nb: str" });
  await source.give("a: 1\nb: x\n");
  await source.end();
  await rest(50);
  const { data, done, status } = store.snapshot();
  assert.deepEqual(data, { a: 1, b: "x" });
  assert.ok(done("a") && done("b") && done(""));
  assert.equal(status("c"), "waiting");
});

test("a frame of the answer before does not hide the first draft of the next", async () => {
  const [store, one, other] = [new FieldsStore(), given(), given()];
  store.submit(one.stream);
  await one.give('{"a": "one');
  store.submit(other.stream);
  await other.give('{"b": "two');
  await frame();
  assert.deepEqual(store.snapshot().draft, { b: "two" });
  store.stop();
});
