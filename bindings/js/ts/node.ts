// The entry of node, Deno and Bun: the module is read from its file at the first call. Where a bundler left the file
// behind, the module comes as a script, which takes a moment.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { loadWith } from "./engine.js";

const PLACES: readonly (() => string | URL)[] = [
  // Where the package is, or where a bundler has put the file.
  () => new URL("./patchwire.wasm", import.meta.url),
  // Next.js gives components the address that browsers fetch, in place of a file: then the one that was installed.
  () => join(dirname(fileURLToPath(import.meta.url)), "patchwire.wasm"),
];

function bytes(): Uint8Array<ArrayBuffer> | undefined {
  for (const place of PLACES) {
    try {
      return readFileSync(place());
    } catch {
      // It is not there.
    }
  }
  return undefined;
}

function now(): WebAssembly.Module | undefined {
  const found = bytes();
  return found && new WebAssembly.Module(found);
}

async function later(): Promise<WebAssembly.Module> {
  const inline = await import("./inline.js");
  return WebAssembly.compile(await inline.bytes());
}

loadWith({ now, later });

export * from "./index.js";
