// Writes the module, and the script that holds it, beside the scripts of the package.
// `node pack_wasm.mjs MODULE FOLDER`

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, brotliCompressSync, gzipSync } from "node:zlib";

const [built, folder] = process.argv.slice(2);
const module = join(folder, "patchwire.wasm");

copyFileSync(built, module);

const bytes = readFileSync(module);
const inline = `// The module as text, for bundlers that move scripts and not their files. Written by the build.
const text = "${gzipSync(bytes, { level: 9 }).toString("base64")}";

export async function bytes() {
  const packed = Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
`;
writeFileSync(join(folder, "inline.js"), inline);

// What a server sends takes seconds to compute, so it is told where it is asked for.
if (process.env.SIZES) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const kilobytes = (length) => `${(length / 1000).toFixed(0)} KB`;
  console.log(`module: ${kilobytes(bytes.length)}, brotli ${kilobytes(brotliCompressSync(bytes, { params }).length)}, gzip ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`);
}
