// The page in a real browser. `node check.mjs URL FOLDER`: the page's address, and where pictures go.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { SCREENS, check, open as openAt, run } from "./page.mjs";

const [url, folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

const open = (query, options) => openAt(url, query, options);
const ended = (page) => page.locator('#status[data-state="same"]').waitFor();
const streams = async () => (await (await fetch(`${url}v1/streams`)).json()).streams;

// What the server says a stream comes to.
async function finalValue(name) {
  const body = await (await fetch(`${url}v1/streams/${name}/fields?chunk=all&speed=0`)).text();
  const line = body.split("\n").findLast((line) => line.startsWith('data: {"event":"final"'));
  return JSON.parse(line.slice("data: ".length)).value;
}

// The leaves of a value, as the page shows them: path and text.
function leaves(value, path = "") {
  if (typeof value !== "object" || value === null) return [[path || "answer", String(value)]];
  const list = Array.isArray(value);
  const members = Object.entries(value);
  if (members.length === 0) return [[path, list ? "[]" : "{}"]];
  const step = (name) => (list ? `${path}[${name}]` : path ? `${path}.${name}` : name);
  return members.flatMap(([name, of]) => leaves(of, step(name)));
}

const shown = (page) =>
  page.locator("#fields .field:not(.aside)").evaluateAll((rows) =>
    rows.map((row) => [row.querySelector(".name").textContent, row.querySelector(".value").textContent]),
  );

check("fields appear before the stream ends, and grow", async () => {
  const { page, close } = await open({ stream: "hostile-long", chunk: "16", speed: "4" });
  const growing = page.locator(".field.open:not(.aside) .value", { hasText: "Line 1" });
  await growing.waitFor();
  assert.equal(await page.locator("#play").textContent(), "Stop");
  const early = await growing.textContent();
  await page.waitForFunction(
    (early) => {
      const value = document.querySelector(".field.open .value").textContent;
      return value.length > early.length && value.startsWith(early);
    },
    early,
  );
  assert.equal(await page.locator("#status").getAttribute("data-state"), "live");
  await page.locator("#play").click();
  await page.locator('#status[data-state="stopped"]').waitFor();
  await close();
});

check("each stream ends in its final value, in any pieces", async () => {
  for (const { name } of (await streams()).filter(({ hostile }) => !hostile)) {
    for (const chunk of ["1", "tokens", "all"]) {
      const { page, close } = await open({ stream: name, chunk, speed: "0" });
      await ended(page);
      const value = await finalValue(name);
      // Numbers stand as the model wrote them: 45.50 is 45.5.
      const plain = ([path, text]) => [path, /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text];
      await page.waitForFunction((count) => document.querySelectorAll("#fields .field:not(.aside)").length >= count, leaves(value).length);
      const rows = (await shown(page)).map(plain).filter(([path]) => !path.startsWith("text"));
      assert.deepEqual(rows.sort(), leaves(value).sort(), `${name}, ${chunk}`);
      assert.match(await page.locator("#status").textContent(), /exactly the final value/);
      assert.equal(await page.locator(".field.open").count(), 0);
      await close();
    }
  }
});

check("the raw stream is shown as it was sent", async () => {
  const { page, close } = await open({ stream: "json", chunk: "1", speed: "0" });
  await ended(page);
  const text = await (await fetch(`${url}v1/streams/json/text`)).text();
  await page.waitForFunction((length) => document.querySelector("#raw").textContent.length >= length, text.length);
  assert.equal(await page.locator("#raw").textContent(), text);
  await close();
});

check("markup in names and values stays text", async () => {
  for (const chunk of ["1", "all"]) {
    const { page, close } = await open({ stream: "hostile-markup", chunk, speed: "0" });
    await ended(page);
    await page.locator('#cut-verdict[data-state="same"]').waitFor();
    await page.locator("#search").fill("script");
    await page.locator("#log .row").first().click();
    await page.locator("#detail").waitFor();
    const found = await page.evaluate(() => ({
      harmed: window.harmed,
      prototype: {}.harmed,
      made: document.querySelectorAll("main script, main iframe, main svg, main img, main b").length,
    }));
    assert.deepEqual(found, { harmed: undefined, prototype: undefined, made: 0 });
    const fields = await page.locator("#fields").textContent();
    assert.match(fields, /<script>window\.harmed = 'script'; alert\(1\)<\/script>/);
    await close();
  }
});

check("a page that would run markup is not allowed to", async () => {
  const { page } = await open({ stream: "json", chunk: "all", speed: "0" });
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = "<img src=x onerror='window.harmed = 1'>";
      return "ran";
    } catch (error) {
      return error.name;
    }
  });
  assert.equal(refused, "TypeError");
  await page.context().close();
});

// How long the page takes to answer, in the worst of some tries while it is busy.
const answers = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(true))));

