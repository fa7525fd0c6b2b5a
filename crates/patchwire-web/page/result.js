// What the answer comes to: its value, the schema, the prompt, and a program.

import { get, isLocal } from "./connect.js";
import { pretty } from "./fold.js";
import { infer, written } from "./infer.js";
import { program } from "./programs.js";

const $ = (id) => document.getElementById(id);

// Characters that are shown of each.
const MOST = 50_000;

export class Result {
  constructor() {
    this.options = {};
    this.root = undefined;
    $("result-kinds").addEventListener("change", () => this.draw());
    $("result-copy").addEventListener("click", () => this.copy());
    if (!isLocal) for (const input of document.querySelectorAll("#result-kinds [data-local]")) input.closest("label").hidden = true;
  }

  show(options, root) {
    [this.options, this.root] = [options, root];
    this.draw();
  }

  async draw() {
    const { value: kind } = document.querySelector("#result-kinds :checked");
    const text = await this.text(kind).catch((error) => error.message);
    if (document.querySelector("#result-kinds :checked").value !== kind) return;
    $("curl").textContent = text.length > MOST ? `${text.slice(0, MOST)}\n…` : text;
  }

  async text(kind) {
    const { options, root } = this;
    switch (kind) {
      case "value":
        return root === undefined ? "There is no value." : pretty(root, MOST);
      case "schema":
        return options.schema ? this.ofSpec("schema") : root === undefined ? "There is no schema." : `# from this value\n${written(infer(root)).trim()}\n`;
      case "prompt":
        return this.ofSpec("prompt");
      default:
        return program(kind, options, isLocal ? "localhost:3000" : location.host);
    }
  }

  async ofSpec(what) {
    if (!isLocal) return this.options.schema ?? "";
    const found = await get("/v1/prompt", { body: JSON.stringify({ patchwire: this.options }) });
    return what === "prompt" ? found.prompt : JSON.stringify(found.schema, null, 2);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText($("curl").textContent);
      $("result-copy").textContent = "Copied";
    } catch {
      getSelection().selectAllChildren($("curl"));
      $("result-copy").textContent = "Selected";
    }
    setTimeout(() => ($("result-copy").textContent = "Copy"), 1500);
  }
}
