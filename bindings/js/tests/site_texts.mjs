// Texts of one's own on the page: how they come in, what a link shows of them, and where they are cut.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";

import { check, ended, hasRead, open, own, paste, server, shown, site } from "./site_page.mjs";

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
  // A link of an older page, and one that somebody wrote.
  for (const state of [{ text: "[1]", format: "json", chunk: "2", speed: "0" }, { text: "[1]", format: 7, cut: "x", kind: ["rust"], form: true }]) {
    const { page, close } = await open(`#${deflateRawSync(JSON.stringify(state)).toString("base64url")}`);
    await hasRead(page, "[1]");
    assert.equal(await page.locator("#result-kinds :checked").inputValue(), "curl");
    await close();
  }
  for (const bad of ["#x", "#%%%", `#${"A".repeat(500)}`]) {
    const { page, close } = await open(bad);
    await ended(page);
    await close();
  }
});

check("a link shows the form, the program and the cut", async () => {
  const { page, close } = await own('{"a": {"b": 1}, "c": "two"}');
  await page.locator("#fields-form").check();
  await page.locator('#result-kinds input[value="rust"]').check({ force: true });
  await page.locator("#cut-at").fill("9");
  await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("Cut at byte 9:"));
  await page.locator("#own-share").click();
  await page.waitForFunction(() => document.querySelector("#own-said").textContent.includes("link"));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await close();
  const other = await open(link.slice(server.url.length));
  await ended(other.page);
  assert.ok(await other.page.locator("#fields-form").isChecked());
  assert.equal(await other.page.locator(".field", { hasText: "b" }).first().locator(".above").isVisible(), true);
  await other.page.waitForFunction(() => document.querySelector("#curl").textContent.includes("Spec::builder()"));
  await other.page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("Cut at byte 9:"));
  // Without a change it stays the same link.
  await other.page.waitForTimeout(400);
  assert.equal(other.page.url(), link);
  await other.close();
  const stream = await open("?stream=hybrid&chunk=all&speed=0&form=1&kind=typescript");
  await ended(stream.page);
  assert.ok(await stream.page.locator("#fields-form").isChecked());
  await stream.page.locator('#result-kinds input[value="python"]').check({ force: true });
  assert.match(stream.page.url(), /\?stream=hybrid&chunk=all&speed=0&form=1&kind=python$/u);
  await stream.close();
});

check("a link that is put into the address of the open page is shown", async () => {
  const { page, close } = await own("[1]", { schema: "- int" });
  await page.waitForFunction(() => location.hash.length > 5);
  const first = page.url();
  const other = new URL(`#${deflateRawSync(JSON.stringify({ text: '{"two": 2}', chunk: "1", speed: "0", kind: "value" })).toString("base64url")}`, server.url).href;
  await page.evaluate((url) => (location.href = url), other);
  await hasRead(page, '{"two": 2}');
  assert.equal(await page.locator("#own-schema").inputValue(), "");
  assert.equal(await page.locator("#chunk-label").textContent(), "1 byte");
  assert.equal(await page.locator("#result-kinds :checked").inputValue(), "value");
  await page.goBack();
  await hasRead(page, "[1]");
  assert.equal(await page.locator("#own-schema").inputValue(), "- int");
  assert.equal(page.url(), first);
  // A place on the page is no link, and what is no link changes nothing.
  for (const hash of ["#stage", "#nonsense"]) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.waitForFunction((url) => location.href === url, first);
  }
  assert.equal(await page.locator("#own-text").inputValue(), "[1]");
  await close();
  // From a stream to a text, and back.
  const stream = await open("?stream=hybrid&chunk=all&speed=0");
  await ended(stream.page);
  await stream.page.evaluate((hash) => (location.hash = hash), new URL(other).hash);
  await hasRead(stream.page, '{"two": 2}');
  await stream.page.goBack();
  await stream.page.locator("#about").filter({ visible: true }).waitFor();
  await ended(stream.page);
  assert.ok(await stream.page.locator("#stream-hybrid").isChecked());
  await stream.close();
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
    await paste(page, body);
    await page.waitForFunction(() => document.querySelector("#own-said").textContent.includes("recorded body"));
    await ended(page);
    assert.deepEqual(await shown(page), [["title", "Hi"]], body);
    await page.locator("#own-as-is").click();
    await page.waitForFunction(() => document.querySelector("#own-said").textContent === "");
    assert.equal(await page.locator("#own-text").inputValue(), body);
    assert.equal(await page.locator("#own-as-is").isVisible(), false);
    await close();
  }
});

