// The package as it would be published, installed in fresh projects. `node pack.mjs FOLDER` says what was left out.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { serve } from "../scripts/serve.mjs";
import { EXPECTED, TEN, empty, inBrowser, pack, project as fresh, run, tenIn } from "./fresh.mjs";

const folder = resolve(process.argv[2]);
empty(folder);

const { archive, names } = pack(fileURLToPath(new URL("..", import.meta.url)), folder);
for (const name of ["dist/patchwire.wasm", "dist/inline.js", "dist/node.js", "dist/browser.js", "dist/workerd.js", "dist/edge.js", "dist/fields.js", "dist/index.d.ts", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
  assert.ok(names.includes(name), `${name} is not in the package`);
}
assert.ok(!names.some((name) => /test|\.rs$|^ts\//u.test(name)), "only what is needed is in the package");

/** A project with the package, and others from npm. `undefined` if those cannot be had. */
const project = (name, ...packages) => fresh(join(folder, name), [archive], packages);

{
  const path = project("node");
  writeFileSync(join(path, "main.mjs"), `${TEN}console.log(said);`);
  assert.equal(run(path, process.execPath, "main.mjs").trim(), EXPECTED);
  console.log("ok   node");

  // A page without a bundler: the files as they are installed.
  const names = readdirSync(join(path, "node_modules/patchwire/dist"));
  assert.ok(names.includes("browser.js"));
  writeFileSync(join(path, "index.html"), `<script type="importmap">{"imports": {"patchwire": "./node_modules/patchwire/dist/browser.js"}}</script><script type="module">${TEN}document.title = said;</script>`);
  const server = await serve(path);
  await inBrowser(server.url, "a page without a bundler");
  server.close();
}

for (const tool of ["deno", "bun"]) {
  const path = project(tool, tool);
  if (!path) continue;
  writeFileSync(join(path, "main.mjs"), `${TEN}console.log(said);`);
  const args = tool === "deno" ? ["run", "--allow-read", "main.mjs"] : ["main.mjs"];
  const { status, stdout, stderr, error } = spawnSync(join(path, "node_modules/.bin", tool), args, { cwd: path, encoding: "utf8" });
  if (error || /ENOENT|not found|Failed to find|postinstall|ETARGET/iu.test(stderr)) {
    console.error(`left out: ${tool}, which does not start here: ${(error?.message ?? stderr).trim().split("\n")[0]}`);
    continue;
  }
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), EXPECTED);
  console.log(`ok   ${tool}`);
}

bundled: {
  const path = project("vite", "vite");
  if (!path) break bundled;
  writeFileSync(join(path, "index.html"), '<title></title><script type="module" src="/main.js"></script>');
  writeFileSync(join(path, "main.js"), `${TEN}document.title = said;`);
  run(path, join(path, "node_modules/.bin/vite"), "build", "--logLevel", "error");
  assert.ok(readdirSync(join(path, "dist/assets")).some((name) => name.endsWith(".wasm")), "vite moves the module");
  const server = await serve(join(path, "dist"));
  await inBrowser(server.url, "a build of vite");
  server.close();
}

drawn: {
  // The packages of frameworks beside one copy of this one.
  const own = ["vue", "svelte"].map((name) => {
    const path = fileURLToPath(new URL(`../../${name}`, import.meta.url));
    run(path, "./build");
    const { archive, names } = pack(path, folder);
    for (const name of ["dist/index.js", "dist/index.d.ts", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) assert.ok(names.includes(name), `${name} is not in ${archive}`);
    return archive;
  });
  const path = fresh(join(folder, "frameworks"), [archive, ...own], ["vite", "vue", "svelte"]);
  if (!path) break drawn;
  writeFileSync(join(path, "index.html"), '<title></title><script type="module" src="/main.js"></script>');
  writeFileSync(join(path, "main.js"), `import { fields } from "@patchwire/svelte";
import { useFields } from "@patchwire/vue";
import { effectScope, watchEffect } from "vue";

const PIECES = ['{"title": "Spr', 'ing"}'];
const seen = {};
const note = (name, data, isDone) => {
  if (!data) return;
  seen[name] = [data.title, isDone];
  if (seen.vue && seen.svelte) document.title = JSON.stringify([seen.vue, seen.svelte]);
};
effectScope().run(() => {
  const { data, done } = useFields(PIECES);
  watchEffect(() => note("vue", data.value, done("title")));
});
fields(PIECES).subscribe(({ data, done }) => note("svelte", data, done("title")));
`);
  run(path, join(path, "node_modules/.bin/vite"), "build", "--logLevel", "error");
  assert.equal(readdirSync(join(path, "dist/assets")).filter((name) => name.endsWith(".wasm")).length, 1, "there is one module");
  const server = await serve(join(path, "dist"));
  await inBrowser(server.url, "Vue and Svelte in a build of vite", '[["Spring",true],["Spring",true]]');
  server.close();
}

scripts: {
  // A bundler that moves scripts alone: the module comes as a script.
  const path = project("esbuild", "esbuild");
  if (!path) break scripts;
  writeFileSync(join(path, "main.js"), `${TEN}document.title = said;`);
  mkdirSync(join(path, "out"));
  run(path, join(path, "node_modules/.bin/esbuild"), "main.js", "--bundle", "--splitting", "--format=esm", "--outdir=out");
  writeFileSync(join(path, "out/index.html"), '<title></title><script type="module" src="main.js"></script>');
  const server = await serve(join(path, "out"));
  await inBrowser(server.url, "a build of esbuild");
  server.close();

  // For node, in either kind of module, away from the file.
  writeFileSync(join(path, "server.js"), `${tenIn("async function ten()")}ten().then(console.log);`);
  for (const [format, name] of [["esm", "server.mjs"], ["cjs", "server.cjs"]]) {
    const built = join(folder, "esbuild-alone", name);
    run(path, join(path, "node_modules/.bin/esbuild"), "server.js", "--bundle", "--platform=node", `--format=${format}`, "--log-level=error", `--outfile=${built}`);
    assert.equal(run(folder, process.execPath, built).trim(), EXPECTED);
  }
  console.log("ok   a build of esbuild for node");
}

worker: {
  const path = project("worker", "miniflare");
  if (!path) break worker;
  // Workers do nothing before a request.
  writeFileSync(join(path, "worker.mjs"), `${tenIn("async function ten()")}export default { fetch: async () => new Response(await ten()) };`);
  const main = `import { Miniflare } from "miniflare";
import { readFileSync, readdirSync } from "node:fs";
const dist = "node_modules/patchwire/dist/";
const scripts = readdirSync(dist).filter((name) => name.endsWith(".js") && !["node.js", "browser.js", "edge.js", "inline.js"].includes(name));
const modules = [
  { type: "ESModule", path: "worker.mjs", contents: readFileSync("worker.mjs", "utf8").replace('"patchwire"', '"./workerd.js"') },
  ...scripts.map((path) => ({ type: "ESModule", path, contents: readFileSync(dist + path, "utf8") })),
  { type: "CompiledWasm", path: "patchwire.wasm", contents: readFileSync(dist + "patchwire.wasm") },
];
const worker = new Miniflare({ modules, compatibilityDate: "2025-01-01", compatibilityFlags: [] });
try {
  console.log(await (await worker.dispatchFetch("http://localhost/")).text());
} finally {
  await worker.dispose();
}`;
  writeFileSync(join(path, "main.mjs"), main);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["main.mjs"], { cwd: path, encoding: "utf8", timeout: 60_000 });
  if (/requires Node|Unsupported engine|GLIBC|ENOENT|SyntaxError: The requested module 'node:/iu.test(stderr)) {
    console.error(`left out: a worker runtime, which does not start here: ${stderr.trim().split("\n").find((line) => /requires|GLIBC|ENOENT|SyntaxError/u.test(line))}`);
    break worker;
  }
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), EXPECTED);
  console.log("ok   a worker runtime");
}
