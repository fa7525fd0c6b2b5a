// The entry of node, Deno and Bun: the module is read from its file at the first call.

import { readFileSync } from "node:fs";

import { loadWith } from "./engine.js";

let module: WebAssembly.Module | undefined;
const now = (): WebAssembly.Module => (module ??= new WebAssembly.Module(readFileSync(new URL("./patchwire.wasm", import.meta.url))));

loadWith({ now, later: async () => now() });

export * from "./index.js";
