// What the checks of the page without a server share: a browser, pages that note what should not happen on them, and their run.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";

import { chromium } from "playwright-core";

import { serve } from "../scripts/serve.mjs";

export const [site, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
export const server = await serve(site);
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
export const SCREENS = { desktop: { width: 1280, height: 800 }, tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } };
const ONLY = process.env.ONLY ? new RegExp(process.env.ONLY, "u") : /./u;

const checks = [];
export const check = (name, what) => ONLY.test(name) && checks.push([name, what]);

/** A page that notes whatever should not happen on it. */
export async function open(address = "", options = {}) {
  const context = await browser.newContext({ viewport: SCREENS.desktop, permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("dialog", (dialog) => (wrong.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on("pageerror", (error) => wrong.push(`an error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && wrong.push(`on the console: ${message.text()}`));
  page.on("request", (request) => !request.url().startsWith(server.url) && !request.url().startsWith("blob:") && wrong.push(`a request: ${request.url()}`));
  await page.goto(server.url + address);
  const close = async () => {
    assert.deepEqual(wrong, [], "nothing happened that should not");
    await context.close();
  };
  return { page, close };
}

export const ended = (page) => page.locator('#status[data-state="same"]').waitFor();
export const shown = (page) => page.locator("#fields .field:not(.aside)").evaluateAll((rows) => rows.map((row) => [row.querySelector(".name").textContent, row.querySelector(".value").textContent]));

/** Pastes a text in place of what the box holds. */
export async function paste(page, text) {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.locator("#own-text").press("Control+A");
  await page.locator("#own-text").press("Control+V");
}

/** Whether the page holds a text, and has read it. */
export async function hasRead(page, text) {
  await page.waitForFunction((text) => document.querySelector("#own-text").value === text && document.querySelector("#raw").textContent === text, text);
  await ended(page);
}

/** Opens a text of one's own. */
export async function own(text, { schema = "", ...options } = {}) {
  const opened = await open("", options);
  const { page } = opened;
  await ended(page);
  await page.locator("#stream-own").check({ force: true });
  await ended(page);
  await page.locator("#own-schema").fill(schema);
  await page.locator("#own-text").fill(text);
  await page.waitForFunction((bytes) => document.querySelector("#bytes").textContent.includes(`${bytes.toLocaleString("en")} bytes in`), new TextEncoder().encode(text).length);
  await page.locator('#status:not([data-state="live"])').waitFor();
  return opened;
}

/** Runs all checks. */
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
  server.close();
  console.log(`${checks.length - failed} of ${checks.length} checks passed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
