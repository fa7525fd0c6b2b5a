// The page without a server in a real browser. `node site.mjs SITE FOLDER`: where the page is, and where pictures go.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { SCREENS, browser, check, ended, folder, open, own, run, server, shown } from "./site_page.mjs";
import "./site_texts.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

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
  for (const [language, words] of [["rust", "Spec::builder()"], ["python", "pw.read(stream, SCHEMA)"], ["typescript", 'from "patchwire"'], ["curl", "curl -N"]]) {
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

check("a printed page shows the value, and none of the controls", async () => {
  const { page, close } = await own(JSON.stringify({ title: "say 'hi' now", rows: Array.from({ length: 60 }, (_, id) => ({ id })) }));
  await page.locator('#result-kinds input[value="value"]').check({ force: true });
  await page.waitForFunction(() => document.querySelector("#curl").textContent.includes("say 'hi' now"));
  await page.emulateMedia({ media: "print" });
  for (const seen of ["#raw", "#fields", "#curl"]) assert.ok(await page.locator(seen).isVisible(), seen);
  assert.ok((await page.locator("#curl").textContent()).includes('"id": 59'));
  assert.equal(await page.locator("main, header").locator("button, input, select, textarea, progress").filter({ visible: true }).count(), 0);
  assert.equal(await page.locator("#controls, #cut, .skip").filter({ visible: true }).count(), 0);
  // Nothing is cut off.
  for (const box of ["#raw", "#fields-box", "#curl"]) assert.ok(await page.locator(box).evaluate((box) => box.scrollHeight <= box.clientHeight + 1), box);
  await page.screenshot({ path: join(folder, "site-print.png"), fullPage: true });
  await close();
});

check("the policy of the page lets it run its own files, and nothing else", async () => {
  const { page, close } = await open("");
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  const rules = new Map(policy.split(";").map((rule) => rule.trim().split(/\s+/u)).map(([name, ...sources]) => [name, sources.join(" ")]));
  assert.equal(rules.get("default-src"), "'none'");
  assert.equal(rules.get("script-src"), "'self' 'wasm-unsafe-eval'");
  for (const name of ["worker-src", "style-src", "img-src", "connect-src", "manifest-src"]) assert.equal(rules.get(name), "'self'", name);
  for (const name of ["base-uri", "form-action"]) assert.equal(rules.get(name), "'none'", name);
  assert.equal(rules.get("require-trusted-types-for"), "'script'");
  assert.equal(rules.get("trusted-types"), "patchwire");
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|https?:|data:|blob:/u);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await ended(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  assert.ok(asked.some((url) => url.endsWith(".wasm")) && asked.some((url) => url.endsWith("worker.js")), asked.join(" "));
  assert.deepEqual(asked.filter((url) => new URL(url).origin !== new URL(server.url).origin), []);
  // The browser keeps to it.
  const refused = await page.evaluate(async () => {
    const broken = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => broken.push(effectiveDirective));
    const script = document.createElement("script");
    try {
      script.textContent = "window.harmed = true";
    } catch {
      broken.push("trusted types");
    }
    await fetch("data:text/plain,x").catch(() => {});
    await new Promise((done) => setTimeout(done, 100));
    return broken;
  });
  assert.ok(refused.includes("connect-src") && refused.includes("trusted types"), refused.join(" "));
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  await page.context().close();
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

await run();
