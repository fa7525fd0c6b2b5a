// Folds patches into values, as any consumer of the wire form would: `open` and `replace` set,
// `delta` appends, `done` sets a scalar, `remove` deletes. Members are kept in a Map, so that no
// name has a special meaning.

import { isExactly } from "./compare.js";
import { isNumber, numeral } from "./events.js";

const LIST = "list";
const OBJECT = "object";
const TEXT = "text";
const SCALAR = "scalar";

// A node for a wire value, with everything in it.
function nodeOf(value) {
  if (typeof value === "string") return { kind: TEXT, parts: [value], length: value.length };
  if (Array.isArray(value)) return { kind: LIST, items: value.map(nodeOf) };
  if (typeof value === "object" && value !== null && !isNumber(value)) {
    const names = Object.keys(value);
    return { kind: OBJECT, members: new Map(names.map((name) => [name, nodeOf(value[name])])) };
  }
  return { kind: SCALAR, text: isNumber(value) ? numeral(value) : String(value) };
}

// JSON with sorted members, for comparing.
function print(node) {
  switch (node?.kind) {
    case undefined:
      return "null";
    case TEXT:
      return JSON.stringify(node.parts.join(""));
    case SCALAR:
      return node.text;
    case LIST:
      return `[${node.items.map(print).join(",")}]`;
    default: {
      const members = [...node.members].sort(([one], [other]) => (one < other ? -1 : 1));
      return `{${members.map(([name, of]) => `${JSON.stringify(name)}:${print(of)}`).join(",")}}`;
    }
  }
}

// A wire value in the same form.
export const canonical = (value) => print(nodeOf(value));

// JSON for people, with members in order, cut to a number of characters.
export function pretty(node, most) {
  const out = [];
  let left = most;
  const put = (text) => {
    if (left > 0) out.push(text.slice(0, left));
    left -= text.length;
  };
  const inside = (pairs, open, close, indent) => {
    put(open);
    let isFirst = true;
    for (const [name, of] of pairs) {
      if (left <= 0) return;
      put(`${isFirst ? "" : ","}\n${indent}  `);
      if (name !== null) put(`${JSON.stringify(name)}: `);
      show(of, indent + "  ");
      isFirst = false;
    }
    put(isFirst ? close : `\n${indent}${close}`);
  };
  const show = (of, indent) => {
    if (of?.kind === OBJECT) inside(of.members, "{", "}", indent);
    else if (of?.kind === LIST) inside(of.items.map((item) => [null, item]), "[", "]", indent);
    else put(print(of));
  };
  show(node, "");
  return out.join("") + (left < 0 ? " …" : "");
}

