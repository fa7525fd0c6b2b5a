// The package as it would be published, installed in fresh projects. `node pack.mjs FOLDER` says what was left out.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(process.argv[2]);
const own = fileURLToPath(new URL("..", import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const [{ filename, files }] = JSON.parse(run(own, "npm", "pack", "--json", "--pack-destination", folder));
for (const name of ["dist/patchwire.wasm", "dist/inline.js", "dist/node.js", "dist/browser.js", "dist/workerd.js", "dist/index.d.ts", "README.md", "LICENSE-MIT", "LICENSE-APACHE"]) {
  assert.ok(files.some(({ path }) => path === name), `${name} is not in the package`);
}
assert.ok(!files.some(({ path }) => /test|\.rs$|^ts\//u.test(path)), "only what is needed is in the package");

/** The ten lines of the README, for any platform. */
const TEN = `import { parse, read, ready } from "patchwire";

await ready();
const seen = [];
const answer = read(["Sure! {\\"title\\": \\"Hel", "lo\\", \\"tags\\": [\\"a\\"", ", \\"b\\"]}"]);
for await (const event of answer) {
  if (event.type === "patch") seen.push(event.path + " " + event.kind + " " + event.delta);
}
const said = JSON.stringify([await answer.data(), seen.includes("title delta lo"), parse("[1,]").value]);
`;
const EXPECTED = '[{"title":"Hello","tags":["a","b"]},true,[1]]';

/** A project with the package, and others from npm. `undefined` if those cannot be had. */
function project(name, ...packages) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), '{"private": true, "type": "module"}');
  run(path, "npm", "install", "--silent", "--no-audit", "--no-fund", "--offline", join(folder, filename));
  if (packages.length === 0) return path;
  const { status, stderr } = spawnSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...packages], { cwd: path, encoding: "utf8" });
  if (status === 0) return path;
  console.error(`left out: ${name}, whose packages cannot be installed: ${stderr.trim().split("\n")[0]}`);
  return undefined;
}

/** Serves a folder on this machine. */
async function serve(root) {
  const kinds = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const path = join(root, request.url === "/" ? "index.html" : decodeURIComponent(request.url.split("?")[0]));
    try {
      const body = readFileSync(path);
      response.writeHead(200, { "content-type": kinds[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What a page says in its title, in a real browser. */
async function inBrowser(url, name) {
  const chromium = process.env.CHROMIUM;
  if (!chromium) return console.error(`left out: ${name} in a browser, which needs chromium`);
  const { chromium: driver } = await import("playwright-core");
  const browser = await driver.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    await page.waitForFunction(() => document.title !== "", null, { timeout: 20_000 }).catch(() => {});
    assert.deepEqual([await page.title(), errors], [EXPECTED, []], name);
    console.log(`ok   ${name} in a browser`);
  } finally {
    await browser.close();
  }
}

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
}

worker: {
  const path = project("worker", "miniflare");
  if (!path) break worker;
  // Workers do nothing before a request.
  const [imports, ...body] = TEN.split("\n");
  writeFileSync(join(path, "worker.mjs"), `${imports}\nexport default { fetch: async () => {\n${body.join("\n")}\nreturn new Response(said);\n} };`);
  const main = `import { Miniflare } from "miniflare";
import { readFileSync, readdirSync } from "node:fs";
const dist = "node_modules/patchwire/dist/";
const scripts = readdirSync(dist).filter((name) => name.endsWith(".js") && !["node.js", "browser.js", "inline.js"].includes(name));
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
