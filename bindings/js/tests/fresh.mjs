// Fresh projects with the packages as they would be published, for tests.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The ten lines of the README, for any platform. */
export const TEN = `import { parse, read, ready } from "patchwire";

await ready();
const seen = [];
const answer = read(["Sure! {\\"title\\": \\"Hel", "lo\\", \\"tags\\": [\\"a\\"", ", \\"b\\"]}"]);
for await (const event of answer) {
  if (event.type === "patch") seen.push(event.path + " " + event.kind + " " + event.delta);
}
const said = JSON.stringify([await answer.data(), seen.includes("title delta lo"), parse("[1,]").value]);
`;
export const EXPECTED = '[{"title":"Hello","tags":["a","b"]},true,[1]]';

/** The ten lines as a function, for what does nothing before it is asked: `head` is what comes before its body. */
export function tenIn(head) {
  const [imports, ...body] = TEN.split("\n");
  return `${imports}\n${head} {\n${body.join("\n")}\nreturn said;\n}\n`;
}

export const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** An empty folder. */
export function empty(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Packs a package into a folder: the path of the archive, and the names of the files in it. */
export function pack(own, folder) {
  const [{ filename, files }] = JSON.parse(run(own, "npm", "pack", "--json", "--pack-destination", folder));
  return { archive: join(folder, filename), names: files.map(({ path }) => path) };
}

/** A project with archives, and packages from npm. `undefined` if those cannot be had. */
export function project(path, archives, packages) {
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), '{"private": true, "type": "module"}');
  const install = ["install", "--loglevel=error", "--no-audit", "--no-fund"];
  if (packages.length > 0) {
    const { status, stderr } = spawnSync("npm", [...install, ...packages], { cwd: path, encoding: "utf8" });
    if (status !== 0) {
      console.error(`left out: ${path.split("/").at(-1)}, whose packages cannot be installed: ${stderr.trim().split("\n")[0]}`);
      return undefined;
    }
  }
  if (archives.length > 0) run(path, "npm", ...install, "--offline", ...archives);
  return path;
}

/** Writes the files of a project: texts by path. */
export function write(path, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  }
}

/** What a page says in its title, in a real browser. */
export async function inBrowser(url, name, expected = EXPECTED) {
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
    assert.deepEqual([await page.title(), errors], [expected, []], name);
    console.log(`ok   ${name} in a browser`);
  } finally {
    await browser.close();
  }
}
