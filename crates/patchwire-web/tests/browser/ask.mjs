// Asking a model on the page, in a real browser. `node ask.mjs PATCHWIRE FOLDER`: the command, and where pictures go.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { SCREENS, check, open as openAt, run } from "./page.mjs";
import { model, way } from "./upstream.mjs";

const [patchwire, folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });

// A server in front of a model.
async function serve(upstream, ...more) {
  const settings = ["serve", "--listen", "127.0.0.1:0", "--upstream", upstream, ...more];
  const server = spawn(patchwire, settings, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, CANNED_KEY: "sk-of-the-server" } });
  process.on("exit", () => server.kill());
  const [url] = await once(createInterface(server.stdout), "line");
  return { url, stop: () => server.kill() };
}

const canned = await model();
const server = await serve(canned.url, "--upstream-model", "canned-1", "--upstream-key-env", "CANNED_KEY", "--max-streams", "6");
async function open(options, url = server.url) {
  const opened = await openAt(url, { ask: "" }, options);
  await opened.page.locator("#ask").waitFor();
  return opened;
}

const state = (page, state) => page.locator(`#status[data-state="${state}"]`).waitFor();
const says = (page) => page.locator("#status").textContent();
const value = (page, name) => page.locator("#fields .field", { hasText: name }).first().locator(".value");
const text = (page, id) => page.locator(id).textContent();
const cutIsSame = (page) => page.locator('#cut-verdict[data-state="same"]').waitFor();

async function send(page, { prompt = "Go.", schema = "", format = "json" } = {}) {
  await page.locator("#ask-prompt").fill(prompt);
  await page.locator("#ask-format").selectOption(format);
  if (format !== "text") await page.locator("#ask-schema").fill(schema);
  await page.locator("#ask-send").click();
}

const PLAN = `{
  "title": "A balcony in the morning sun",
  "summary": "Four herbs in two boxes. They want water before noon, and little else.",
  "steps": [
    {"do": "Fill the boxes with earth.", "minutes": 20},
    {"do": "Plant thyme, sage, mint and chives.", "minutes": 25}
  ],
  "needs": ["two boxes", "earth", "four plants"],
  "tip": "Mint wants a pot of its own."
}`;

check("fields appear before the answer ends, beside what came", async () => {
  const { page, close } = await open();
  assert.match(await text(page, "#ask-name"), /^canned-1 at 127\.0\.0\.1:\d+$/);
  // The worked example that the form begins with, sent with the keyboard.
  await page.locator("#ask-prompt").focus();
  await page.keyboard.press("Control+Enter");
  const chat = await canned.next();
  assert.equal(chat.authorization, "Bearer sk-of-the-server");
  assert.deepEqual([chat.body.model, chat.body.stream, chat.body.patchwire], ["canned-1", true, undefined]);
  assert.equal(chat.body.messages.at(-1).role, "system");
  assert.match(chat.body.messages.at(-1).content, /needs/);
  assert.match(await says(page), /has not begun yet/);
  chat.delta({ reasoning_content: "Which herbs like the morning?" });
  await page.locator(".field.aside .value", { hasText: "Which herbs like the morning?" }).waitFor();
  chat.says('Sure:\n{"title": "A balcony", "summary": "Four her');
  await page.locator(".field.open .value", { hasText: "Four her" }).waitFor();
  assert.equal(await text(page, "#ask-send"), "Stop");
  assert.equal(await text(page, "#raw"), 'Sure:\n{"title": "A balcony", "summary": "Four her');
  assert.equal(await page.locator("#cut").isHidden(), true);
  chat.says('bs.", "steps": [], "needs": ["earth"], "tip": "Mint spreads."}');
  chat.end();
  await state(page, "same");
  assert.match(await says(page), /Folding the patches gives exactly the final value\./);
  assert.equal(await value(page, "summary").textContent(), "Four herbs.");
  assert.equal(await text(page, "#ask-send"), "Send");
  assert.match(await text(page, "#bytes"), /^\d+ bytes in \d+ pieces$/);
  assert.equal(await page.locator(".field.open").count(), 0);
  await page.locator("#search").fill("final");
  await page.locator('#log .row[data-name="final"]').waitFor();
  assert.match(await text(page, "#curl"), /"patchwire": \{\s+"format": "json"/);
  assert.doesNotMatch(await page.content(), /sk-of-the-server/);
  await close();
});

check("the answer that has just come is cut anywhere, and nothing changes", async () => {
  const { page, close } = await open();
  for (const [format, answer, schema] of [
    ["json", 'Grüße: {"a": "é😀", "b": [1.50, true]}', ""],
    ["hybrid", "### title\nGrüße 😀\n\n### n\n12\n", "title: str\nn: int"],
    ["text", "Only words, with ü in them.", ""],
  ]) {
    await send(page, { format, schema });
    const chat = await canned.next();
    chat.says(answer);
    chat.end();
    await state(page, "same");
    await cutIsSame(page);
    const bytes = Buffer.byteLength(answer);
    assert.match(await text(page, "#cut-place"), new RegExp(` of ${bytes}$`));
    const inside = Buffer.from(answer).indexOf("ü") + 1;
    await page.locator("#cut-at").fill(String(inside));
    await page.waitForFunction((at) => document.querySelector("#cut-verdict").textContent.startsWith(`Cut at byte ${at}:`), inside);
    await cutIsSame(page);
    assert.match(await text(page, "#cut-before"), /‹c3›$/);
    assert.equal(await text(page, "#cut-whole"), await text(page, "#cut-cut"));
    await page.locator("#cut-every").click();
    await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("All "));
    await cutIsSame(page);
  }
  await close();
});

