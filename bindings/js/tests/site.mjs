// The page without a server in a real browser. `node site.mjs SITE FOLDER`: where the page is, and where pictures go.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { serve } from "../scripts/serve.mjs";

const [site, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const server = await serve(site);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const SCREENS = { desktop: { width: 1280, height: 800 }, tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } };
const ONLY = process.env.ONLY ? new RegExp(process.env.ONLY, "u") : /./u;

const checks = [];
const check = (name, what) => ONLY.test(name) && checks.push([name, what]);

/** A page that notes whatever should not happen on it. */
async function open(address = "", options = {}) {
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

const ended = (page) => page.locator('#status[data-state="same"]').waitFor();
const shown = (page) => page.locator("#fields .field:not(.aside)").evaluateAll((rows) => rows.map((row) => [row.querySelector(".name").textContent, row.querySelector(".value").textContent]));

/** Opens a text of one's own. */
async function own(text, { schema = "", ...options } = {}) {
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

check("every built-in stream plays to its final value", async () => {
  const { page, close } = await open("?stream=json&chunk=all&speed=0");
  await ended(page);
  const names = await page.locator('#streams input[name="stream"]').evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(names.length >= 10, names.join(" "));
  await close();
  for (const name of names.filter((name) => name !== "own" && name !== "ask")) {
    for (const chunk of name.startsWith("hostile") ? ["1024"] : ["1", "tokens", "all"]) {
      const { page, close } = await open(`?stream=${name}&chunk=${chunk}&speed=0`);
      await ended(page);
      assert.match(await page.locator("#status").textContent(), /exactly the final value/u, `${name}, ${chunk}`);
      assert.equal(await page.evaluate(() => window.harmed), undefined);
      await close();
    }
  }
});

check("a text is read as it is typed, and a stream plays at its speed", async () => {
  const { page, close } = await own("{'title': 'It's late', n: 1,}");
  assert.deepEqual(await shown(page), [["title", "It's late"], ["n", "1"]]);
  await page.locator("#own-text").fill("nothing");
  await page.locator('#status[data-state="failed"]').waitFor();
  assert.match(await page.locator("#status").textContent(), /There is no value/u);
  await page.locator("#own-text").fill(`["${"word ".repeat(400)}"]`);
  await ended(page);
  await page.locator("#own-play").click();
  await page.locator(".field.open").waitFor();
  assert.equal(await page.locator("#own-play").textContent(), "Stop");
  await page.locator("#own-play").click();
  await page.locator('#status[data-state="stopped"]').waitFor();
  await close();
});

check("numbers are shown as they are written", async () => {
  const numbers = ["1", "1.10", "1.0", "1e5", "1E5", "-0", "-0.0", "0.1", "12345678901234567890"];
  const { page, close } = await own(JSON.stringify({ rows: ["#"] }).replace('"#"', numbers.join(", ")));
  await ended(page);
  assert.deepEqual((await shown(page)).map(([, value]) => value), numbers);
  await close();
});

check("options that cannot be used are said", async () => {
  const { page, close } = await own("[1]", { schema: '{"type": 7}' });
  await page.locator('#status[data-state="failed"]').waitFor();
  assert.match(await page.locator("#status").textContent(), /schema/u);
  await page.locator("#own-schema").fill("- int");
  await ended(page);
  await close();
});

check("format, tags and schema", async () => {
  const { page, close } = await own("<think>so</think>\n### title\nHi\n### n\n12\n", { schema: "title: str\nn: int" });
  await page.locator("#own-format").selectOption("hybrid");
  await page.waitForFunction(() => document.querySelectorAll("#fields .field:not(.aside)").length === 2);
  await ended(page);
  assert.deepEqual(await shown(page), [["title", "Hi"], ["n", "12"]]);
  assert.equal(await page.locator(".field.aside .value").first().textContent(), "so");
  await close();
});

check("a schema is inferred from the value", async () => {
  const { page, close } = await own('{"title": "x", "rows": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2.5}], "tags": ["a"], "ok": true}');
  await page.locator("#own-infer").click();
  assert.equal(await page.locator("#own-schema").inputValue(), "title: str\nrows:\n  - sku: str\n    n: float\ntags: [[str]]\nok: bool\n");
  await ended(page);
  await page.locator('#result-kinds input[value="schema"]').check({ force: true });
  await page.waitForFunction(() => document.querySelector("#curl").textContent.includes('"number"'));
  await page.locator('#result-kinds input[value="prompt"]').check({ force: true });
  await page.waitForFunction(() => document.querySelector("#curl").textContent.includes("Reply with JSON only"));
  for (const [language, words] of [["rust", "Spec::builder()"], ["python", "extra_body"], ["typescript", 'from "patchwire"'], ["curl", "curl -N"]]) {
    await page.locator(`#result-kinds input[value="${language}"]`).check({ force: true });
    await page.waitForFunction((words) => document.querySelector("#curl").textContent.includes(words), words);
    assert.ok((await page.locator("#curl").textContent()).includes(language === "curl" ? '"schema"' : "title: str"), language);
  }
  await close();
});

check("notes say what was repaired and why, and the readings that competed", async () => {
  const { page, close } = await own('{"title": "say "hi" now", "n": 1,}');
  const notes = page.locator("#notes-list .noting");
  assert.ok((await notes.count()) > 0);
  assert.ok((await page.locator("#notes-list .excerpt").count()) > 0);
  await page.locator("#notes-list .noting").first().hover();
  assert.ok(await page.evaluate(() => CSS.highlights.get("lit").size > 0 && CSS.highlights.get("noted").size > 0));
  await page.locator("#readings summary").click();
  await page.locator("#readings-list .reading.best").waitFor();
  assert.ok((await page.locator("#readings-list .reading").count()) > 1);
  await close();
});

check("a field lights its bytes up, and bytes their field", async () => {
  const { page, close } = await own('{"a": "one", "ü": "two"}');
  await page.locator(".field", { hasText: "two" }).hover();
  assert.equal(await page.evaluate(() => [...CSS.highlights.get("lit")].map(String).join("")), '"ü": "two"');
  const point = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("#raw"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf("one");
      if (at < 0) continue;
      const range = new Range();
      range.setStart(node, at + 1);
      range.setEnd(node, at + 2);
      const { x, y, width, height } = range.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }
    return null;
  });
  await page.mouse.move(...point);
  await page.locator(".field.lit", { hasText: "one" }).waitFor();
  await close();
});

