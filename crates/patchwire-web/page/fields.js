// The fields while they fill in, as a tree that folds or as a form. However many and however long they
// are, only a small part is drawn.

// How many fields are drawn at first, and how many more on each request.
const ROWS = 200;
// Characters of a long text that are drawn from its start and from its end.
const HEAD = 3000;
const TAIL = 300;

const element = (name, className) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
};

// One field on the page.
class Row {
  constructor(field) {
    this.field = field;
    this.root = element("li", field.isAside ? "field aside" : "field");
    this.name = element("span", "name");
    this.type = element("span", "type");
    this.value = element("span", "value");
    this.head = document.createTextNode("");
    this.gap = element("em", "gap");
    this.tail = document.createTextNode("");
    this.value.append(this.head);
    this.mark = element("span", "mark");
    const title = element("div", "title");
    title.append(this.name, this.type, this.mark);
    this.root.append(title, this.value);
    // Where the last step of the path begins; a quoted name is one step.
    const isQuoted = field.label.endsWith('"]');
    const at = isQuoted ? field.label.lastIndexOf('["') : field.label.search(/[^.[\]]+\]?$/);
    if (at > 0 && !field.isAside) {
      const above = element("span", "above");
      above.textContent = field.label.slice(0, at);
      this.name.append(above);
    }
    this.name.append(field.label.slice(field.isAside ? 0 : Math.max(at, 0)));
    this.parts = 0;
  }

  draw() {
    const { node, isComplete } = this.field;
    if (node !== this.node) {
      this.node = node;
      this.parts = 0;
      this.head.data = "";
      this.root.dataset.kind = node.kind;
      this.type.textContent = typeName(node);
    }
    if (node.kind === "text") this.grow(node);
    else this.head.data = node.text ?? (node.kind === "list" ? "[]" : "{}");
    // Whitespace around the answer is not shown.
    if (this.field.isAside) this.root.hidden = this.head.data.trim() === "";
    this.root.classList.toggle("open", !isComplete);
    this.mark.textContent = isComplete ? "✓" : "";
    this.mark.title = isComplete ? "complete" : "";
    if (isComplete && node.kind === "text" && node.length === 0) this.root.classList.add("blank");
  }

  // Only new text is processed, and only the ends of long texts are drawn.
  grow(node) {
    const fresh = node.parts.slice(this.parts).join("");
    this.parts = node.parts.length;
    const room = HEAD - this.head.length;
    if (room > 0 && fresh) this.head.appendData(fresh.slice(0, room));
    const hidden = node.length - HEAD;
    if (hidden <= 0) return;
    if (!this.gap.isConnected) this.value.append(this.gap, this.tail);
    const end = (this.tail.data + fresh.slice(Math.max(room, 0))).slice(-TAIL);
    this.tail.data = end;
    this.gap.textContent = ` … ${count(hidden - end.length)} letters are not drawn … `;
  }
}

// The steps of a printed path.
const STEP = /\["(?:[^"\\]|\\.)*"\]|\[\d+\]|[^.[\]]+/gu;

// The containers of a field, from the outside in: the pointer and the printed step of each.
function containers({ pointer, label }) {
  const parts = (pointer ?? "").split("/").slice(1);
  const steps = label.slice(label.lastIndexOf(" · ") + 1).match(STEP) ?? [];
  // After a correction a label may be none.
  if (parts.length < 2 || steps.length !== parts.length) return [];
  const document = label.slice(0, Math.max(label.lastIndexOf(" · "), 0));
  return parts.slice(0, -1).map((_, at) => [`${document}/${parts.slice(0, at + 1).join("/")}`, steps[at]]);
}

// A container that folds.
class Group {
  constructor(name) {
    this.root = element("li", "group");
    this.fold = element("details", "fold");
    this.fold.open = true;
    const summary = element("summary", "name");
    summary.textContent = name;
    this.list = element("ul", "fields");
    this.fold.append(summary, this.list);
    this.root.append(this.fold);
  }
}

function typeName(node) {
  if (node.kind !== "scalar") return node.kind;
  if (node.text === "null") return "null";
  return node.text === "true" || node.text === "false" ? "bool" : "number";
}

export const count = (number) => number.toLocaleString("en");

export class Fields {
  constructor(list, more) {
    this.list = list;
    this.more = more;
    this.more.addEventListener("click", () => this.show(this.most + ROWS));
    this.clear();
  }

  // Shows the fields as a form, in which nothing is folded, or as a tree.
  setForm(isForm) {
    this.list.classList.toggle("form", isForm);
    if (isForm) for (const { fold } of this.groups.values()) fold.open = true;
  }

  clear() {
    this.most = ROWS;
    this.rows = new Map();
    this.groups = new Map();
    this.waiting = [];
    this.changed = new Set();
    this.list.replaceChildren();
    this.more.hidden = true;
  }

  // The field of a row.
  fieldOf(row) {
    for (const [field, one] of this.rows) if (one.root === row) return field;
    return null;
  }

  // The drawn field that holds a byte: the shortest, if there are several.
  fieldAt(byte) {
    let found = null;
    for (const field of this.rows.keys()) {
      const { span } = field;
      const isIn = span && span[0] <= byte && byte < span[1];
      if (isIn && (found === null || span[1] - span[0] < found.span[1] - found.span[0])) found = field;
    }
    return found;
  }

  // A field is new or has changed; the next frame draws it.
  tell(field) {
    this.changed.add(field);
  }

  draw() {
    for (const field of this.changed) {
      const row = this.rows.get(field);
      if (field.isGone) this.forget(field, row);
      else if (row) row.draw();
      else if (this.rows.size < this.most) this.add(field);
      else if (!field.isWaiting) {
        field.isWaiting = true;
        this.waiting.push(field);
      }
    }
    if (this.changed.size > 0) this.tellMore();
    this.changed.clear();
  }

  add(field) {
    const row = new Row(field);
    this.rows.set(field, row);
    row.draw();
    // Text and reasoning stand before the answer.
    if (field.isAside) this.list.insertBefore(row.root, this.list.querySelector(":scope > :not(.aside)"));
    else this.place(field).append(row.root);
  }

  // The list that a field belongs to. Its containers are made where they are not there yet.
  place(field) {
    let { list } = this;
    for (const [key, name] of containers(field)) {
      let group = this.groups.get(key);
      if (!group) {
        group = new Group(name);
        this.groups.set(key, group);
        list.append(group.root);
      }
      list = group.list;
    }
    return list;
  }

  forget(field, row) {
    row?.root.remove();
    this.rows.delete(field);
    for (const [key, { root, list }] of this.groups) {
      if (list.childElementCount > 0) continue;
      root.remove();
      this.groups.delete(key);
    }
  }

  show(most) {
    this.most = most;
    const first = this.waiting.find((field) => !field.isGone);
    for (const field of this.waiting.splice(0, ROWS)) if (!field.isGone) this.add(field);
    this.tellMore();
    this.rows.get(first)?.root.scrollIntoView({ block: "nearest" });
  }

  tellMore() {
    const left = this.waiting.length;
    this.more.hidden = left === 0;
    this.more.textContent = `${count(left)} more fields are kept, and not drawn. Show ${count(Math.min(left, ROWS))} of them`;
  }
}
