// Puts the page without a server together. `node site.mjs PAGE SCRIPTS MODULE FOLDER`

import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [page, scripts, module, folder] = process.argv.slice(2);

// As the server's, and what an engine in the page needs besides.
const POLICY = [
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'",
  "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'",
  "require-trusted-types-for 'script'; trusted-types patchwire",
].join("; ");

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "patchwire"), { recursive: true });
for (const name of readdirSync(page)) copyFileSync(join(page, name), join(folder, name));
// The entries of other platforms and of frameworks are left out.
const others = ["node.js", "workerd.js", "edge.js", "inline.js", "fields.js"];
for (const name of readdirSync(scripts).filter((name) => name.endsWith(".js") && !others.includes(name))) {
  copyFileSync(join(scripts, name), join(folder, "patchwire", name));
}
copyFileSync(module, join(folder, "patchwire", "patchwire.wasm"));

const index = join(folder, "index.html");
const metas = `<meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">
    <meta name="patchwire-engine" content="worker">`;
writeFileSync(index, readFileSync(index, "utf8").replace('<meta charset="utf-8">', () => metas));

const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
const paths = files.map(({ parentPath, path, name }) => join(parentPath ?? path, name).slice(join(folder).length + 1)).filter((name) => name !== "offline.js").sort();
const hash = createHash("sha256");
for (const path of paths) hash.update(path).update(readFileSync(join(folder, path)));
const offline = join(folder, "offline.js");
const kept = ["./", ...paths.filter((path) => path !== "index.html")];
writeFileSync(offline, readFileSync(offline, "utf8").replace("VERSION", hash.digest("hex").slice(0, 16)).replace("[]", JSON.stringify(kept)));
console.log(`the page is in ${folder}: ${paths.length + 1} files`);
