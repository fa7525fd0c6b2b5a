// Notes on the text: what was skipped, repaired or guessed, and why.

import { get, isLocal } from "./connect.js";
import { count } from "./fields.js";

const $ = (id) => document.getElementById(id);

// How many notes are drawn, and letters of an excerpt.
const MOST = 100;
const EXCERPT = 60;

const made = (name, className, text = "") => {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.textContent = text;
  return element;
};

export class Notes {
  constructor(raw, lights) {
    this.raw = raw;
    this.lights = lights;
    this.list = $("notes-list");
    this.list.addEventListener("pointerover", ({ target }) => this.light(target.closest(".noting"), false));
    this.list.addEventListener("focusin", ({ target }) => this.light(target.closest(".noting"), true));
    this.list.addEventListener("pointerleave", () => this.lights.out());
    $("readings").addEventListener("toggle", () => this.readings());
    this.clear();
  }

  clear() {
    this.all = [];
    this.reading = null;
    this.list.replaceChildren();
    $("notes").hidden = true;
    $("readings").hidden = true;
    $("readings").open = false;
    this.lights.noted([]);
  }

  take(event) {
    if (event.event === "notice") this.all.push(event);
  }

  // Draws the notes, once the text is there. `reading` is the text and the options of the readings that compete.
  end(reading) {
    const { all } = this;
    $("notes").hidden = all.length === 0;
    if (all.length === 0) return;
    const what = all.length === 1 ? "1 note" : `${count(all.length)} notes`;
    $("notes-tally").textContent = all.length > MOST ? `${what}, the first ${MOST} drawn` : what;
    this.list.replaceChildren(...all.slice(0, MOST).map((note, at) => this.row(note, at)));
    this.lights.noted(all.slice(0, MOST).map(({ span }) => span));
    this.reading = reading;
    $("readings").hidden = !isLocal || reading === null;
  }

  row({ code, message, path, span, cost, streamed_cost: streamed }, at) {
    const row = made("li", "noting");
    row.dataset.at = at;
    row.tabIndex = 0;
    const [from, to] = span;
    const head = made("div", "title");
    head.append(made("span", "code", code.replaceAll("_", " ")), made("span", "type", from === to ? `byte ${count(from)}` : `bytes ${count(from)}–${count(to)}`));
    if (path) head.append(made("span", "name", path));
    row.append(head, made("p", "", message));
    const excerpt = this.raw.textOf(span);
    if (excerpt !== "") row.append(made("code", "excerpt", excerpt.length > EXCERPT ? `${excerpt.slice(0, EXCERPT)} …` : excerpt));
    if (cost !== undefined) {
      row.append(made("p", "type", streamed === undefined ? `This reading costs ${cost}.` : `This reading costs ${cost}; the one that was streamed, ${streamed}.`));
    }
    return row;
  }

  light(row, isShown) {
    this.lights.out();
    if (row) this.lights.bytes("lit", this.all[Number(row.dataset.at)].span, isShown);
  }

  // The readings that compete, once they are asked for.
  async readings() {
    const { reading } = this;
    if (!$("readings").open || reading === null || this.shown === reading) return;
    this.shown = reading;
    const list = $("readings-list");
    list.replaceChildren(made("li", "type", "Reading …"));
    try {
      const found = await get("/v1/readings", { body: JSON.stringify(reading) });
      if (this.reading === reading) list.replaceChildren(...found.map(readingRow));
    } catch (error) {
      list.replaceChildren(made("li", "", error.message));
    }
  }
}

function readingRow({ value, cost, slips, isAnswer }) {
  const row = made("li", isAnswer ? "reading best" : "reading");
  const head = made("div", "title");
  head.append(made("span", "code", `cost ${cost}`), made("span", "mark", isAnswer ? "✓ the answer" : ""));
  row.append(head, made("code", "excerpt", value.length > 300 ? `${value.slice(0, 300)} …` : value));
  for (const { meaning, cost: own, span } of slips.slice(0, 6)) row.append(made("p", "type", `${meaning}: ${own}, at byte ${count(span[0])}`));
  if (slips.length > 6) row.append(made("p", "type", `and ${slips.length - 6} more slips`));
  return row;
}
