// The events of the package are those of the command, on every case of the corpus, in pieces of three bytes: in node,
// and in a real browser. PATCHWIRE names the command, CHROMIUM the browser.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import * as patchwire from "patchwire";

import { serve } from "../scripts/serve.mjs";
import { eventsOf } from "./corpus_events.mjs";

const command = process.env.PATCHWIRE;
const chromium = process.env.CHROMIUM;
const KINDS = ["json", "formats", "tags"];
// Cases that a browser reads at a time.
const BATCH = 500;
const own = fileURLToPath(new URL("..", import.meta.url));
const corpus = fileURLToPath(new URL("../../../corpus", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "patchwire-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** The cases of a folder of the corpus that have an input and known settings. */
function* cases(kind) {
  for (const name of readdirSync(join(corpus, kind)).filter((name) => name.endsWith(".ndjson"))) {
    for (const line of readFileSync(join(corpus, kind, name), "utf8").split("\n").filter(Boolean)) {
      const { input, format, schema, profile } = JSON.parse(line);
      const profiled = profile && join(corpus, "tags/profiles", `${profile}.json`);
      if (typeof input !== "string" || (kind === "tags" && !existsSync(profiled ?? ""))) continue;
      const tags = profiled && JSON.parse(readFileSync(profiled, "utf8"));
      // The text of the schema keeps the order of its members.
      const text = schema && JSON.stringify(schema);
      yield { of: `${kind}/${name}: ${line}`, input, format, schema: text, tags, profiled };
    }
  }
}

/** The events of the command, as the package says them. */
function expectedOf({ input, format, schema, profiled }) {
  const settings = [...(format ? ["--format", format] : []), ...(profiled ? ["--tags", profiled] : [])];
  if (schema) {
    const file = join(folder, "schema.json");
    writeFileSync(file, schema);
    settings.push("--schema", file);
  }
  const { stdout, error } = spawnSync(command, ["parse", "--chunk-bytes", "3", ...settings], { input, encoding: "utf8" });
  if (error) throw error;
  const events = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const last = events.at(-1);
  // The command says more about an error than its code.
  if (last?.event === "error") events[events.length - 1] = { event: "error", code: last.code };
  return events.map((event) => JSON.stringify(event));
}

/** The cases of a folder with the events that are expected: the command is asked once for both platforms. */
const known = new Map();
function expected(kind) {
  if (!known.has(kind)) known.set(kind, [...cases(kind)].map((one) => ({ ...one, events: expectedOf(one) })));
  return known.get(kind);
}

let opened;
/** A page beside the files of the package. */
async function open() {
  const { chromium: driver } = await import("playwright-core");
  const server = await serve(own);
  const browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(`${server.url}package.json`);
  return { page, close: () => Promise.all([browser.close(), server.close()]) };
}
after(async () => (await opened)?.close());

/** What the package makes of cases in the browser. */
async function inBrowser(batch) {
  const { page } = await (opened ??= open());
  const asked = batch.map(({ input, format, schema, tags }) => ({ input, format, schema, tags }));
  return page.evaluate(async (asked) => {
    const [patchwire, { eventsOf }] = await Promise.all([import("/dist/browser.js"), import("/tests/corpus_events.mjs")]);
    await patchwire.ready();
    return asked.map((one) => eventsOf(patchwire, one));
  }, asked);
}

function compare(batch, events, where) {
  for (const [at, one] of batch.entries()) assert.deepEqual(events[at], one.events, `${where}, ${one.of}`);
}

for (const kind of KINDS) {
  const skip = command ? false : "PATCHWIRE names no command";
  test(`events of corpus/${kind}`, { skip }, () => {
    const all = expected(kind);
    compare(all, all.map((one) => eventsOf(patchwire, one)), "node");
    assert.ok(all.length > 30, `${all.length} cases`);
    console.log(`${all.length} cases of corpus/${kind} have the events of the command`);
  });

  test(`events of corpus/${kind} in a browser`, { skip: skip || (chromium ? false : "left out: CHROMIUM names no browser") }, async () => {
    const all = expected(kind);
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      compare(batch, await inBrowser(batch), "browser");
    }
    console.log(`${all.length} cases of corpus/${kind} have the events of the command in a browser`);
  });
}
