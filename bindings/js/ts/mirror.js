// The value of a stream as live objects of JavaScript: patches are applied to them in place.
const BARE = /^(?![0-9])[\p{Alphabetic}\p{N}_-]+$/u;
/** A field: one value of a document, on the way from the root to the last patch. */
export class Field {
    document;
    parent;
    key;
    path;
    value;
    isComplete = false;
    /** The snapshot that the value may still be shared with. */
    version;
    constructor(document, parent, key, value) {
        this.document = document;
        this.parent = parent;
        this.key = key;
        this.value = value;
        this.version = document.version;
        this.path = parent === null ? "" : parent.path + step(key, parent.parent === null);
    }
    get wildcardPath() {
        if (this.parent === null)
            return "";
        return this.parent.wildcardPath + (typeof this.key === "number" ? "[*]" : step(this.key, this.parent.parent === null));
    }
    get pointer() {
        if (this.parent === null)
            return "";
        const { key } = this;
        return `${this.parent.pointer}/${typeof key === "number" ? key : escaped(key)}`;
    }
}
/** A step of a path as it is printed. */
export function step(key, isFirst) {
    if (typeof key === "number")
        return `[${key}]`;
    if (!isBare(key))
        return `[${JSON.stringify(key)}]`;
    return isFirst ? key : `.${key}`;
}
/** Whether a key is printed without quotes. Most keys are short names of letters. */
function isBare(key) {
    const { length } = key;
    for (let at = 0; at < length; at += 1) {
        const unit = key.charCodeAt(at) | 32;
        if (unit < 97 || unit > 122)
            return BARE.test(key);
    }
    return length > 0;
}
const escaped = (key) => (/[~/]/u.test(key) ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key);
const unescaped = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");
/** One document: the answer, a further root, or the body of an element. */
export class Document {
    number;
    origin;
    version = 0;
    /** The fields from the root to the last one, and others behind them that are replaced: it costs much to shorten a list. */
    line = [];
    /** How many fields of the line count. */
    #known = 0;
    /** Open fields that the line left. */
    left = [];
    constructor(number, origin) {
        this.number = number;
        this.origin = origin;
    }
    get value() {
        return this.line[0]?.value;
    }
    /** The value, which no later patch changes. What did not change since is shared with the last one. */
    snapshot() {
        this.version += 1;
        return this.value;
    }
    /** A field begins at this depth. */
    open(depth, key, value) {
        const parent = depth === 0 ? null : this.line[depth - 1];
        const field = new Field(this, parent, key, value);
        this.#put(depth, field);
        if (parent !== null)
            set(this.own(parent), key, value);
        return field;
    }
    /** Goes back to a field that was opened before. */
    turn(depth, key) {
        const parent = this.line[depth - 1];
        const field = new Field(this, parent, key, get(parent.value, key));
        // Whether a snapshot shares it is not known any more.
        field.version = this.version === 0 ? 0 : -1;
        this.#put(depth, field);
    }
    /** The field at this depth, to which the line has just turned, has this value. A root may not have begun. */
    put(depth, value) {
        const field = this.line[depth];
        if (field)
            this.change(field, value);
        else
            this.open(depth, "", value);
    }
    /** A text grows. */
    grow(field, delta) {
        this.change(field, field.value + delta);
    }
    /** A field has another value. */
    change(field, value) {
        field.value = value;
        if (field.parent !== null)
            set(this.own(field.parent), field.key, value);
    }
    complete(depth) {
        const field = this.line[depth];
        field.isComplete = true;
        this.#known = depth + 1;
        if (this.left.length > 0)
            this.#completeLeft(field.path);
        return field;
    }
    /** Whether the value at this path may still change. */
    isOpen(path) {
        const is = (field) => !field.isComplete && field.path === path;
        return this.line.slice(0, this.#known).some(is) || this.left.some(is);
    }
    /** The container of a field, as one that no snapshot shares. */
    own(field) {
        if (field.version !== this.version) {
            const value = field.value;
            field.version = this.version;
            this.change(field, Array.isArray(value) ? value.slice() : copy(value));
        }
        return field.value;
    }
    /** Nothing but the root is known. */
    leave() {
        this.#cut(1);
    }
    /** A patch in any order, by its pointer: from the finalizer, or from a server. */
    apply(wire, depth) {
        const steps = wire.pointer.split("/").slice(1).map(unescaped);
        if (depth === 0)
            this.#applyToRoot(wire);
        else
            this.#applyInside(wire, steps);
        this.#cut(Math.max(depth, 1));
    }
    #applyToRoot({ kind, value, delta, is_complete }) {
        const root = (this.line[0] ??= new Field(this, null, "", undefined));
        this.#known = Math.max(this.#known, 1);
        if (kind === "remove")
            root.value = undefined;
        else if (kind === "delta")
            root.value = `${root.value ?? ""}${delta}`;
        else if (value !== undefined)
            root.value = structuredClone(value);
        root.version = this.version;
        root.isComplete = is_complete === true;
    }
    #applyInside({ kind, value, delta }, steps) {
        let container = this.line[0].value;
        let place = (copied) => (this.line[0].value = copied);
        let isOnLine = true;
        // Every container on the way is copied: a snapshot may share it.
        for (let at = 0;; at += 1) {
            const copied = Array.isArray(container) ? container.slice() : copy(container);
            place(copied);
            const field = isOnLine && at < this.#known ? this.line[at] : undefined;
            if (field)
                [field.value, field.version] = [copied, this.version];
            const key = Array.isArray(copied) ? Number(steps[at]) : steps[at];
            if (at === steps.length - 1) {
                if (kind === "remove")
                    remove(copied, key);
                else if (kind === "delta")
                    set(copied, key, get(copied, key) + delta);
                else if (value !== undefined)
                    set(copied, key, structuredClone(value));
                return;
            }
            isOnLine &&= at + 1 < this.#known && this.line[at + 1].key === key;
            container = get(copied, key);
            place = (next) => set(copied, key, next);
        }
    }
    #put(depth, field) {
        this.#cut(depth);
        this.line[depth] = field;
        this.#known = depth + 1;
    }
    #cut(depth) {
        const { line } = this;
        for (let at = depth; at < this.#known; at += 1) {
            if (!line[at].isComplete)
                this.left.push(line[at]);
        }
        this.#known = Math.min(this.#known, depth);
    }
    #completeLeft(path) {
        const at = this.left.findIndex((field) => field.path === path);
        if (at >= 0)
            this.left.splice(at, 1);
    }
}
/** The member or item of a container. Names that every object has are not taken for members. */
export function get(value, key) {
    if (Array.isArray(value))
        return typeof key === "number" ? value[key] : undefined;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
        return undefined;
    return value[key];
}
function set(container, key, value) {
    if (key === "__proto__") {
        Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    }
    else {
        container[key] = value;
    }
}
function remove(container, key) {
    if (Array.isArray(container))
        container.splice(key, 1);
    else
        delete container[key];
}
function copy(value) {
    const copied = { ...value };
    return copied;
}
/** All documents of a stream. */
export class Mirror {
    documents = new Map();
    document(number, origin = {}) {
        let document = this.documents.get(number);
        if (document)
            document.leave();
        else
            this.documents.set(number, (document = new Document(number, origin)));
        return document;
    }
    /** The document of the answer, once it has begun. */
    get answer() {
        return this.documents.get(0);
    }
}
/** The steps of a printed path; `undefined` if it cannot be read. `*` stands for any item or member. */
export function stepsOf(path) {
    const steps = [];
    let rest = path;
    while (rest !== "") {
        const found = /^\[(\d+)\]/u.exec(rest) ?? /^\[("(?:[^"\\]|\\.)*")\]/u.exec(rest) ?? /^\[(\*)\]/u.exec(rest);
        const name = found ? null : (steps.length === 0 ? /^([^.[\]]+)/u : /^\.([^.[\]]+)/u).exec(rest);
        const match = found ?? name;
        if (!match)
            return undefined;
        const [whole, text] = match;
        if (name || text === "*")
            steps.push(text);
        else if (!text.startsWith('"'))
            steps.push(Number(text));
        else {
            try {
                steps.push(JSON.parse(text));
            }
            catch {
                return undefined;
            }
        }
        rest = rest.slice(whole.length);
    }
    return steps;
}
