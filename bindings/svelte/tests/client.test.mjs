// With the conditions of a browser: `node --conditions=browser --test client.test.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Window } from "happy-dom";

import { TEXT, answering, frames, given, place, rest } from "../../js/tests/given.mjs";
import { component } from "./components.mjs";

const window = new Window({ url: "http://localhost/" });
place(window, "Element", "Text", "Comment", "HTMLMediaElement", "CustomEvent", "Event");

const five = await import("svelte");
const { tick: tick4 } = await import("svelte4");
const { fields } = await import("@patchwire/svelte");
const { get } = await import("svelte/store");
const { ready } = await import("patchwire");
// Browsers load the module; what is asserted is what comes after that.
await ready();

/** How each version draws a component, and how it leaves. */
const VERSIONS = {
  4: {
    mount: (Report, target, props, hydrate) => new Report({ target, props, hydrate }),
    unmount: (report) => report.$destroy(),
  },
  5: {
    mount: (Report, target, props, hydrate) => (hydrate ? five.hydrate : five.mount)(Report, { target, props }),
    unmount: (report) => five.unmount(report),
  },
};

const settle = async () => {
  await tick4();
  five.flushSync();
};
const frame = frames(async (run) => {
  await run();
  await settle();
});

for (const [version, { mount, unmount }] of Object.entries(VERSIONS)) {
  const Report = await component(Number(version), "client");
  const open = async (props, html = "") => {
    const box = window.document.createElement("div");
    box.innerHTML = html;
    window.document.body.append(box);
    let report;
    const drawn = mount(Report, box, { ...props, shown: (own) => (report = own) }, html !== "");
    const before = box.textContent;
    await rest();
    await settle();
    return { box, report, before, leave: () => unmount(drawn) };
  };
  const check = (name, what) => test(`${name}, in Svelte ${version}`, what);

  check("a stream, drawn once a frame", async () => {
    const source = given();
    const { box, report, before, leave } = await open({ source: source.stream });
    assert.deepEqual([before, box.textContent], ["nothing waiting false", "nothing waiting true"]);
    let told = 0;
    const end = report.subscribe(() => (told += 1));
    for (const unit of TEXT.slice(0, 14)) await source.give(unit);
    assert.equal(told, 1, "nothing is told before a frame");
    await frame();
    assert.deepEqual([told, box.textContent], [2, "Spr streaming true"]);
    end();
    await source.give(TEXT.slice(14));
    await source.end();
    await settle();
    assert.equal(box.textContent, "Spring complete false");
    const { data, answer, error, done } = get(report);
    assert.deepEqual([data, answer.outcome, error, done("rows[0].sku")], [JSON.parse(TEXT), "complete", undefined, true]);
    leave();
  });

  check("a URL is asked by submit, and leaving ends the request", async () => {
    const source = given();
    const asked = answering(source.stream);
    const { box, report, leave } = await open({ source: "/api/report" });
    assert.deepEqual([asked, box.textContent], [[], "nothing waiting false"]);
    report.submit({ topic: "spring" });
    await source.give('{"title": "Spr');
    await frame();
    assert.deepEqual(asked, [["/api/report", "POST", '{"topic":"spring"}', { "content-type": "application/json" }]]);
    assert.equal(box.textContent, "Spr streaming true");
    leave();
    await rest();
    assert.deepEqual([asked.at(-1), get(report).draft], ["aborted", { title: "Spr" }]);
  });

  check("a browser goes on from the markup of a server", async () => {
    const source = given();
    // Version 5 marks what it rendered.
    const html = version === "5" ? "<!--[--><p>nothing waiting false</p><!--]-->" : "<p>nothing waiting false</p>";
    const { box, before, leave } = await open({ source: source.stream }, html);
    assert.equal(before, "nothing waiting false");
    await source.give(TEXT);
    await frame();
    assert.equal(box.textContent, "Spring complete true");
    leave();
  });

  check("an error leaves what was read, and is told once", async () => {
    const [source, failures] = [given(), []];
    const { box, report, leave } = await open({ source: source.stream, options: { onError: ({ code }) => failures.push(code) } });
    await source.give('{"title": "Spr');
    await source.end();
    await settle();
    assert.deepEqual([get(report).error.code, box.textContent, failures], ["cut", "Spr streaming false", ["cut"]]);
    leave();
  });
}

test("a store is read while somebody subscribes, and a stream once", async () => {
  const source = given();
  const report = fields(source.stream);
  await rest();
  assert.equal(source.stream.locked, false, "nobody subscribes");
  const leave = report.subscribe(() => {});
  await rest();
  assert.equal(source.stream.locked, true);
  // Another one comes as the first one goes.
  leave();
  leave();
  const leaveToo = report.subscribe(() => {});
  await source.give('{"title": "Spr');
  assert.deepEqual([source.isCancelled, get(report).isLoading], [false, true]);
  leaveToo();
  await rest();
  assert.deepEqual([source.isCancelled, get(report).isLoading], [true, false]);
});

test("another stream takes the place of the one before, and stop ends it", async () => {
  const [first, second] = [given(), given()];
  const report = fields(null);
  const states = [];
  report.subscribe((state) => states.push(state));
  report.submit();
  assert.equal(states.length, 1, "there is nothing to read");
  report.read(first.stream);
  await first.give('{"title": "First"');
  report.read(() => second.stream);
  await second.give('{"title": "Second"');
  report.stop();
  await rest();
  assert.deepEqual([states.at(-1).draft, states.at(-1).isLoading, first.isCancelled, second.isCancelled], [{ title: "Second" }, false, true, true]);
});
