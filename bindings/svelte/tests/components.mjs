// A component, compiled by each version of Svelte for each platform.

import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const REPORT = `<script>
  import { fields } from "@patchwire/svelte";
  export let source;
  export let options = {};
  export let shown = () => {};
  const report = fields(source, options);
  shown(report);
</script>

<p>{$report.draft?.title ?? "nothing"} {$report.status("title")} {$report.isLoading}</p>
`;

/** The component, as the versions 4 and 5 compile it for `client` or `server`. */
export async function component(version, platform) {
  const own = version === 4 ? "svelte4" : "svelte";
  const { compile } = await import(`${own}/compiler`);
  const generate = version === 5 ? platform : { client: "dom", server: "ssr" }[platform];
  const { js } = compile(REPORT, { generate, ...(version === 4 ? { hydratable: true } : {}) });
  const file = new URL(`report-${version}-${platform}.tmp.mjs`, import.meta.url);
  writeFileSync(file, js.code.replaceAll(/(from|import) "svelte\//gu, `$1 "${own}/`));
  try {
    return (await import(file.href)).default;
  } finally {
    rmSync(fileURLToPath(file));
  }
}