for (const [name, chunk, most] of [["hostile-long", "1024", 60], ["hostile-many", "64", 205], ["hostile-many", "all", 205]]) {
  check(`${name} in pieces of ${chunk}: the page goes on, and draws little`, async () => {
    const { page, close } = await open({ stream: name, chunk, speed: "0" });
    for (let at = 0; at < 5; at += 1) assert.equal(await answers(page), true);
    await ended(page);
    const drawn = await page.evaluate(() => ({
      rows: document.querySelectorAll(".field").length,
      elements: document.querySelectorAll("*").length,
      letters: document.querySelector("#fields").textContent.length,
      log: document.querySelectorAll("#log .row").length,
    }));
    assert.ok(drawn.rows <= most, `${drawn.rows} rows`);
    assert.ok(drawn.elements < 5000, `${drawn.elements} elements`);
    assert.ok(drawn.letters < 60000, `${drawn.letters} letters`);
    assert.ok(drawn.log < 60, `${drawn.log} rows of the log`);
    await page.locator("#search").fill(name === "hostile-many" ? "field_9999" : "final");
    await page.waitForFunction(() => /^\d+ of /.test(document.querySelector("#tally").textContent));
    await close();
  });
}

check("more fields are drawn where they are wanted", async () => {
  const { page, close } = await open({ stream: "hostile-many", chunk: "1024", speed: "0" });
  await ended(page);
  assert.match(await page.locator("#fields-more").textContent(), /^9,800 more/);
  await page.locator("#fields-more").click();
  assert.equal(await page.locator("#fields .field").count(), 400);
  await close();
});

check("wherever it is cut, nothing changes, and the page says so", async () => {
  const { page, close } = await open({ stream: "json", chunk: "all", speed: "0" });
  await ended(page);
  const verdict = page.locator("#cut-verdict");
  for (const at of ["0", "1", "97", "240", "481"]) {
    await page.locator("#cut-at").fill(at);
    await page.waitForFunction((at) => document.querySelector("#cut-verdict").textContent.startsWith(`Cut at byte ${at}:`), at);
    assert.equal(await verdict.getAttribute("data-state"), "same", await verdict.textContent());
    assert.equal(await page.locator("#cut-whole").textContent(), await page.locator("#cut-cut").textContent());
  }
  assert.match(await page.locator("#cut-whole").textContent(), /"Two days in São Paulo"/);
  await page.locator("#cut-every").click();
  await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("All "));
  assert.equal(await verdict.getAttribute("data-state"), "same");
  await close();
});

check("a cut inside a letter shows its bytes", async () => {
  const { page, close } = await open({ stream: "json", chunk: "all", speed: "0" });
  const text = Buffer.from(await (await fetch(`${url}v1/streams/json/text`)).arrayBuffer());
  await page.locator("#cut-at").fill(String(text.indexOf("ã") + 1));
  await page.waitForFunction(() => document.querySelector("#cut-before").textContent.endsWith("‹c3›"));
  assert.match(await page.locator("#cut-after").textContent(), /^‹a3›o Paulo/);
  await close();
});

check("it is all done with the keyboard", async () => {
  const { page, close } = await open({ stream: "json", chunk: "tokens", speed: "0" });
  await ended(page);
  await page.locator("#stream-json").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/stream=xml_field/);
  await page.locator('#status[data-state="live"], #status[data-state="same"]').waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.waitForURL(/chunk=all/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.waitForURL(/speed=0/);
  await ended(page);
  await page.locator("#log").focus();
  await page.keyboard.press("End");
  assert.match(await page.locator("#detail").textContent(), /^\{"event":"final"/);
  assert.equal(await page.locator('#log .row[aria-selected="true"]').count(), 1);
  await close();
});

check("everything that can be used has a name", async () => {
  const { page, close } = await open({ stream: "json", chunk: "all", speed: "0" });
  await ended(page);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, progress, [tabindex='0']")]
      .filter((one) => !one.hidden)
      .filter((one) => !(one.textContent.trim() || one.ariaLabel || one.labels?.length || one.getAttribute("aria-labelledby")))
      .map((one) => one.id),
  );
  assert.deepEqual(nameless, []);
  await close();
});

check("without a model the page says how to ask one, and has no form for it", async () => {
  const { page, close } = await open({ ask: "" });
  await ended(page);
  assert.match(await page.locator("#ask-none").innerText(), /start the server with patchwire serve --upstream URL/);
  for (const id of ["#asks", "#ask", "#ask-send"]) assert.equal(await page.locator(id).isHidden(), true, id);
  await close();
});

check("pictures, on two screens, light and dark; nothing sticks out", async () => {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await open({ stream: "json", chunk: "tokens", speed: "2" }, { viewport, colorScheme });
      await page.waitForFunction(() => document.querySelectorAll(".field").length > 5);
      const picture = (name) => page.screenshot({ path: join(folder, `${screen}-${colorScheme}-${name}.png`), fullPage: name === "all" });
      await picture("live");
      await ended(page);
      await page.locator('#cut-verdict[data-state="same"]').waitFor();
      await picture("all");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${screen}: ${wide} pixels too wide`);
      await close();
    }
  }
  for (const stream of ["hostile-markup", "hostile-many", "hostile-long", "tags"]) {
    const { page, close } = await open({ stream, chunk: "64", speed: "0" });
    await ended(page);
    await page.screenshot({ path: join(folder, `${stream}.png`) });
    await close();
  }
});

await run();
