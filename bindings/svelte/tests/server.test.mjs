import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { render } from "svelte/server";

import { given } from "../../js/tests/given.mjs";
import { component } from "./components.mjs";

const MARKUP = "<p>nothing waiting false</p>";
const RENDERS = {
  4: (report, props) => report.render(props).html,
  5: (report, props) => render(report, { props }).body.replaceAll(/<!--.*?-->/gu, ""),
};

for (const version of [4, 5]) {
  test(`on a server nothing is read, in Svelte ${version}`, async () => {
    const source = given();
    const html = RENDERS[version](await component(version, "server"), { source: source.stream });
    assert.equal(html, MARKUP);
    await Promise.resolve();
    assert.equal(source.stream.locked, false);
  });
}

for (const [version, compiler] of [[4, "svelte4/compiler"], [5, "svelte/compiler"]]) {
  test(`the component of the README compiles, in Svelte ${version}`, async () => {
    const { compile } = await import(compiler);
    const [, source] = readFileSync(new URL("../README.md", import.meta.url), "utf8").match(/```svelte\n([\s\S]*?)```/u);
    assert.deepEqual(compile(source, {}).warnings, []);
  });
}
