import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { Window } from "happy-dom";

import { TEXT, answering, frames, given, place, rest } from "../../js/tests/given.mjs";

const window = new Window({ url: "http://localhost/" });
place(window, "Element", "SVGElement", "MathMLElement");

const { createApp, createSSRApp, effectScope, h, nextTick, ref, shallowRef, watchEffect } = await import("vue");
const { compileScript, compileTemplate, parse } = await import("vue/compiler-sfc");
const { renderToString } = await import("vue/server-renderer");
const { useFields } = await import("@patchwire/vue");

const frame = frames(async (run) => {
  await run();
  await nextTick();
});

let renders = 0;
let fields;
const Report = {
  props: ["source", "options"],
  setup({ source, options }) {
    fields = useFields(source, options);
    return () => {
      renders += 1;
      return h("p", `${fields.draft.value?.title ?? "nothing"} ${fields.status("title")} ${fields.isLoading.value}`);
    };
  },
};

async function mount(props) {
  const box = window.document.createElement("div");
  const app = createApp(Report, props);
  app.mount(box);
  await nextTick();
  return { box, app };
}

beforeEach(() => {
  renders = 0;
});

test("a stream, one render a frame", async () => {
  const source = given();
  const { box, app } = await mount({ source: source.stream });
  assert.equal(box.textContent, "nothing waiting true");
  const before = renders;
  for (const unit of TEXT.slice(0, 14)) await source.give(unit);
  assert.equal(renders, before, "nothing is drawn before a frame");
  await frame();
  assert.equal(renders, before + 1, "a frame is one render");
  assert.equal(box.textContent, "Spr streaming true");
  await source.give(TEXT.slice(14));
  await frame();
  assert.deepEqual([fields.done("title"), fields.done("rows[0]"), fields.status("rows"), fields.data.value], [true, true, "complete", undefined]);
  await source.end();
  assert.deepEqual([fields.data.value, fields.error.value, fields.answer.value.outcome], [JSON.parse(TEXT), undefined, "complete"]);
  assert.equal(box.textContent, "Spring complete false");
  app.unmount();
});

test("what did not change is the same object, and no proxy", async () => {
  const source = given();
  await mount({ source: source.stream });
  await source.give('{"a": [1, 2], "b": {"c": "x');
  await frame();
  const first = fields.draft.value;
  await source.give('y"');
  await frame();
  const second = fields.draft.value;
  assert.notEqual(first, second);
  assert.equal(first.a, second.a);
  assert.deepEqual([first.b.c, second.b.c], ["x", "xy"]);
});

test("a URL is asked by submit, and leaving ends the request", async () => {
  const source = given();
  const asked = answering(source.stream);
  const { app, box } = await mount({ source: "/api/report" });
  assert.deepEqual([asked, box.textContent], [[], "nothing waiting false"]);
  fields.submit({ topic: "spring" });
  await source.give('{"title": "Spr');
  await frame();
  assert.deepEqual(asked, [["/api/report", "POST", '{"topic":"spring"}', { "content-type": "application/json" }]]);
  assert.equal(box.textContent, "Spr streaming true");
  app.unmount();
  assert.deepEqual([fields.draft.value.title, asked.at(-1)], ["Spr", "aborted"]);
});

test("stop ends the reading, and what was read stays", async () => {
  const source = given();
  const { box } = await mount({ source: source.stream });
  await source.give('{"title": "Spr');
  fields.stop();
  await rest();
  assert.deepEqual([source.isCancelled, box.textContent, fields.error.value], [true, "Spr streaming false", undefined]);
});

test("a ref gives another stream, and a function asks for one", async () => {
  for (const make of [ref, shallowRef]) {
    const [first, second] = [given(), given()];
    const source = make(null);
    const scope = effectScope();
    const { draft, isLoading } = scope.run(() => useFields(source));
    assert.equal(isLoading.value, false);
    source.value = first.stream;
    await nextTick();
    await first.give('{"title": "First"');
    await frame();
    assert.equal(draft.value.title, "First");
    source.value = () => second.stream;
    await nextTick();
    await second.give('{"title": "Second"');
    await frame();
    assert.deepEqual([draft.value.title, first.isCancelled], ["Second", true]);
    scope.stop();
    await rest();
    assert.ok(second.isCancelled, "leaving the scope ends the source");
  }
});

test("effects that ask for a status run again when it changes", async () => {
  const source = given();
  await mount({ source: source.stream });
  const seen = [];
  watchEffect(() => seen.push(fields.status("rows[0].sku")));
  for (const piece of ['{"rows": [', '{"sku": "a', '1"}']) {
    await source.give(piece);
    await frame();
  }
  assert.deepEqual([...new Set(seen)], ["waiting", "streaming", "complete"]);
});

test("an error leaves what was read, and is told once", async () => {
  const failures = [];
  const source = given();
  await mount({ source: source.stream, options: { onError: (error) => failures.push(error.code) } });
  await source.give('{"title": "Spr');
  await source.end();
  assert.deepEqual([fields.error.value.code, fields.draft.value, failures], ["cut", { title: "Spr" }, ["cut"]]);
});

test("a schema validates the value, by options that may be asked for later", async () => {
  const schema = { "~standard": { version: 1, vendor: "test", validate: (value) => (value.title === "Spring" ? { value: { ...value, seen: true } } : { issues: [{ message: "no", path: ["title"] }] }) } };
  const values = [];
  await mount({ source: [TEXT], options: () => ({ schema, onData: (data) => values.push(data.seen) }) });
  await rest(10);
  assert.deepEqual([values, fields.data.value.seen], [[true], true]);
});

test("on a server nothing is read, and a browser goes on from its markup", async () => {
  const source = given();
  const html = await renderToString(createSSRApp(Report, { source: source.stream }));
  assert.equal(html, "<p>nothing waiting false</p>");
  assert.equal(source.stream.locked, false);
  const box = window.document.createElement("div");
  box.innerHTML = html;
  const warnings = [];
  const app = createSSRApp(Report, { source: source.stream });
  app.config.warnHandler = (message) => warnings.push(message);
  app.mount(box);
  await source.give(TEXT);
  await frame();
  assert.deepEqual([box.textContent, warnings], ["Spring complete true", []]);
  app.unmount();
});

test("the component of the README compiles", () => {
  const [, source] = readFileSync(new URL("../README.md", import.meta.url), "utf8").match(/```vue\n([\s\S]*?)```/u);
  const { descriptor, errors } = parse(source);
  const { bindings } = compileScript(descriptor, { id: "readme" });
  const template = compileTemplate({ source: descriptor.template.content, filename: "README.vue", id: "readme", compilerOptions: { bindingMetadata: bindings } });
  assert.deepEqual([errors, template.errors, template.tips], [[], [], []]);
  // Each name of the template is one of the script.
  assert.doesNotMatch(template.code, /_ctx\./u);
});
