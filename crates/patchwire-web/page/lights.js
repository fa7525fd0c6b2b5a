// What belongs together lights up: a field and its bytes, a note and what it is about.

// Marks text without changing the page, where browsers can.
const marks = globalThis.CSS?.highlights ? new Map(["lit", "noted"].map((name) => [name, new Highlight()])) : new Map();
for (const [name, mark] of marks) CSS.highlights.set(name, mark);

export class Lights {
  constructor(raw, fields) {
    this.raw = raw;
    this.fields = fields;
    for (const [type, box] of [["pointerover", fields.list], ["focusin", fields.list]]) {
      box.addEventListener(type, ({ target }) => this.ofRow(target.closest(".field")));
    }
    fields.list.addEventListener("pointerleave", () => this.out());
    raw.box.addEventListener("pointermove", (event) => this.ofPoint(event));
    raw.box.addEventListener("pointerleave", () => this.out());
  }

  out() {
    marks.get("lit")?.clear();
    this.row?.classList.remove("lit");
    this.row = null;
  }

  ofRow(row) {
    if (row === this.row) return;
    this.out();
    const span = row && this.own(this.fields.fieldOf(row)?.span);
    if (!row) return;
    this.row = row;
    row.classList.add("lit");
    if (span) this.bytes("lit", span);
  }

  // The bytes of a field without the signs between it and the one before.
  own(span) {
    if (!span) return span;
    const signs = /^[\s,{[]+/u.exec(this.raw.textOf(span))?.[0] ?? "";
    return signs.length < span[1] - span[0] ? [span[0] + new TextEncoder().encode(signs).length, span[1]] : span;
  }

  ofPoint({ clientX, clientY }) {
    const at = this.raw.byteAt(clientX, clientY);
    const field = at === null ? null : this.fields.fieldAt(at);
    const row = field ? this.fields.rows.get(field)?.root : null;
    if (row !== this.row) this.ofRow(row ?? null);
  }

  // Lights bytes up. Whether any of them is drawn.
  bytes(name, span, isShown = false) {
    const ranges = this.raw.rangesOf(span);
    for (const range of ranges) marks.get(name)?.add(range);
    if (isShown) ranges[0]?.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    return ranges.length > 0;
  }

  noted(spans) {
    marks.get("noted")?.clear();
    for (const span of spans) this.bytes("noted", span);
  }
}
