// The events of the package are those of the command, on every case of the corpus, in pieces of three bytes.
// PATCHWIRE names the command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Parser, StreamError } from "patchwire";

const command = process.env.PATCHWIRE;
const corpus = fileURLToPath(new URL("../../../corpus", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "patchwire-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** The cases of a folder of the corpus that have an input and known settings. */
function* cases(kind) {
  for (const name of readdirSync(join(corpus, kind)).filter((name) => name.endsWith(".ndjson"))) {
    for (const line of readFileSync(join(corpus, kind, name), "utf8").split("\n").filter(Boolean)) {
      const { input, format, schema, profile } = JSON.parse(line);
      const tags = profile && join(corpus, "tags/profiles", `${profile}.json`);
      if (typeof input !== "string" || (kind === "tags" && !existsSync(tags ?? ""))) continue;
      // The text of the schema keeps the order of its members.
      const text = schema && JSON.stringify(schema);
      yield { of: `${kind}/${name}: ${line}`, input, format, schema: text, tags };
    }
  }
}

function eventsOfCommand({ input, format, schema, tags }) {
  const settings = [...(format ? ["--format", format] : []), ...(tags ? ["--tags", tags] : [])];
  if (schema) {
    const file = join(folder, "schema.json");
    writeFileSync(file, schema);
    settings.push("--schema", file);
  }
  const { stdout, error } = spawnSync(command, ["parse", "--chunk-bytes", "3", ...settings], { input, encoding: "utf8" });
  if (error) throw error;
  return stdout.split("\n").filter(Boolean).map((line) => JSON.stringify(JSON.parse(line)));
}

function eventsOfPackage({ input, format, schema, tags }) {
  const set = tags && JSON.parse(readFileSync(tags, "utf8"));
  const parser = new Parser({ format, schema, tags: set });
  const events = [];
  try {
    const bytes = new TextEncoder().encode(input);
    for (let at = 0; at < bytes.length; at += 3) events.push(...parser.feed(bytes.subarray(at, at + 3)));
    events.push(...parser.finish());
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    events.push(...error.events, { event: "error", code: error.code });
  } finally {
    parser.free();
  }
  return events.map((event) => JSON.stringify(event));
}

for (const kind of ["json", "formats", "tags"]) {
  test(`events of corpus/${kind}`, { skip: command ? false : "PATCHWIRE names no command" }, () => {
    let compared = 0;
    for (const one of cases(kind)) {
      const expected = eventsOfCommand(one);
      const events = eventsOfPackage(one);
      const last = expected.at(-1);
      // The command says more about an error than its code.
      if (last?.startsWith('{"event":"error"')) expected[expected.length - 1] = JSON.stringify({ event: "error", code: JSON.parse(last).code });
      assert.deepEqual(events, expected, one.of);
      compared += 1;
    }
    assert.ok(compared > 30, `${compared} cases`);
    console.log(`${compared} cases of corpus/${kind} have the events of the command`);
  });
}
