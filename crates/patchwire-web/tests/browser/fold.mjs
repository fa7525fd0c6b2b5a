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
for (const file of ["connect.js", "events.js", "fold.js"]) writeFileSync(join(folder, file), readFileSync(join("../../page", file)));
const { Fold, canonical } = await import(pathToFileURL(join(folder, "fold.js")));

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
      same += 1;
    }
  }
}
assert.ok(same > 500, `${same} cases`);
console.log(`ok   folding gives the final value in ${same} cases of the corpus`);
