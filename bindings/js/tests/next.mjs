// The packages in a fresh project of Next.js, without settings. `node next.mjs FOLDER` says what was left out.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { EXPECTED, empty, inBrowser, pack, project, run, tenIn, write } from "./fresh.mjs";

const folder = resolve(process.argv[2]);
const REPORT = { title: "Spring", rows: [{ sku: "a1" }, { sku: "b2" }] };
empty(folder);
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** The ten lines wherever Next.js runs code, and the hook beside a route that answers in pieces. */
const FILES = {
  "app/ten.js": tenIn("export async function ten()"),
  "app/layout.js": `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  "app/page.js": `import { Client } from "./client.js";
import { ten } from "./ten.js";

export const dynamic = "force-dynamic";
export default async function Page() {
  return <main data-said={await ten()}><Client /></main>;
}
`,
  "app/client.js": `"use client";
import { parse } from "patchwire";
import { useEffect } from "react";
import { ten } from "./ten.js";

export function Client() {
  useEffect(() => void ten().then((said) => (document.title = said)), []);
  // On a server the module is there at once.
  return <p>{typeof window === "undefined" ? parse("[1,]").json : "[1]"}</p>;
}
`,
  "app/node/route.js": `import { ten } from "../ten.js";

export const dynamic = "force-dynamic";
export const GET = async () => new Response(await ten());
`,
  "app/report/route.js": `export const POST = async (request) => {
  const { pieces } = await request.json();
  return new Response(ReadableStream.from(pieces).pipeThrough(new TextEncoderStream()));
};
`,
  "app/hook/page.js": `"use client";
import { useFields } from "@patchwire/react";
import { useEffect } from "react";

const PIECES = ${JSON.stringify(JSON.stringify(REPORT).match(/.{1,7}/gu))};

export default function Page() {
  const read = useFields(PIECES);
  const asked = useFields("/report");
  useEffect(() => asked.submit({ pieces: PIECES }), [asked.submit]);
  useEffect(() => {
    if (read.data && asked.data) document.title = JSON.stringify([read.data, asked.data, read.status("rows[1].sku"), asked.done("title")]);
  });
  return <p>{asked.status("title")} {asked.draft?.title ?? "nothing"}</p>;
}
`,
};
const EDGE = {
  "app/edge/route.js": `import { ten } from "../ten.js";

export const runtime = "edge";
export const GET = async () => new Response(await ten());
`,
};

/** Starts what was built: its address, and how it is stopped. */
async function start(path) {
  const server = spawn(process.execPath, [join(path, "node_modules/next/dist/bin/next"), "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: path });
  const ended = new Promise((done) => server.once("exit", done));
  let said = "";
  const url = await new Promise((found, failed) => {
    const look = (text) => {
      said += text;
      const [address] = said.includes("Ready") ? (said.match(/http:\/\/127\.0\.0\.1:\d+/u) ?? []) : [];
      if (address) found(address);
    };
    server.stdout.on("data", look);
    server.stderr.on("data", look);
    ended.then(() => failed(new Error(said)));
  });
  const stop = async () => {
    server.kill();
    await ended;
    return said;
  };
  return { url, stop };
}

const textOf = async (address) => (await fetch(address)).text();

/** Builds the project with one of its bundlers, and asks every part of it. */
async function check(path, bundler, routes) {
  const { status, stdout, stderr } = spawnSync(join(path, "node_modules/.bin/next"), ["build", `--${bundler}`], { cwd: path, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  const { url, stop } = await start(path);
  try {
    for (const route of routes) assert.equal(await textOf(url + route), EXPECTED, route);
    const page = await textOf(url);
    assert.ok(page.includes(`data-said="${EXPECTED.replaceAll('"', "&quot;")}"`), page);
    assert.ok(page.includes("[1]</p>"), "a client component is rendered on the server, too");
    assert.ok((await textOf(`${url}/hook`)).includes("<p>waiting<!-- --> <!-- -->nothing</p>"), "the hook is rendered on the server");
    console.log(`ok   Next.js with ${bundler}: components and ${routes.join(", ")}`);
    await inBrowser(url, `Next.js with ${bundler}`);
    await inBrowser(`${url}/hook`, `the hook in Next.js with ${bundler}`, JSON.stringify([REPORT, REPORT, "complete", true]));
  } finally {
    const said = await stop();
    assert.doesNotMatch(said, /⨯|Error/u);
  }
}

const react = fileURLToPath(new URL("../../react", import.meta.url));
run(react, "./build");
const archives = [fileURLToPath(new URL("..", import.meta.url)), react].map((own) => pack(own, folder).archive);
const path = project(join(folder, "next"), archives, ["next", "react", "react-dom"]);
if (path) {
  // The edge runtime, which newer versions do not build with webpack.
  write(path, FILES);
  await check(path, "webpack", ["/node"]);
  write(path, EDGE);
  await check(path, "turbopack", ["/node", "/edge"]);
}
