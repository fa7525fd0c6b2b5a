import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Window } from "happy-dom";

import { TEXT, answering, frames, given as givenWithin, place, rest } from "../../js/tests/given.mjs";

const window = new Window({ url: "http://localhost/" });
place(window);

const { StrictMode, Suspense, act, createElement, use } = await import("react");
const { createRoot } = await import("react-dom/client");
const { renderToString } = await import("react-dom/server");
const { useFields } = await import("@patchwire/react");
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

const within = (run) => act(run);
const frame = frames(within);
const given = () => givenWithin(within);

let seen = [];
let renders = 0;
function Report({ source, options }) {
  const fields = useFields(source, options);
  renders += 1;
  seen.push(fields);
  return createElement("p", null, fields.draft?.title ?? "nothing", " ", fields.status("title"));
}

async function mount(element) {
  const box = window.document.createElement("div");
  const root = createRoot(box);
  await act(async () => root.render(element));
  return { box, root };
}

beforeEach(() => {
  [seen, renders] = [[], 0];
});
const last = () => seen.at(-1);

test("a stream, one render a frame", async () => {
  const source = given();
  const { box, root } = await mount(createElement(Report, { source: source.stream }));
  assert.equal(box.textContent, "nothing waiting");
  assert.equal(last().isLoading, true);
  const before = renders;
  for (const unit of TEXT.slice(0, 14)) await source.give(unit);
  assert.equal(renders, before, "nothing is drawn before a frame");
  await frame();
  assert.equal(renders, before + 1, "a frame is one render");
  assert.equal(box.textContent, "Spr streaming");
  await source.give(TEXT.slice(14));
  await frame();
  assert.deepEqual([last().done("title"), last().done("rows[0]"), last().status("rows"), last().data], [true, true, "complete", undefined]);
  await source.end();
  assert.deepEqual([last().data, last().isLoading, last().error, last().answer.outcome], [JSON.parse(TEXT), false, undefined, "complete"]);
  await act(async () => root.unmount());
});

test("what did not change is the same object", async () => {
  const source = given();
  await mount(createElement(Report, { source: source.stream }));
  await source.give('{"a": [1, 2], "b": {"c": "x');
  await frame();
  const first = last().draft;
  await source.give('y"');
  await frame();
  const second = last().draft;
  assert.notEqual(first, second);
  assert.equal(first.a, second.a);
  assert.deepEqual([first.b.c, second.b.c], ["x", "xy"]);
});

test("under StrictMode a stream is read once, and goes on", async () => {
  const source = given();
  const { box, root } = await mount(createElement(StrictMode, null, createElement(Report, { source: source.stream })));
  await act(() => rest());
  await source.give(TEXT);
  await frame();
  assert.equal(box.textContent, "Spring complete");
  await act(async () => root.unmount());
  await act(() => rest());
  assert.ok(source.isCancelled, "leaving ends the source");
});

test("a URL is asked by submit, and stop ends the request", async () => {
  const source = given();
  const asked = answering(source.stream);
  await mount(createElement(Report, { source: "/api/report" }));
  assert.deepEqual([asked, last().isLoading], [[], false]);
  await act(async () => last().submit({ topic: "spring" }));
  await source.give('{"title": "Spr');
  await frame();
  assert.deepEqual(asked, [["/api/report", "POST", '{"topic":"spring"}', { "content-type": "application/json" }]]);
  assert.equal(last().draft.title, "Spr");
  await act(async () => last().stop());
  assert.deepEqual([last().isLoading, last().draft.title, last().error, asked.at(-1)], [false, "Spr", undefined, "aborted"]);
});

test("an error leaves what was read", async () => {
  const failures = [];
  const source = given();
  await mount(createElement(Report, { source: source.stream, options: { onError: (error) => failures.push(error.code) } }));
  await source.give('{"title": "Spr');
  await source.end();
  assert.deepEqual([last().error.code, last().draft, failures], ["cut", { title: "Spr" }, ["cut"]]);
  globalThis.fetch = async () => new Response("no key", { status: 401 });
  await mount(createElement(Report, { source: "/api" }));
  await act(async () => last().submit());
  await act(() => rest());
  assert.equal(last().error.message, "the server answered 401: no key");
});

test("a schema validates the value", async () => {
  const schema = { "~standard": { version: 1, vendor: "test", validate: (value) => (value.title === "Spring" ? { value: { ...value, seen: true } } : { issues: [{ message: "no", path: ["title"] }] }) } };
  const values = [];
  await mount(createElement(Report, { source: [TEXT], options: { schema, onData: (data) => values.push(data.seen) } }));
  await act(() => rest(10));
  assert.deepEqual(values, [true]);
});

test("on a server nothing is read, and the markup is that of the first render", () => {
  const html = renderToString(createElement(Report, { source: "/api/report" }));
  assert.equal(html, "<p>nothing<!-- --> <!-- -->waiting</p>");
});

test("inside Suspense, beside what is waited for", async () => {
  const source = given();
  let done;
  const waiting = new Promise((ready) => (done = ready));
  const Slow = () => createElement("i", null, use(waiting));
  const tree = createElement(Suspense, { fallback: "…" }, createElement(Report, { source: source.stream }), createElement(Slow));
  const { box } = await mount(tree);
  await act(async () => done("slow"));
  await act(() => rest());
  await source.give(TEXT);
  await frame();
  assert.equal(box.textContent, "Spring completeslow");
});
