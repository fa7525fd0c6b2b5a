// What the checks share: a browser, pages that note what should not happen on them, and their run.

import assert from "node:assert/strict";

import { chromium } from "playwright-core";

export const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
const browser = await chromium.launch({ executablePath, args });
const checks = [];

export const check = (name, what) => checks.push([name, what]);

// A page that notes whatever should not happen on it. `expected` is what the console may say all the same.
export async function open(url, query, { expected = null, ...options } = {}) {
  const context = await browser.newContext({ viewport: SCREENS.desktop, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("pageerror", (error) => wrong.push(`an error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected?.test(message.text())) wrong.push(`on the console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) wrong.push(`a request: ${request.url()}`);
  });
  await page.goto(`${url}?${new URLSearchParams(query)}`);
  return {
    page,
    async close() {
      assert.deepEqual(wrong, [], "nothing happened that should not");
      await context.close();
    },
  };
}

// Runs all checks, and ends the process.
export async function run() {
  let failed = 0;
  for (const [name, what] of checks) {
    try {
      await what();
      console.log(`ok   ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  console.log(`${checks.length - failed} of ${checks.length} checks passed`);
  // A server that a check or its failure left open would keep the process alive.
  process.exit(failed === 0 ? 0 : 1);
}
