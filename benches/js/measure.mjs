// What a chunk costs, in nanoseconds.

import { AGAIN, READERS } from "./contenders.mjs";
import { INPUTS, cut } from "./inputs.mjs";

const now = () => performance.now();

/** The least of many whole streams. */
async function whole(read, chunks, ms) {
  let best = Infinity;
  const begun = now();
  for (let runs = 0; runs < 5 || (now() - begun < ms && runs < 3000); runs += 1) {
    const from = now();
    await read(chunks);
    best = Math.min(best, now() - from);
  }
  return (best * 1e6) / chunks.length;
}

/** The mean over 20 places in the stream of the least of some calls. */
async function again(read, text, ms) {
  let sum = 0;
  const places = 20;
  for (let at = 0; at < places; at += 1) {
    const prefix = text.slice(0, Math.floor(((at + 0.5) / places) * text.length));
    let best = Infinity;
    const begun = now();
    for (let runs = 0; runs < 3 || (now() - begun < ms / places && runs < 200); runs += 1) {
      const from = now();
      try {
        await read(prefix);
      } catch {
        // A prefix that it cannot read costs what it took to see that.
      }
      best = Math.min(best, now() - from);
    }
    sum += best;
  }
  return (sum / places) * 1e6;
}

/** The rows of the table. */
export async function measure(ms, tell) {
  const quiet = { warn: console.warn, error: console.error };
  console.warn = console.error = () => {};
  const rows = [];
  for (const [contenders, run] of [[READERS, (read, text) => whole(read, cut(text), ms)], [AGAIN, (read, text) => again(read, text, ms)]]) {
    for (const [name, read] of Object.entries(contenders)) {
      const costs = [];
      for (const [, text] of INPUTS) costs.push(await run(read, text));
      const row = `| ${name} | ${costs.map((cost) => Math.round(cost).toLocaleString("en")).join(" | ")} |`;
      rows.push(row);
      tell(row);
    }
  }
  Object.assign(console, quiet);
  return rows;
}

export const HEAD = `| ns a chunk of four characters | ${INPUTS.map(([name]) => name).join(" | ")} |\n|---|${INPUTS.map(() => "--:|").join("")}`;