check("the fields are a tree that folds, and a form", async () => {
  const { page, close } = await own('{"title": "x", "days": [{"name": "Saturday", "at": {"hour": 7}}, {"name": "Sunday"}]}');
  const names = await shown(page);
  assert.deepEqual(names.map(([name]) => name), ["title", "days[0].name", "days[0].at.hour", "days[1].name"]);
  assert.deepEqual(await page.locator("#fields summary").allTextContents(), ["days", "[0]", "at", "[1]"]);
  assert.equal(await page.locator(".field", { hasText: "Sunday" }).locator(".above").isVisible(), false);
  await page.locator("#fields summary", { hasText: "[0]" }).press("Enter");
  assert.deepEqual(await page.locator(".field:visible .value").allTextContents(), ["x", "Sunday"]);
  await page.locator("#fields-form").check();
  assert.deepEqual(await page.locator(".field:visible .value").allTextContents(), ["x", "Saturday", "7", "Sunday"]);
  assert.equal(await page.locator(".field", { hasText: "Sunday" }).locator(".above").isVisible(), true);
  await close();
});

check("a link shows the same to others", async () => {
  const text = '{"title": "Überraschung 😀", n: 7}';
  const { page, close } = await own(text, { schema: "title: str\nn: int" });
  await page.locator("#chunk").fill("2");
  await ended(page);
  await page.locator("#own-share").click();
  await page.waitForFunction(() => document.querySelector("#own-said").textContent.includes("link"));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${server.url}#`) && !link.includes("Über"), link);
  await close();
  const other = await open(link.slice(server.url.length));
  await ended(other.page);
  assert.equal(await other.page.locator("#own-text").inputValue(), text);
  assert.equal(await other.page.locator("#own-schema").inputValue(), "title: str\nn: int");
  assert.equal(await other.page.locator("#chunk-label").textContent(), "3 bytes");
  assert.deepEqual(await shown(other.page), [["title", "Überraschung 😀"], ["n", "7"]]);
  await other.close();
  for (const bad of ["#x", "#%%%", `#${"A".repeat(500)}`]) {
    const { page, close } = await open(bad);
    await ended(page);
    await close();
  }
});

