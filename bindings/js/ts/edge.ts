// The entry of Vercel's edge runtime, whose bundlers want to be told that a module is meant and not its instance.

// @ts-expect-error: only workers import a module of WebAssembly.
import module from "./patchwire.wasm?module";

import { loadWith } from "./engine.js";

const compiled = module as WebAssembly.Module;

loadWith({ now: () => compiled, later: async () => compiled });

export * from "./index.js";
