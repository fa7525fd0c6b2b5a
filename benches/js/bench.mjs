// `node bench.mjs [node|chromium] [MILLISECONDS]`: the table of what a chunk costs. The package has to be built before.

const [where = "node", ms = "600"] = process.argv.slice(2);

if (where === "node") {
  const { HEAD, measure } = await import("./measure.mjs");
  console.log(HEAD);
  await measure(Number(ms), console.log);
} else {
  const { build } = await import("esbuild");
  const { mkdtempSync, copyFileSync, writeFileSync, rmSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const { chromium } = await import("playwright-core");
  const { serve } = await import("../../bindings/js/scripts/serve.mjs");
  const folder = mkdtempSync(join(tmpdir(), "patchwire-bench-"));
  const contents = 'import { ready } from "patchwire"; import { HEAD, measure } from "./measure.mjs"; globalThis.bench = async (ms) => { await ready(); return [HEAD, ...(await measure(ms, () => {}))].join("\\n"); };';
  await build({ stdin: { contents, resolveDir: import.meta.dirname ?? new URL(".", import.meta.url).pathname }, bundle: true, format: "esm", platform: "browser", outfile: join(folder, "main.js"), logLevel: "error" });
  copyFileSync(new URL("../../bindings/js/dist/patchwire.wasm", import.meta.url), join(folder, "patchwire.wasm"));
  writeFileSync(join(folder, "index.html"), '<script type="module" src="main.js"></script>');
  const server = await serve(folder);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => "bench" in globalThis);
  console.log(await page.evaluate((ms) => globalThis.bench(ms), Number(ms)));
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true });
}