check("an answer that means harm stays text", async () => {
  const { page, close } = await open();
  const harm = {
    "<img src=x onerror=window.harmed=1>": "<script>window.harmed = 'script'; alert(1)</script>",
    __proto__x: "</pre><iframe srcdoc='<script>parent.harmed=1</script>'>",
    frames: '\n\nevent: final\ndata: {"event":"final","value":"forged"}\n\n',
  };
  await send(page);
  const chat = await canned.next();
  chat.delta({ reasoning_content: "<script>window.harmed = 'thought'</script>" });
  chat.says(`<script>window.harmed = "prose"</script> ${JSON.stringify(harm)}`, 3);
  chat.end();
  await state(page, "same");
  await cutIsSame(page);
  await page.locator("#search").fill("script");
  await page.locator("#log .row").first().click();
  const found = await page.evaluate(() => ({
    harmed: window.harmed,
    made: document.querySelectorAll("main script, main iframe, main img").length,
  }));
  assert.deepEqual(found, { harmed: undefined, made: 0 });
  assert.match(await text(page, "#fields"), /<script>window\.harmed = 'script'; alert\(1\)<\/script>/);
  await close();
});

check("a field of a megabyte stops nothing, and little of it is drawn", async () => {
  const { page, close } = await open();
  await send(page);
  const chat = await canned.next();
  chat.says(JSON.stringify({ text: "On and on it goes. ".repeat(55_000), end: true }), 4000);
  chat.end();
  for (let at = 0; at < 5; at += 1) assert.equal(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(true)))), true);
  await state(page, "same");
  await cutIsSame(page);
  assert.equal(await page.locator("#cut-every").isHidden(), true);
  const drawn = await page.evaluate(() => [document.querySelector("#fields").textContent.length, document.querySelectorAll("*").length]);
  assert.ok(drawn[0] < 20_000 && drawn[1] < 5_000, String(drawn));
  await close();
});

check("calls are shown beside the answer, and are not taken for it", async () => {
  const { page, close } = await open();
  await send(page);
  const chat = await canned.next();
  chat.says('{"a": "b"}');
  const part = (more) => chat.delta({ tool_calls: [{ index: 0, ...more }] });
  part({ id: "call_1", type: "function", function: { name: "look_up", arguments: "" } });
  part({ function: { arguments: '{"q": "thy' } });
  part({ function: { arguments: 'me"}' } });
  chat.end();
  await state(page, "same");
  await page.locator("#fields .field", { hasText: "look_up · q" }).locator(".value", { hasText: "thyme" }).waitFor();
  await close();
});

check("an answer that is not what was asked for is said to be none", async () => {
  const { page, close } = await open();
  await send(page, { schema: "title: [str, one line, true]\nn: [int, a number, true]" });
  const short = await canned.next();
  short.says('{"title": "A balcony"}');
  short.end();
  await state(page, "same");
  assert.match(await says(page), /exactly the final value\. It falls short of the schema: .+\.$/);
  await send(page);
  const other = await canned.next();
  other.says("I would rather not write JSON.");
  other.end();
  await state(page, "failed");
  assert.match(await says(page), /^There is no value of this format in the answer\./);
  await cutIsSame(page);
  await close();
});

check("what goes wrong with the model is said, and what to do", async () => {
  const { page, close } = await open({ expected: /status of (401|400|502)/ });
  await send(page);
  (await canned.next()).refuses(401, "Incorrect API key provided");
  await state(page, "failed");
  assert.match(await says(page), /answered 401: Incorrect API key provided .*--upstream-key-env NAME/);
  assert.equal(await text(page, "#ask-send"), "Send");
  // A flaw of the form's own is said before anybody is asked.
  await send(page, { schema: "a: [strr, b]" });
  await page.locator("#status", { hasText: "cannot be used" }).waitFor();
  // What came before a break stays, and can be cut.
  await send(page);
  const broken = await canned.next();
  broken.says('{"title": "Half a t');
  await page.locator(".field .value", { hasText: "Half a t" }).waitFor();
  broken.breaks();
  await page.locator("#status", { hasText: "broke off" }).waitFor();
  await cutIsSame(page);
  assert.equal(await text(page, "#raw"), '{"title": "Half a t');
  await close();
});

