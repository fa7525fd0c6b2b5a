// Compiled and never run: the types that schemas give. A line that has to fail says so.

import { fields } from "@patchwire/svelte";
import type { StandardSchema } from "patchwire";
import { type Readable, derived } from "svelte/store";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_ extends true>(): void => {};

declare const schema: StandardSchema<{ title: string; rows: { sku: string }[] }>;
declare const stream: ReadableStream<string>;

export function typed(): void {
  const report = fields("/api/report", { schema, onData: ({ title }) => is<Equal<typeof title, string>>() });
  const title = derived(report, ({ draft }) => draft?.title);
  is<Equal<typeof title, Readable<string | undefined>>>();
  report.subscribe(({ data, draft, error, status, done }) => {
    is<Equal<typeof data, { title: string; rows: { sku: string }[] } | undefined>>();
    is<Equal<NonNullable<typeof draft>["title"], string | undefined>>();
    is<Equal<typeof error, unknown>>();
    is<Equal<ReturnType<typeof status>, "waiting" | "streaming" | "complete">>();
    done("rows[0].sku");
    // @ts-expect-error: there is no such path
    done("titel");
  });
  report.read(async (signal) => fetch("/api", { signal }));
  fields(stream).subscribe(({ status }) => status("anything[0].goes"));
  // @ts-expect-error: no source
  fields(7);
}
