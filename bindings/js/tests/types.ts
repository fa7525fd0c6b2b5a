// Compiled and never run: the types that schemas give. A line that has to fail says so.

import { type DeepPartial, type EachOf, type PathOf, type TypeAtPath, parse, read } from "patchwire";
import * as v from "valibot";
import { type } from "arktype";
import { z } from "zod";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_ extends true>(): void => {};

interface Report {
  title: string;
  rows: { sku: string; n?: number; tags: string[] }[];
  about: { "odd key": boolean } | null;
  by: Record<string, number>;
}

is<Equal<TypeAtPath<Report, "title">, string>>();
is<Equal<TypeAtPath<Report, "">, Report>>();
is<Equal<TypeAtPath<Report, "rows">, Report["rows"]>>();
is<Equal<TypeAtPath<Report, "rows[0]">, Report["rows"][number]>>();
is<Equal<TypeAtPath<Report, "rows[*].sku">, string>>();
is<Equal<TypeAtPath<Report, "rows[12].tags[0]">, string>>();
is<Equal<TypeAtPath<Report, 'about["odd key"]'>, boolean>>();
is<Equal<TypeAtPath<Report, "by.x">, number>>();
is<Equal<TypeAtPath<Report, "titel">, never>>();
is<Equal<TypeAtPath<unknown, "a.b">, unknown>>();
is<Equal<NonNullable<DeepPartial<Report>["rows"]>[number]["tags"], string[] | undefined>>();
is<Equal<PathOf<{ a: { b: string }[] }>, "a" | `a[${number}]` | "a[*]" | `a[${number}].b` | "a[*].b">>();
is<Equal<PathOf<unknown>, string>>();
is<Equal<PathOf<{ "a.b": { "c d": string } }>, '["a.b"]' | '["a.b"]["c d"]'>>();
is<Equal<TypeAtPath<{ t: [string, number] }, "t[1]">, number>>();
is<Equal<TypeAtPath<{ t: [string, number] }, "t[*]">, string | number>>();
is<Equal<EachOf<Report, "rows[*]">, Report["rows"][number]>>();
is<Equal<EachOf<{ n: number }[], "">, { n: number }>>();
is<Equal<EachOf<{ n: number }[], "[*]">, { n: number }>>();

const Row = z.object({ sku: z.string(), n: z.coerce.number() });
const Zod = z.object({ title: z.string(), rows: z.array(Row) });
const Valibot = v.object({ title: v.string(), rows: v.array(v.object({ sku: v.string() })) });
const Ark = type({ title: "string", rows: type({ sku: "string" }).array() });

export async function zod(stream: ReadableStream<string>): Promise<void> {
  const reader = read(stream, { schema: Zod });
  is<Equal<Awaited<ReturnType<typeof reader.data>>, { title: string; rows: { sku: string; n: number }[] }>>();
  const title = await reader.get("title");
  is<Equal<typeof title, string>>();
  for await (const row of reader.each("rows")) is<Equal<typeof row, { sku: string; n: number }>>();
  for await (const rows of reader.values("rows")) is<Equal<typeof rows, { sku?: string; n?: number }[]>>();
  for await (const draft of reader.values()) is<Equal<typeof draft.title, string | undefined>>();
  for await (const delta of reader.text("rows[0].sku")) is<Equal<typeof delta, string>>();
  for await (const event of reader) {
    if (event.type === "patch") is<Equal<typeof event.path, string>>();
    if (event.type === "notice") is<Equal<typeof event.code, string>>();
    if (event.type === "final") is<Equal<typeof event.answer.outcome extends string ? true : false, true>>();
  }
  const record = read(stream, { schema: z.object({ m: z.record(z.string(), z.object({ x: z.number() })) }) });
  const number = await record.get('m["a b"].x');
  is<Equal<typeof number, number>>();
  // @ts-expect-error: there is no such path
  await reader.get("titel");
  // @ts-expect-error: nor in a row
  reader.text("rows[0].name");
  // @ts-expect-error: no such format
  read(stream, { format: "jsn" });
}

export async function others(stream: AsyncIterable<Uint8Array>): Promise<void> {
  const valibot = await read(stream, { schema: Valibot }).get("rows[0].sku");
  is<Equal<typeof valibot, string>>();
  const ark = await read(stream, { schema: Ark }).data();
  is<Equal<typeof ark, { title: string; rows: { sku: string }[] }>>();
  const plain = await read(stream, { schema: { type: "object" } }).get("anything[0].goes");
  is<Equal<typeof plain, unknown>>();
  const whole = parse("", { schema: Zod });
  is<Equal<typeof whole.value, { title?: string; rows?: { sku?: string; n?: number }[] } | null>>();
}
