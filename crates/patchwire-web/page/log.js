// All events of a stream as a list. Only the rows in view are on the page.

import { count } from "./fields.js";

// Height of a row in pixels, as in the style sheet.
const HEIGHT = 30;
// How many events are kept, and how many are dropped at once beyond that.
const MOST = 60000;
const DROPPED = 10000;
// Characters of an event that are shown in its row, and below the list.
const SHORT = 160;
const LONG = 20000;

const span = (className, text) => {
  const made = document.createElement("span");
  made.className = className;
  made.textContent = text;
  return made;
};

// The text of a row, made when it is first in view.
function preview(record) {
  if (record.preview) return record.preview;
  const { event } = record;
  const kind = event.kind ?? event.code ?? event.reason ?? event.outcome ?? event.channel ?? "";
  const what = event.delta ?? event.value ?? event.message ?? event.name ?? event.offset;
  let text = "";
  if (event.delta !== undefined || typeof event.value === "string") text = JSON.stringify(what.slice(0, SHORT));
  else if (event.value !== undefined) text = record.line.split('"value":')[1]?.slice(0, SHORT).replace(/,"is_complete".*$/, "") ?? "";
  else if (what !== undefined) text = String(what).slice(0, SHORT);
  record.preview = { kind, path: event.path ?? "", text };
  return record.preview;
}

export class Log {
  constructor({ list, search, tally, detail }) {
    this.list = list;
    this.search = search;
    this.tally = tally;
    this.detail = detail;
    this.space = document.createElement("div");
    this.space.className = "space";
    this.list.append(this.space);
    this.list.addEventListener("scroll", () => this.wish());
    this.list.addEventListener("keydown", (key) => this.move(key));
    this.list.addEventListener("click", (click) => {
      const row = click.target.closest(".row");
      if (row) this.select(Number(row.dataset.at));
    });
    this.search.addEventListener("input", () => this.filter());
    new ResizeObserver(() => this.wish()).observe(this.list);
    this.clear();
  }

  clear() {
    this.events = [];
    this.total = 0;
    this.query = this.search.value.toLowerCase();
    this.found = [];
    this.selected = -1;
    this.detail.hidden = true;
    this.list.scrollTop = 0;
    this.wish();
  }

  add(record) {
    this.total += 1;
    this.events.push(record);
    if (this.matches(record)) this.found.push(record);
    if (this.events.length > MOST) {
      const first = this.events[DROPPED].id;
      this.events = this.events.slice(DROPPED);
      this.found = this.found.filter(({ id }) => id >= first);
    }
    this.wish();
  }

  matches(record) {
    return this.query === "" || record.line.toLowerCase().includes(this.query);
  }

  filter() {
    this.query = this.search.value.trim().toLowerCase();
    this.found = this.events.filter((record) => this.matches(record));
    this.selected = -1;
    this.detail.hidden = true;
    this.list.scrollTop = 0;
    this.wish();
  }

  wish() {
    this.isWished = true;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.isWished) this.draw();
    });
  }

  draw() {
    this.isWished = false;
    const { scrollTop, clientHeight } = this.list;
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - 4);
    const last = Math.min(this.found.length, first + Math.ceil(clientHeight / HEIGHT) + 8);
    this.space.style.height = `${this.found.length * HEIGHT}px`;
    const rows = [];
    for (let at = first; at < last; at += 1) rows.push(this.row(at));
    this.space.replaceChildren(...rows);
    const kept = this.total > this.events.length ? `, the last ${count(this.events.length)} kept` : "";
    const found = this.query ? `${count(this.found.length)} of ` : "";
    this.tally.textContent = `${found}${count(this.total)} events${kept}`;
  }

  row(at) {
    const record = this.found[at];
    const { kind, path, text } = preview(record);
    const row = document.createElement("div");
    row.className = "row";
    row.id = `event-${record.id}`;
    row.dataset.at = at;
    row.dataset.name = record.name;
    row.dataset.kind = kind;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(at === this.selected));
    row.style.transform = `translateY(${at * HEIGHT}px)`;
    const name = record.name === "patch" ? kind : record.name;
    row.append(span("id", record.id), span("kind", name), span("path", path), span("text", text));
    return row;
  }

  move(key) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[key.key];
    if (step === undefined || this.found.length === 0) return;
    key.preventDefault();
    this.select(Math.min(this.found.length - 1, Math.max(0, this.selected + step)));
  }

  select(at) {
    this.selected = at;
    const top = at * HEIGHT;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    if (top + HEIGHT > scrollTop + clientHeight) this.list.scrollTop = top + HEIGHT - clientHeight;
    const record = this.found[at];
    this.list.setAttribute("aria-activedescendant", `event-${record.id}`);
    const more = record.line.length - LONG;
    this.detail.textContent = record.line.slice(0, LONG) + (more > 0 ? ` … and ${count(more)} letters` : "");
    this.detail.hidden = false;
    this.draw();
  }
}
