// The raw stream, piece by piece. Of many pieces the last are drawn, and of a long one its
// beginning.

import { count } from "./fields.js";

// How many pieces are drawn, and how many characters of each.
const PIECES = 1500;
const LETTERS = 2000;

export class Raw {
  constructor(box, note) {
    this.box = box;
    this.note = note;
    this.clear();
  }

  clear() {
    this.waiting = [];
    this.end = 0;
    this.pieces = 0;
    this.box.replaceChildren();
    this.note.hidden = true;
  }

  // Adds a piece, and the number of bytes that came with it.
  tell(text, end) {
    this.end = end;
    this.pieces += 1;
    this.waiting.push(text.length > LETTERS ? `${text.slice(0, LETTERS)} … ` : text);
    if (this.waiting.length > PIECES) this.waiting.shift();
  }

  draw() {
    if (this.waiting.length === 0) return;
    const { box } = this;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const fresh = document.createDocumentFragment();
    let at = this.pieces - this.waiting.length;
    for (const text of this.waiting.splice(0)) {
      at += 1;
      const piece = document.createElement("span");
      piece.className = at % 2 ? "piece odd" : "piece";
      piece.textContent = text;
      fresh.append(piece);
    }
    box.append(fresh);
    for (let over = box.childElementCount - PIECES; over > 0; over -= 1) box.firstElementChild.remove();
    if (this.pieces > PIECES) {
      this.note.hidden = false;
      this.note.textContent = `The last ${count(PIECES)} of ${count(this.pieces)} pieces are drawn.`;
    }
    if (isAtEnd) box.scrollTop = box.scrollHeight;
  }
}
