// The entry of browsers: the module is fetched beside this file. A bundler that moves the file and not the module is
// no obstacle: the module then comes as a script.

import { loadWith } from "./engine.js";

async function fetched(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL("./patchwire.wasm", import.meta.url));
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const kind = response.headers.get("content-type") ?? "";
  if (kind.includes("application/wasm")) return WebAssembly.compileStreaming(response);
  // A page in place of a missing file fails here.
  return WebAssembly.compile(await response.arrayBuffer());
}

async function later(): Promise<WebAssembly.Module> {
  try {
    return await fetched();
  } catch {
    const { bytes } = await import("./inline.js");
    return WebAssembly.compile(await bytes());
  }
}

loadWith({ later });

export * from "./index.js";
