// The page folds patches as the engine does, on every case of the corpus. `node fold.mjs PATCHWIRE CORPUS FOLDER`

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [patchwire, corpus, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

// Browsers know a module by its type on the wire, and node by a file beside it: so the files are copied.
writeFileSync(join(folder, "package.json"), '{"type": "module"}');
for (const file of ["compare.js", "connect.js", "events.js", "fold.js"]) writeFileSync(join(folder, file), readFileSync(join("../../page", file)));
const { Fold, canonical } = await import(pathToFileURL(join(folder, "fold.js")));

const noPause = { pause: async () => {} };
const schemaFile = join(folder, "schema.json");
let same = 0;
for (const kind of ["json", "formats", "tags"]) {
  for (const name of readdirSync(join(corpus, kind)).filter((name) => name.endsWith(".ndjson"))) {
    for (const line of readFileSync(join(corpus, kind, name), "utf8").split("\n").filter(Boolean)) {
      const { input, format, schema, profile } = JSON.parse(line);
      const tags = profile && join(corpus, "tags/profiles", `${profile}.json`);
      if (typeof input !== "string" || (kind === "tags" && !existsSync(tags ?? ""))) continue;
      if (schema) writeFileSync(schemaFile, JSON.stringify(schema));
      const settings = [...(format ? ["--format", format] : []), ...(schema ? ["--schema", schemaFile] : []), ...(tags ? ["--tags", tags] : [])];
      const { stdout } = spawnSync(patchwire, ["parse", "--chunk-bytes", "3", ...settings], { input, encoding: "utf8" });
      const fold = new Fold();
      for (const record of stdout.split("\n").filter(Boolean)) fold.apply(JSON.parse(record));
      // Where reading stopped early there is no final value.
      if (!fold.final) continue;
      assert.equal(fold.print(), canonical(fold.final.value), `${name}: ${line}`);
      assert.ok(await fold.isFinal(noPause), `${name}: ${line}`);
      same += 1;
    }
  }
}
// Values that differ in one place do not compare as equal.
const patch = (kind, pointer, value) => ({ event: "patch", kind, path: pointer.slice(1), pointer, value, is_complete: true });
const folded = new Fold();
for (const made of [patch("open", "", {}), patch("open", "/a", [1, "x"]), patch("open", "/b", { c: null })]) folded.apply(made);
const others = [{ a: [1, "x"] }, { a: [1, "x"], b: { c: null }, d: 1 }, { a: [1, "y"], b: { c: null } }, { a: [1], b: { c: null } }, { a: [1, "x"], b: { c: false } }, { a: ["1", "x"], b: { c: null } }, { a: [1, "x"], b: { d: null } }, { a: [1, "x"], b: [null] }, { a: { 0: 1, 1: "x" }, b: { c: null } }, null, "x", 1];
for (const value of [{ b: { c: null }, a: [1, "x"] }, ...others]) {
  folded.final = { value };
  assert.equal(await folded.isFinal(noPause), value !== null && !others.includes(value), JSON.stringify(value));
  assert.equal(folded.print() === canonical(value), !others.includes(value), JSON.stringify(value));
}
assert.ok(same > 500, `${same} cases`);
console.log(`ok   folding gives the final value in ${same} cases of the corpus`);
