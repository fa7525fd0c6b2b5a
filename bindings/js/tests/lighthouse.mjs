// The page without a server as Lighthouse sees it, on a phone and on a desk: `node lighthouse.mjs SITE FOLDER`, where
// reports go. The score of performance depends on the machine and on what else runs there: it is printed, and asserted
// by `--strict` alone.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { serve } from "../scripts/serve.mjs";
import { empty, project } from "./fresh.mjs";

const [site, folder] = process.argv.slice(2).map((path) => resolve(path));
const isStrict = process.argv.includes("--strict");
const STABLE = ["accessibility", "best-practices"];
const LEAST = 95;
const FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage";

/** The report of one kind of screen. */
async function report(path, url, screen) {
  const out = join(folder, `${screen}.json`);
  const preset = screen === "desktop" ? ["--preset=desktop"] : [];
  const args = [url, "--quiet", ...preset, `--only-categories=performance,${STABLE}`, `--chrome-flags=${FLAGS}`, "--output=json", `--output-path=${out}`];
  // The page is served meanwhile.
  await promisify(execFile)(join(path, "node_modules/.bin/lighthouse"), args, { cwd: path, env: { ...process.env, CHROME_PATH: process.env.CHROMIUM } });
  return JSON.parse(readFileSync(out, "utf8"));
}

/** What costs points in a category, in Lighthouse's words. */
function faults({ categories, audits }, name) {
  const named = categories[name].auditRefs.filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9);
  return named.map(({ id }) => `${id}: ${audits[id].displayValue ?? audits[id].title}`).join("; ");
}

empty(folder);
const path = project(join(folder, "lighthouse"), [], ["lighthouse"]);
if (path) {
  const server = await serve(site);
  try {
    for (const screen of ["mobile", "desktop"]) {
      const seen = await report(path, server.url, screen);
      assert.equal(seen.runtimeError, undefined, seen.runtimeError?.message);
      for (const name of ["performance", ...STABLE]) {
        const score = Math.round(seen.categories[name].score * 100);
        const said = `${screen}: ${name} ${score}${score < LEAST ? `, because of ${faults(seen, name)}` : ""}`;
        if (isStrict || STABLE.includes(name)) assert.ok(score >= LEAST, said);
        console.log(`ok   ${said}`);
      }
    }
  } finally {
    server.close();
  }
}