check("a text that is too long for a link is a file", async () => {
  const { page, close } = await own(JSON.stringify({ rows: Array.from({ length: 4000 }, (_, at) => ({ id: Math.sin(at), name: `n${at * 7919}` })) }));
  await page.waitForFunction(() => document.querySelector("#own-share").textContent === "Save as a file");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#own-share").click()]);
  assert.equal(download.suggestedFilename(), "answer.txt");
  await close();
});

check("the recorded body of a provider is its text", async () => {
  const pieces = ['{"title": ', '"Hi"}'];
  const events = pieces.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`).join("") + "data: [DONE]\n\n";
  const lines = pieces.map((content) => `${JSON.stringify({ model: "m", message: { role: "assistant", content }, done: false })}\n`).join("");
  const list = JSON.stringify(pieces.map((text) => ({ candidates: [{ content: { parts: [{ text }] } }] })), null, 2);
  const whole = JSON.stringify({ id: "x", choices: [{ message: { role: "assistant", content: pieces.join("") } }] }, null, 2);
  for (const body of [events, lines, list, whole]) {
    const { page, close } = await own("[0]");
    await page.evaluate((body) => navigator.clipboard.writeText(body), body);
    await page.locator("#own-text").press("Control+A");
    await page.locator("#own-text").press("Control+V");
    await page.waitForFunction(() => document.querySelector("#own-said").textContent.includes("recorded body"));
    await ended(page);
    assert.deepEqual(await shown(page), [["title", "Hi"]], body);
    await close();
  }
});

check("a megabyte is shown while it is read; how long it takes is printed", async () => {
  const { page, close } = await own("[0]");
  const took = await page.evaluate(async () => {
    const rows = Array.from({ length: 9000 }, (_, at) => ({ id: at, name: `a name of ${at}`, tags: ["one", "two"], text: "some words that go on for a while" }));
    const text = JSON.stringify({ rows });
    const box = document.querySelector("#own-text");
    const transfer = new DataTransfer();
    transfer.setData("text/plain", text);
    const asked = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      asked.push(message.url);
      post.call(this, message);
    };
    const begun = performance.now();
    let [longest, frames, last, first, isOver] = [0, 0, begun, 0, false];
    const watch = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      frames += 1;
      last = now;
      if (first === 0 && document.querySelector("#fields").textContent.includes("a name of 3")) first = now - begun;
      if (!isOver) requestAnimationFrame(watch);
    };
    const until = async (isDone) => {
      while (!isDone()) await new Promise((done) => setTimeout(done, 20));
      return performance.now() - begun;
    };
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
    watch();
    await until(() => performance.now() - begun > 300);
    const all = await until(() => document.querySelector("#status").dataset.state === "same");
    const compared = await until(() => /Cut at byte \d+,\d+: the same/u.test(document.querySelector("#cut-verdict").textContent));
    isOver = true;
    return { bytes: text.length, first, all, compared, longest, frames, asked: asked[0], shown: box.value.length };
  });
  console.log(`     ${took.bytes} bytes: first fields after ${took.first.toFixed(0)} ms, all after ${took.all.toFixed(0)} ms, read again with a cut after ${took.compared.toFixed(0)} ms, longest of ${took.frames} frames ${took.longest.toFixed(0)} ms`);
  assert.ok(took.bytes > 800_000 && took.first > 0 && took.first < took.all, JSON.stringify(took));
  // It is read at once, and not searched for what a provider recorded; the box follows.
  assert.deepEqual([took.asked, took.shown], ["/v1/cut", 200_000]);
  await close();
});

check("a text of fifty megabytes is cut, and the page says so", async () => {
  const { page, close } = await own("[0]");
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", `["${"x".repeat(50_000_000)}"]`);
    document.querySelector("#own-text").dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector("#own-said").textContent.includes("left out"), null, { timeout: 20_000 });
  assert.match(await page.locator("#own-said").textContent(), /The first 8 MB are read; 42 MB are left out/u);
  await page.locator('#status:not([data-state="live"])').waitFor({ timeout: 30_000 });
  assert.equal((await page.locator("#own-text").inputValue()).length, 200_000);
  await close();
});

check("all cuts", async () => {
  const { page, close } = await own('{"ä": "😀", b: [1, "say "hi" now"]}');
  // The slider has moved, and its cut begins a moment later: it must not end the one that is asked for in between.
  await page.evaluate(() => {
    document.querySelector("#cut-at").dispatchEvent(new Event("input"));
    document.querySelector("#cut-every").click();
  });
  await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("All "));
  assert.equal(await page.locator("#cut-verdict").getAttribute("data-state"), "same");
  await page.locator("#cut-at").fill("4");
  await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("Cut at byte 4"));
  await close();
});

check("the page opens without a network", async () => {
  const { page, close } = await open("?stream=json&chunk=all&speed=0");
  await ended(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length === 1);
  await page.context().setOffline(true);
  await page.goto(`${server.url}?stream=hybrid&chunk=all&speed=0`);
  await ended(page);
  await page.context().setOffline(false);
  await close();
});

check("nothing in sight is pushed about while the page begins", async () => {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    const { page, close } = await open("", { viewport });
    await ended(page);
    const moved = await page.evaluate(() => new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: "layout-shift", buffered: true });
      // Nothing moved at all, then.
      setTimeout(() => done(0), 1000);
    }));
    // What is more is not good, by the measure of browsers.
    assert.ok(moved < 0.1, `${screen}: ${moved}`);
    await close();
  }
});

check("a page that cannot begin says so", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route("**/worker.js", (route) => route.abort());
  await page.goto(server.url);
  await page.locator('#status[data-state="failed"]').waitFor();
  assert.match(await page.locator("#status").textContent(), /The page cannot begin/u);
  assert.ok(await page.locator("#status").isVisible());
  await context.close();
});

check("it is all done with the keyboard", async () => {
  const { page, close } = await open("?stream=json&chunk=all&speed=0");
  await ended(page);
  await page.locator("#stream-json").focus();
  for (let at = 0; at < 20 && !(await page.locator("#stream-own").isChecked()); at += 1) await page.keyboard.press("ArrowRight");
  assert.ok(await page.locator("#stream-own").isChecked());
  await ended(page);
  const reached = new Set();
  for (let at = 0; at < 40; at += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["own-text", "own-schema", "own-format", "own-tags", "own-infer", "own-file", "own-share", "own-play", "raw", "fields-box", "cut-at", "log", "result-copy", "curl"]) {
    assert.ok(reached.has(id), `${id} is not reached: ${[...reached].join(" ")}`);
  }
  await close();
});

check("axe finds nothing, and nothing sticks out, on three screens in both themes", async () => {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"]) {
      for (const kind of ["stream", "own"]) {
        const { page, close } = kind === "own" ? await own('Sure!\n{"title": "say "hi" now", "days": [{"n": 1}, {"n": 2}], "ok": True,}\nBye.', { viewport, colorScheme }) : await open("?stream=tags&chunk=tokens&speed=0", { viewport, colorScheme });
        await page.locator('#status:not([data-state="live"])').waitFor();
        await page.locator('#cut-verdict[data-state="same"]').waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await page.screenshot({ path: join(folder, `site-${kind}-${screen}-${colorScheme}.png`), fullPage: true });
        assert.equal(wide, 0, `${screen}, ${kind}: ${wide} pixels too wide`);
        // The policy of the page allows no script from here: axe runs in a world of its own.
        const session = await page.context().newCDPSession(page);
        const { frameTree } = await session.send("Page.getFrameTree");
        const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
        await session.send("Runtime.evaluate", { expression: axe, contextId });
        const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression: "axe.run().then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) => [target, failureSummary])])))", awaitPromise: true, returnByValue: true, contextId });
        assert.equal(exceptionDetails, undefined);
        assert.equal(result.value, "[]", `${screen}, ${colorScheme}, ${kind}`);
        await close();
      }
    }
  }
});

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
