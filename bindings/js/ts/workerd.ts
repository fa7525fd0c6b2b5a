// The entry of edge workers, which compile modules when they are deployed.

// @ts-expect-error: only workers import a module of WebAssembly.
import module from "./patchwire.wasm";

import { loadWith } from "./engine.js";

const compiled = module as WebAssembly.Module;

loadWith({ now: () => compiled, later: async () => compiled });

export * from "./index.js";