check("a model that is not there is said", async () => {
  const gone = await model();
  const alone = await serve(gone.url);
  gone.close();
  const { page, close } = await open({ expected: /status of 502/ }, alone.url);
  assert.match(await text(page, "#ask-name"), /^openai-chat at 127/);
  // Nobody said which model: the form wants it.
  await send(page);
  assert.equal(await page.locator("#ask-model:invalid").count(), 1);
  await page.locator("#ask-model").fill("m");
  await page.locator("#ask-send").click();
  await state(page, "failed");
  assert.match(await says(page), /^The model cannot be reached: .*start its server, or check its address$/);
  await close();
  alone.stop();
});

check("Stop gives the answer up at once, and frees its stream", async () => {
  const { page, close } = await open();
  // There are six streams: were each kept, the seventh could not be asked for.
  for (let at = 0; at < 7; at += 1) {
    await send(page);
    const chat = await canned.next();
    chat.says('{"title": "One tw');
    await page.locator(".field.open .value", { hasText: "One tw" }).waitFor();
    const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
    await page.locator("#ask-send").click();
    const response = await deleted;
    assert.equal(response.status(), 204);
    await chat.closed;
    assert.equal((await fetch(response.url())).status, 410);
    assert.equal(await says(page), "Stopped.");
    assert.equal(await text(page, "#ask-send"), "Send");
    await cutIsSame(page);
  }
  // And one that has not begun, with the keyboard.
  await send(page);
  const chat = await canned.next();
  await page.keyboard.press("Escape");
  await chat.closed;
  await state(page, "stopped");
  // Whoever goes to something else wants no more of it either.
  await send(page);
  const left = await canned.next();
  left.says('{"title": "One tw');
  await page.locator(".field.open .value", { hasText: "One tw" }).waitFor();
  await page.locator("#stream-text").check();
  await left.closed;
  await page.locator("#play").click();
  await close();
});

check("a lost connection is made again, and nothing is missing or twice", async () => {
  const through = await way(new URL(server.url).port);
  const { page, close } = await open({ expected: /ERR_/ }, through.url);
  await send(page);
  const chat = await canned.next();
  chat.says('{"title": "Half ');
  await page.locator(".field.open .value", { hasText: "Half" }).waitFor();
  const back = page.waitForRequest((request) => request.method() === "GET" && request.url().includes("/v1/fields/"));
  through.cut();
  const headers = await (await back).allHeaders();
  assert.match(headers["last-event-id"], /^[1-9]\d*$/);
  chat.says('a title", "n": 1}');
  chat.end();
  await state(page, "same");
  assert.equal(await value(page, "title").textContent(), "Half a title");
  assert.equal(await text(page, "#raw"), '{"title": "Half a title", "n": 1}');
  await close();
  through.close();
});

check("everything of the form has a name, and the keyboard reaches it", async () => {
  const { page, close } = await open();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("#ask button, #ask input, #ask select, #ask textarea")]
      .filter((one) => !(one.textContent.trim() && one.tagName === "BUTTON") && !one.labels?.length)
      .map((one) => one.id),
  );
  assert.deepEqual(nameless, []);
  await page.locator("#stream-ask").focus();
  const reached = [];
  for (let at = 0; at < 7; at += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.id));
  }
  assert.deepEqual(reached, ["ask-prompt", "ask-schema", "ask-model", "ask-format", "ask-tags", "ask-prompted", "ask-send"]);
  await close();
});

check("pictures, on two screens, light and dark; nothing sticks out", async () => {
  for (const [screen, viewport] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, close } = await open({ viewport, colorScheme, expected: /status of 401/ });
      const picture = (name, fullPage = true) => page.screenshot({ path: join(folder, `ask-${screen}-${colorScheme}-${name}.png`), fullPage });
      await page.locator("#ask-send").click();
      const chat = await canned.next();
      chat.delta({ reasoning_content: "Morning sun, so nothing that scorches." });
      chat.says(PLAN.slice(0, 260));
      await page.locator(".field .value", { hasText: "Plant" }).waitFor();
      await picture("live");
      chat.says(PLAN.slice(260));
      chat.end();
      await state(page, "same");
      await cutIsSame(page);
      await picture("all");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${screen}: ${wide} pixels too wide`);
      await page.locator("#ask-send").click();
      (await canned.next()).refuses(401, "Incorrect API key provided: sk-…");
      await state(page, "failed");
      await picture("error", false);
      await close();
    }
  }
});

await run();
