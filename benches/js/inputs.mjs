// The inputs: the same text every time.

const WORDS = "the model writes what it was asked for and goes on while your program reads each field as it grows".split(" ");

function words(count, seed) {
  const out = [];
  for (let at = 0; at < count; at += 1) out.push(WORDS[(seed * 31 + at * 7) % WORDS.length]);
  return out.join(" ");
}

/** Long texts in few members. */
function report(bytes) {
  const sections = [];
  for (let at = 0; JSON.stringify({ title: "A report", sections }).length < bytes; at += 1) {
    sections.push({ heading: words(4, at), text: words(Math.min(120, bytes / 20), at), score: at / 8 });
  }
  return JSON.stringify({ title: "A report", sections });
}

/** Many small members. */
function records(bytes) {
  const rows = [];
  for (let at = 0; JSON.stringify({ rows }).length < bytes; at += 1) {
    rows.push({ id: at, sku: `sku-${at * 7919}`, name: words(2, at), price: at * 1.25, ok: at % 3 === 0, tags: ["a", "b"] });
  }
  return JSON.stringify({ rows });
}

/** A text in pieces of four characters. */
export function cut(text) {
  const chunks = [];
  for (let at = 0; at < text.length; at += 4) chunks.push(text.slice(at, at + 4));
  return chunks;
}

export const INPUTS = [
  ["report 2 KB", report(2_000)],
  ["report 100 KB", report(100_000)],
  ["records 2 KB", records(2_000)],
  ["records 100 KB", records(100_000)],
];