check("data with a name that bodies of providers have is no recorded body", async () => {
  const { page, close } = await own("[0]");
  const texts = [
    { question: "q", choices: ["a", "b"] },
    { choices: [{ text: "a" }, { text: "b" }] },
    { message: { to: "bob", content: "hi" } },
    { content: [{ heading: "x", text: "y" }] },
    { content: [{ type: "text", text: "y" }] },
    { type: "reasoning", text: "because" },
    { candidates: [{ content: "Ada" }], model: "m" },
    { response: "yes", model: "T" },
  ];
  for (const value of texts) {
    const text = JSON.stringify(value);
    await paste(page, text);
    await hasRead(page, text);
    assert.equal(await page.locator("#own-said").textContent(), "", text);
  }
  // The browser's own step back still works.
  await page.locator("#own-text").press("Control+Z");
  assert.equal(await page.locator("#own-text").inputValue(), JSON.stringify(texts.at(-2)));
  await close();
});

/** Drops a text or a file onto an element. */
const drop = (page, selector, { text, file }) =>
  page.evaluate(([selector, text, file]) => {
    const dataTransfer = new DataTransfer();
    if (file) dataTransfer.items.add(new File([file], "answer.txt", { type: "text/plain" }));
    else dataTransfer.setData("text/plain", text);
    const [over, drop] = ["dragover", "drop"].map((type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return [over, drop].map((event) => !document.querySelector(selector).dispatchEvent(event));
  }, [selector, text, file]);

check("a text and a file are dropped, wherever the page shows", async () => {
  const { page, close } = await own("[0]");
  assert.deepEqual(await drop(page, "#own", { text: "[1, 2]" }), [true, true]);
  await hasRead(page, "[1, 2]");
  assert.deepEqual(await drop(page, "#own-text", { file: '{"file": 3}' }), [true, true]);
  await hasRead(page, '{"file": 3}');
  // A field takes a text by itself.
  assert.deepEqual(await drop(page, "#own-schema", { text: "file: int" }), [false, false]);
  await page.locator("#stream-json").check({ force: true });
  assert.equal(await page.locator("#own").isVisible(), false);
  assert.deepEqual(await drop(page, "#stage", { text: '{"choices": [{"message": {"role": "assistant", "content": "[4]"}}]}' }), [true, true]);
  await hasRead(page, "[4]");
  assert.ok(await page.locator("#own-as-is").isVisible());
  assert.ok(await page.locator("#stream-own").isChecked());
  await close();
});

check("a selection is dragged into the box", async () => {
  const { page, close } = await own("[5, 6]");
  await page.locator("#fields .value").first().waitFor();
  await page.locator("#own-text").fill("");
  await page.evaluate(() => {
    const words = document.createElement("p");
    words.id = "words";
    words.textContent = "[77777777]";
    document.querySelector("#own").before(words);
    getSelection().selectAllChildren(words);
  });
  await page.locator("#words").dragTo(page.locator("#own-text"), { sourcePosition: { x: 20, y: 8 } });
  await hasRead(page, "[77777777]");
  await close();
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

check("cuts of a long text are a sample, and the page says of how many", async () => {
  const text = JSON.stringify({ rows: Array.from({ length: 1200 }, (_, id) => ({ id, name: `name ${id}` })) });
  assert.ok(text.length > 30_000);
  const { page, close } = await own(text);
  assert.equal(await page.locator("#cut-every").textContent(), "Try a sample of all cuts");
  await page.locator("#cut-every").click();
  await page.waitForFunction(() => /^\d[\d,]* of 2,000 cuts tried/u.test(document.querySelector("#cut-verdict").textContent));
  await page.waitForFunction(() => document.querySelector("#cut-verdict").dataset.state === "same", null, { timeout: 60_000 });
  assert.equal(await page.locator("#cut-verdict").textContent(), `A sample of 2,000 of the ${(text.length - 1).toLocaleString("en")} cuts tried: the same events, and the same value, each time.`);
  await close();
});

check("trying cuts says how far it is, and ends for an edit and for a stop", async () => {
  const text = JSON.stringify({ rows: Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}` })) });
  const { page, close } = await own(text);
  const [every, verdict] = [page.locator("#cut-every"), page.locator("#cut-verdict")];
  const progress = () => page.waitForFunction(() => /^\d[\d,]* of \d[\d,]* cuts tried/u.test(document.querySelector("#cut-verdict").textContent));
  const offer = await every.textContent();
  assert.match(offer, /^Try all 1\d,\d+ cuts$/u);
  await every.click();
  await progress();
  assert.equal(await every.textContent(), "Stop");
  await every.click();
  assert.match(await verdict.textContent(), /^Stopped\. \d[\d,]* of 1\d,\d+ cuts tried, all the same so far\.$/u);
  assert.equal(await every.textContent(), offer);
  await page.waitForTimeout(500);
  assert.match(await verdict.textContent(), /^Stopped/u);
  await every.click();
  await progress();
  const took = await page.evaluate(async () => {
    const begun = performance.now();
    const box = document.querySelector("#own-text");
    box.value = "[1, 2]";
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    while (document.querySelectorAll("#fields .field").length !== 2) await new Promise((done) => setTimeout(done, 10));
    return performance.now() - begun;
  });
  // The page waits for 120 ms whether more is typed.
  assert.ok(took < 1500, `${took} ms`);
  await page.waitForFunction(() => document.querySelector("#cut-verdict").textContent.startsWith("Cut at byte 2:"));
  assert.equal(await every.textContent(), "Try all 5 cuts");
  await close();
});

check("the programs hold whatever the schema holds", async () => {
  const { program } = await import(pathToFileURL(resolve(site, "programs.js")));
  const schema = JSON.stringify({ type: "string", description: '"# "## """ """" \\ \' ` ${x} ü \n' });
  const odd = `${schema}\u202e\u0007`;
  const inside = (text, begin, end) => text.slice(text.indexOf(begin) + begin.length, text.lastIndexOf(end));
  for (const text of [schema, odd]) {
    const options = { format: "xml_field", schema: text, tags: "deepseek-v3.1" };
    const [rust, python, typescript, curl] = ["rust", "python", "typescript", "curl"].map((language) => program(language, options));
    for (const one of [rust, python, typescript, curl]) assert.doesNotMatch(one, /[\u0007\u202e]/u);
    assert.match(rust, /Format::XmlField.*TagSet::deepseek_v3_1\(\)/su);
    if (text === schema) assert.equal(inside(rust, 'r###"', '"###;'), text);
    else assert.ok(rust.includes(String.raw`\u{202e}\u{0007}";`) && rust.includes(String.raw`\"## `), rust);
    // Python's escapes are those of JavaScript here.
    const ofPython = inside(python, '"""\\\n', '\n"""');
    assert.doesNotMatch(ofPython, /"""/u);
    assert.equal(new Function(`return \`${ofPython.replaceAll("`", "\\`").replaceAll("${", "\\${")}\``)(), text);
    assert.match(python, /pw\.read\(stream, SCHEMA, format="xml_field", tags="deepseek-v3\.1"\)/u);
    assert.equal(new Function(`return ${inside(typescript, "const schema = ", ";\n\nconst stream")}`)().trim(), text);
    assert.match(typescript, /read\(stream, \{ schema, format: "xml_field", tags: "deepseek-v3\.1" \}\)/u);
    assert.equal(JSON.parse(inside(curl, "-d '", "'").replaceAll("'\\''", "'")).patchwire.schema, text);
  }
  assert.match(program("rust", { tags: "none" }), /\.without_tags\(\)/u);
  // Tags may make text the usual format.
  assert.match(program("typescript", { tags: "harmony" }), /format: "json", tags: "harmony"/u);
  assert.match(program("python", {}), /pw\.read\(stream\)/u);
});
