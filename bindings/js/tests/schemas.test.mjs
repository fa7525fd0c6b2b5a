import assert from "node:assert/strict";
import { test } from "node:test";

import { type } from "arktype";
import { InvalidError, PathError, Spec, prompt, read } from "patchwire";
import * as v from "valibot";
import { z } from "zod";

const TEXT = 'Sure! {"title": "Mill", "rows": [{"sku": "a1", "n": "3"}], "tone": "calm"}';
const VALUE = { title: "Mill", rows: [{ sku: "a1", n: 3 }], tone: "calm" };

const SCHEMAS = {
  zod: z.object({ title: z.string(), rows: z.array(z.object({ sku: z.string(), n: z.int() })), tone: z.enum(["calm", "urgent"]), note: z.string().nullable().optional() }),
  valibot: v.object({
    title: v.string(),
    rows: v.array(v.object({ sku: v.string(), n: v.pipe(v.number(), v.integer()) })),
    tone: v.picklist(["calm", "urgent"]),
    note: v.nullish(v.string()),
  }),
  arktype: type({ title: "string", rows: type({ sku: "string", n: "number.integer" }).array(), tone: "'calm' | 'urgent'", "note?": "string | null" }),
};

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`a schema of ${name} shapes, validates and is shown`, async () => {
    assert.deepEqual(await read([TEXT.slice(0, 30), TEXT.slice(30)], { schema }).data(), VALUE);
    const error = await read('{"title": 1, "rows": {}, "tone": "loud"}', { schema }).data().catch((error) => error);
    assert.ok(error instanceof InvalidError && error.issues.length > 0, error);
    assert.equal(await read(TEXT, { schema }).get("rows[0].sku"), "a1");
    assert.ok((await read(TEXT, { schema }).get("titel").catch((error) => error)) instanceof PathError);
    const text = prompt({ schema });
    for (const word of ["title", "sku", "calm"]) assert.ok(text.includes(word), text);
    const json = new Spec({ schema }).jsonSchema;
    assert.deepEqual(Object.keys(json.properties).sort(), ["note", "rows", "title", "tone"]);
  });
}

test("every kind of schema that valibot has", () => {
  const schema = v.strictObject({
    s: v.optional(v.string()),
    b: v.boolean(),
    n: v.nullable(v.number()),
    l: v.literal("x"),
    e: v.enum({ A: "a", B: "b" }),
    t: v.tuple([v.string(), v.number()]),
    r: v.record(v.string(), v.number()),
    u: v.union([v.string(), v.null()]),
    w: v.variant("k", [v.object({ k: v.literal("a") }), v.object({ k: v.literal("b") })]),
    d: v.date(),
  });
  const json = new Spec({ schema }).jsonSchema;
  assert.deepEqual(json.required, ["b", "n", "l", "e", "t", "r", "u", "w", "d"]);
  assert.equal(json.additionalProperties, false);
  assert.equal(json.properties.b.type, "boolean");
  assert.deepEqual(json.properties.e.enum, ["a", "b"]);
});

test("what JSON Schema cannot say is left to the validator", async () => {
  const schema = z.object({ title: z.string(), when: z.date() });
  assert.ok(prompt({ schema }).includes("title"));
  assert.ok((await read('{"title": "a", "when": "2026-01-02"}', { schema }).data().catch((error) => error)) instanceof InvalidError);
});

test("a schema that gives no JSON Schema has no prompt", () => {
  const schema = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }) } };
  assert.throws(() => prompt({ schema }), (error) => error.code === "option" && error.message.includes("pass its JSON Schema"));
});
