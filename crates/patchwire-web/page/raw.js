// The raw stream, piece by piece. Of many pieces the last are drawn, and of a long one its
// beginning.

import { count } from "./fields.js";

// How many pieces are drawn, how many characters of each, and of all.
const PIECES = 1500;
const LETTERS = 2000;
const ALL_LETTERS = 30_000;

export class Raw {
  constructor(box, note) {
    this.box = box;
    this.note = note;
    this.clear();
  }

  clear() {
    this.waiting = [];
    this.waitingLetters = 0;
    this.letters = 0;
    this.end = 0;
    this.pieces = 0;
    this.drawn = [];
    this.box.replaceChildren();
    this.note.hidden = true;
  }

  // Adds a piece, and the number of bytes that came with it.
  tell(text, end) {
    const start = this.end;
    this.end = end;
    this.pieces += 1;
    const shown = text.length > LETTERS ? `${text.slice(0, LETTERS)} … ` : text;
    this.waiting.push({ start, end, text: shown });
    this.waitingLetters += shown.length;
    while (this.waiting.length > PIECES || (this.waitingLetters > ALL_LETTERS && this.waiting.length > 1)) {
      this.waitingLetters -= this.waiting.shift().text.length;
    }
  }

  draw() {
    if (this.waiting.length === 0) return;
    const { box } = this;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const fresh = document.createDocumentFragment();
    let at = this.pieces - this.waiting.length;
    for (const { start, end, text } of this.waiting.splice(0)) {
      at += 1;
      const piece = document.createElement("span");
      piece.className = at % 2 ? "piece odd" : "piece";
      piece.textContent = text;
      fresh.append(piece);
      this.drawn.push({ start, end, node: piece.firstChild });
      this.letters += text.length;
    }
    this.waitingLetters = 0;
    let over = 0;
    for (; this.drawn.length - over > PIECES || (this.letters > ALL_LETTERS && this.drawn.length - over > 1); over += 1) {
      this.letters -= this.drawn[over].node?.length ?? 0;
      box.firstElementChild?.remove();
    }
    this.drawn.splice(0, over);
    box.append(fresh);
    while (box.childElementCount > this.drawn.length) box.firstElementChild.remove();
    if (this.pieces > this.drawn.length) {
      this.note.hidden = false;
      this.note.textContent = `The last ${count(this.drawn.length)} of ${count(this.pieces)} pieces are drawn.`;
    }
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }

  // The ranges of text that show some bytes. An empty span is where the next letter begins.
  rangesOf([from, to]) {
    const ranges = [];
    for (const { start, end, node } of this.drawn) {
      if (node === null || end <= from || start >= Math.max(to, from + 1)) continue;
      const range = new Range();
      range.setStart(node, unitsIn(node.data, from - start));
      range.setEnd(node, unitsIn(node.data, Math.max(to, from + 1) - start));
      ranges.push(range);
    }
    return ranges;
  }

  // The text that shows some bytes.
  textOf(span) {
    return span[0] === span[1] ? "" : this.rangesOf(span).map(String).join("");
  }

  // The byte that is shown at a point; null if there is none.
  byteAt(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    const range = caret ? null : document.caretRangeFromPoint?.(x, y);
    const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
    const piece = this.drawn.find((one) => one.node === node && node !== null);
    return piece ? piece.start + encoder.encode(node.data.slice(0, offset)).length : null;
  }
}

const encoder = new TextEncoder();

// How many units of a text its first bytes are.
function unitsIn(text, bytes) {
  if (bytes <= 0) return 0;
  if (bytes >= text.length * 3) return text.length;
  return encoder.encodeInto(text, new Uint8Array(bytes)).read;
}
