// Compiled and never run: the types that schemas give. A line that has to fail says so.

import { useFields } from "@patchwire/vue";
import type { StandardSchema } from "patchwire";
import { ref } from "vue";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_ extends true>(): void => {};

declare const schema: StandardSchema<{ title: string; rows: { sku: string }[] }>;
declare const stream: ReadableStream<string>;

export function typed(): void {
  const { draft, data, error, isLoading, status, done } = useFields("/api/report", { schema, onData: ({ title }) => is<Equal<typeof title, string>>() });
  is<Equal<typeof data.value, { title: string; rows: { sku: string }[] } | undefined>>();
  is<Equal<NonNullable<typeof draft.value>["title"], string | undefined>>();
  is<Equal<typeof error.value, unknown>>();
  is<Equal<typeof isLoading.value, boolean>>();
  is<Equal<ReturnType<typeof status>, "waiting" | "streaming" | "complete">>();
  done("rows[0].sku");
  // @ts-expect-error: there is no such path
  done("titel");
  useFields(ref<ReadableStream<string> | null>(null));
  useFields(async (signal) => fetch("/api", { signal }), () => ({ schema }));
  useFields(stream).status("anything[0].goes");
  // @ts-expect-error: no source
  useFields(7);
}
