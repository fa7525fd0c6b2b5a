// Serves a folder on this machine, for tests: `const { url, close } = await serve(folder)`.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

export async function serve(root) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = join(root, normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)));
    try {
      const body = readFileSync(path);
      response.writeHead(200, { "content-type": KINDS[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
