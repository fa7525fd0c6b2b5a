// The state of the page in the address: what follows the `#` stays on this machine until somebody passes it on.

const $ = (id) => document.getElementById(id);

// How the page shows it: the fields as a form, and what there is to take along. What is usual is left out.
export function view() {
  const { value: kind } = document.querySelector("#result-kinds :checked");
  return { ...($("fields-form").checked && { form: "1" }), ...(kind !== "curl" && { kind }) };
}

// Shows it so. An address without it shows what is usual.
export function setView({ form, kind = "curl" }) {
  if ($("fields-form").checked !== (form === "1")) $("fields-form").click();
  const wanted = [...document.querySelectorAll("#result-kinds input")].find(({ value, parentElement }) => value === kind && !parentElement.hidden);
  if (wanted && !wanted.checked) wanted.click();
}

// The longest fragment. Beyond it the page offers a file.
export const MOST = 32 * 1024;

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

// A state as a fragment; null if it is too long.
export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = new Uint8Array(await through(bytes, new CompressionStream("deflate-raw")));
  if (packed.length > MOST) return null;
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  const fragment = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "");
  return fragment.length > MOST ? null : fragment;
}

// The most that a fragment may unfold to.
const MOST_UNPACKED = 4 << 20;

// The state of a fragment; null if it is none.
export async function unpack(fragment) {
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > MOST_UNPACKED) return null;
      parts.push(value);
    }
    const state = JSON.parse(await new Blob(parts).text());
    return typeof state === "object" && state !== null ? state : null;
  } catch {
    return null;
  }
}
