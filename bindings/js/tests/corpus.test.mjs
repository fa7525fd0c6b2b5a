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
const KINDS = ["json", "formats", "tags", "untidy", "xml"];
// Cases that a browser reads at a time.
const BATCH = 500;
const own = fileURLToPath(new URL("..", import.meta.url));
const corpus = fileURLToPath(new URL("../../../corpus", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "patchwire-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** The bytes of a case, in hexadecimal: it has them so, as a text, or as a text in pieces. */
function bytesOf({ hex, input }) {
  if (typeof hex === "string") return hex;
  const text = Array.isArray(input) ? input.join("") : input;
  return typeof text === "string" ? Buffer.from(text).toString("hex") : undefined;
}

/** The cases of a folder of the corpus that have an input, with all settings of theirs. */
function* cases(kind) {
  for (const name of readdirSync(join(corpus, kind)).filter((name) => name.endsWith(".ndjson"))) {
    const shared = join(corpus, kind, name.replace(".ndjson", ".schema.json"));
    const schemaOfAll = existsSync(shared) ? JSON.parse(readFileSync(shared, "utf8")) : undefined;
    for (const line of readFileSync(join(corpus, kind, name), "utf8").split("\n").filter(Boolean)) {
      const { format, formats = [format], schema = schemaOfAll, profile, preset, start_in: startIn, tools, ...one } = JSON.parse(line);
      const input = bytesOf(one);
      if (input === undefined) continue;
      const file = profile && join(corpus, "tags/profiles", `${profile}.json`);
      const tags = file && existsSync(file) ? file : preset;
      // The text of the schema keeps the order of its members.
      const text = schema && JSON.stringify(schema);
      const settings = { schema: text, ...(tags && { tags, startIn }), tools };
      for (const format of formats) yield { of: `${kind}/${name}: ${line}`, input, format, ...settings };
    }
  }
}

/** Settings of the command that are the names of files. */
function written(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The settings of a case, as the command takes them. */
function settingsOf({ format, schema, tags, startIn, tools }) {
  return [
    ...(format ? ["--format", format] : []),
    ...(tags ? ["--tags", tags] : []),
    ...(startIn ? ["--start-in", startIn] : []),
    ...(schema ? ["--schema", written("schema.json", schema)] : []),
    ...(tools ? ["--tools", written("tools.json", JSON.stringify(Object.entries(tools).map(([name, parameters]) => ({ name, parameters }))))] : []),
  ];
}

/** The events of the command for cases with the same settings, as the package says them. */
function eventsOfCommand(some) {
  const files = some.map(({ input }, at) => written(`${at}.txt`, Buffer.from(input, "hex")));
  const { stdout, error } = spawnSync(command, ["parse", "--chunk-bytes", "3", ...settingsOf(some[0]), ...files], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw error;
  const all = [[]];
  for (const line of stdout.split("\n").filter(Boolean)) {
    const event = JSON.parse(line);
    // The command says more about an error than its code.
    all.at(-1).push(JSON.stringify(event.event === "error" ? { event: "error", code: event.code } : event));
    if (event.event === "final" || event.event === "error") all.push([]);
  }
  all.pop();
  // It stops at an error: then each case is read alone.
  return all.length === some.length ? all : some.flatMap((one) => eventsOfCommand([one]));
}

/** Cases with the events that are expected. */
function withEvents(all) {
  const groups = new Map();
  for (const one of all) {
    const key = JSON.stringify({ ...one, of: undefined, input: undefined });
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((some) => {
    const events = eventsOfCommand(some);
    return some.map((one, at) => ({ ...one, events: events[at] }));
  });
}

/** A case as the package reads it: a set of tags that is a file is one's own. */
const asked = ({ input, format, schema, tags, startIn, tools }) => ({
  ...{ input, format, schema, startIn, tools },
  tags: tags?.endsWith(".json") ? JSON.parse(readFileSync(tags, "utf8")) : tags,
});

/** The cases of a folder with the events that are expected: the command is asked once for both platforms. */
const known = new Map();
function expected(kind) {
  if (!known.has(kind)) known.set(kind, withEvents([...cases(kind)]));
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
  return page.evaluate(async (asked) => {
    const [patchwire, { eventsOf }] = await Promise.all([import("/dist/browser.js"), import("/tests/corpus_events.mjs")]);
    await patchwire.ready();
    return asked.map((one) => eventsOf(patchwire, one));
  }, batch.map(asked));
}

function compare(batch, events, where) {
  for (const [at, one] of batch.entries()) assert.deepEqual(events[at], one.events, `${where}, ${one.of}`);
}

for (const kind of KINDS) {
  const skip = command ? false : "PATCHWIRE names no command";
  test(`events of corpus/${kind}`, { skip }, () => {
    const all = expected(kind);
    compare(all, all.map((one) => eventsOf(patchwire, asked(one))), "node");
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