const unescape = (segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~");

// One document: its value, and its leaves in order of arrival.
class Document {
  constructor(label, onField) {
    this.root = undefined;
    this.nodes = new Map();
    this.fields = new Map();
    this.label = label;
    this.onField = onField;
  }

  apply(patch) {
    this.change(patch);
    const field = this.fields.get(patch.pointer);
    if (field && patch.span) field.span = field.span ? [Math.min(field.span[0], patch.span[0]), Math.max(field.span[1], patch.span[1])] : patch.span;
  }

  change(patch) {
    const { kind, pointer } = patch;
    if (kind === "delta") return this.grow(pointer, patch.delta);
    if (kind === "remove") return this.remove(pointer);
    if (kind === "done" && this.nodes.has(pointer)) return this.complete(patch);
    this.put(pointer, nodeOf(patch.value), patch);
  }

  put(pointer, node, { path, kind, is_complete: isComplete }) {
    const isLeaf = node.kind === TEXT || node.kind === SCALAR;
    const old = this.nodes.get(pointer);
    this.attach(pointer, node);
    this.nodes.set(pointer, node);
    // Replacing a leaf by a leaf moves no other.
    if (kind === "replace" && (!isLeaf || old?.items || old?.members)) {
      this.renumber();
      this.relist();
    }
    if (isLeaf) this.tell(pointer, path, node, isComplete);
  }

  grow(pointer, delta) {
    const node = this.nodes.get(pointer);
    node.parts.push(delta);
    node.length += delta.length;
    const field = this.fields.get(pointer);
    if (field) this.onField(field);
  }

  complete({ pointer, path, value }) {
    const node = this.nodes.get(pointer);
    // A scalar comes with its value; the value of a text is known already.
    if (node.kind === SCALAR) node.text = print(nodeOf(value));
    const isEmpty = node.items?.length === 0 || node.members?.size === 0;
    const field = this.fields.get(pointer);
    if (field || isEmpty) this.tell(pointer, path, node, true);
  }

  remove(pointer) {
    const [above, segment] = this.place(pointer);
    if (above?.kind === LIST) above.items.splice(Number(segment), 1);
    else if (above) above.members.delete(segment);
    else this.root = undefined;
    this.renumber();
    this.relist();
  }

  // The container of a pointer's target, and the last step.
  place(pointer) {
    if (pointer === "") return [undefined, ""];
    const at = pointer.lastIndexOf("/");
    return [this.nodes.get(pointer.slice(0, at)), unescape(pointer.slice(at + 1))];
  }

  attach(pointer, node) {
    const [above, segment] = this.place(pointer);
    if (above?.kind === LIST) above.items[Number(segment)] = node;
    else if (above?.kind === OBJECT) above.members.set(segment, node);
    else this.root = node;
  }

  // After a correction, pointers may have other targets.
  renumber() {
    this.nodes = new Map();
    const visit = (node, pointer) => {
      this.nodes.set(pointer, node);
      node.items?.forEach((item, at) => visit(item, `${pointer}/${at}`));
      for (const [name, of] of node.members ?? []) {
        visit(of, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
      }
    };
    if (this.root) visit(this.root, "");
  }

  // The leaves may have changed too.
  relist() {
    for (const field of this.fields.values()) {
      const node = this.nodes.get(field.pointer);
      field.isGone = node?.kind !== TEXT && node?.kind !== SCALAR;
      if (!field.isGone) field.node = node;
      this.onField(field);
    }
    for (const [pointer, field] of this.fields) if (field.isGone) this.fields.delete(pointer);
    for (const [pointer, node] of this.nodes) {
      const isLeaf = node.kind === TEXT || node.kind === SCALAR;
      if (isLeaf && !this.fields.has(pointer)) this.tell(pointer, pointer.slice(1), node, true);
    }
  }

  tell(pointer, path, node, isComplete) {
    const known = this.fields.get(pointer);
    const field = known ?? { pointer, label: this.label + (path || "answer"), isGone: false };
    field.node = node;
    field.isComplete = isComplete;
    if (!known) this.fields.set(pointer, field);
    this.onField(field);
  }
}

// Everything read from a stream: its documents, and the text around them.
export class Fold {
  // `onField` is called for each field that is new or has changed.
  constructor(onField = () => {}) {
    this.onField = onField;
    this.documents = new Map();
    this.asides = new Map();
    // Elements that hold the answer, and the tools of calls.
    this.answers = new Set();
    this.tools = new Map();
    this.final = null;
  }

  apply(event) {
    switch (event.event) {
      case "patch":
        // A new document ends the text before it.
        if (event.kind === "open" && event.path === "") ["text", "reasoning"].forEach((label) => this.end(label));
        return this.document(event).apply(event);
      case "element_open":
        if (event.channel === "answer") this.answers.add(event.id);
        return;
      case "tool_call":
        if (event.name) this.tools.set(event.call, event.name);
        return;
      case "reasoning":
        return this.aside("reasoning", event.delta);
      case "reasoning_done":
        return this.end("reasoning");
      case "text":
        return this.aside(event.channel === "text" ? "text" : `text · ${event.channel}`, event.delta);
      case "final":
        for (const label of this.asides.keys()) this.end(label);
        this.final = event;
    }
  }

  document({ element, root, attempt, call }) {
    const of = [element, root, attempt, call];
    const key = of.join("/");
    let document = this.documents.get(key);
    if (!document) {
      const named = [["element", element], ["root", root], ["attempt", attempt], ["call", call]];
      const tool = this.tools.get(call);
      const label = named
        .filter(([, at]) => at !== undefined)
        .map(([name, at]) => (name === "call" && tool ? `${tool} · ` : `${name} ${at} · `));
      document = new Document(label.join(""), this.onField);
      document.isAside = call !== undefined || element !== undefined;
      document.isAnswer = this.answers.has(element);
      this.documents.set(key, document);
    }
    return document;
  }

  aside(label, delta) {
    let field = this.asides.get(label);
    if (!field) {
      const node = { kind: TEXT, parts: [], length: 0 };
      field = { pointer: null, label, node, isAside: true, isComplete: false, isGone: false };
      this.asides.set(label, field);
    }
    field.node.parts.push(delta);
    field.node.length += delta.length;
    // A text that seemed complete may continue.
    field.isComplete = false;
    this.onField(field);
  }

  end(label) {
    const field = this.asides.get(label);
    if (!field) return;
    field.isComplete = true;
    this.onField(field);
  }

  // The answer: the last document in an element that holds the answer, or the last one outside
  // elements. Documents in other elements and arguments of calls do not count.
  get root() {
    const all = [...this.documents.values()];
    return (all.findLast(({ isAnswer }) => isAnswer) ?? all.findLast(({ isAside }) => !isAside))?.root;
  }

  get fieldCount() {
    let count = 0;
    for (const document of this.documents.values()) count += document.fields.size;
    return count;
  }

  // The folded value, as JSON.
  print() {
    return print(this.root);
  }

  // Whether the folded value equals the final value of the stream.
  async isFinal(pace) {
    return this.final !== null && (await isExactly(this.root, this.final.value, pace));
  }
}
