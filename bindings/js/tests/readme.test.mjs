// The programs of the README run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const programs = [...readme.matchAll(/```(js|ts)\n([\s\S]*?)```/gu)].map(([, , code]) => code);

/** Runs a program, with what it takes for granted before it. */
function run(name, before, code) {
  const file = fileURLToPath(new URL(`./readme-${name}.tmp.mjs`, import.meta.url));
  const imports = [...code.matchAll(/^import .*$/gmu)].map(([line]) => line).join("\n");
  writeFileSync(file, `${imports}\n${before}\n${code.replace(/^import .*$/gmu, "")}`);
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    return stdout;
  } finally {
    rmSync(file);
  }
}

test("the ten lines", () => {
  const printed = run("first", "", programs[0]);
  for (const line of ["title delta Hel", "title delta lo", "tags[1] done"]) assert.ok(printed.includes(line), printed);
  assert.ok(printed.includes("{ title: 'Hello', tags: [ 'a', 'b' ] }"), printed);
});

test("the parts of an answer", () => {
  const text = '{"title": "Spring", "summary": "It is warm.", "rows": [{"sku": "a1"}, {"sku": "b2"}]}';
  // The program reads one stream, part by part.
  const before = `const stream = ${JSON.stringify(text.match(/.{1,5}/gu))};
const signal = undefined;
const write = (text) => console.log("text", text);
const save = (row) => console.log("row", row.sku);
const draw = (draft) => console.log("draft", draft.title);`;
  const printed = run("parts", before, `${programs[1]}\nconsole.log(title, report.rows.length);`);
  for (const line of ["text It ", "text rm.", "row a1", "row b2", "Spring 2"]) assert.ok(printed.includes(line), printed);
});

test("the rest", () => {
  const before = `const schema = "title: str"; const chunk = "### title\\nHi"; const text = "[1]";`;
  run("rest", before, programs[2]);
  const printed = run("rest", before, `${programs[2]}\nconsole.log(parse("{'title': 'It's late', draft: True,}").value, parse("[12345678901234567890]").json, parser.answer.value, check(text));`);
  assert.ok(printed.includes(`{ title: "It's late", draft: true } [12345678901234567890] { title: 'Hi' } { cuts: 2, difference: undefined }`), printed);
});
