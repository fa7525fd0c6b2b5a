// The events of a stream, as JavaScript sees them.
const KINDS = ["open", "delta", "done"];
const COMPLETIONS = [undefined, "observed", "end_of_input"];
const REPAIRED = 1 << 10;
const DEFERRED = 1 << 11;
const STRING = 4;
const LIST = 5;
const OBJECT = 6;
/** A field opened, grew, was completed, replaced or removed. */
export class Patch {
    type = "patch";
    kind;
    /** The path of the field, such as `rows[0].name`; empty for the root. */
    path;
    /** The new text of a string; otherwise empty. */
    delta;
    /** The value of the field so far. Lists and objects grow in place; `structuredClone` keeps one as it is. */
    value;
    /** Whether the field is complete. */
    isComplete;
    /** The first byte of the stream that made the change. */
    start;
    /** The byte after the last one. */
    end;
    /** @internal */
    field;
    /** @internal */
    flags;
    /** @internal */
    wire;
    /** @internal */
    constructor(kind, field, delta, flags, start, end, wire) {
        this.kind = wire ? wire.kind : KINDS[kind];
        this.path = wire ? wire.path : field.path;
        this.delta = delta;
        this.value = wire ? wire.value : field.value;
        this.isComplete = wire ? wire.is_complete : kind === 2;
        this.start = start;
        this.end = end;
        this.field = field;
        this.flags = flags;
        this.wire = wire;
    }
    get span() {
        return [this.start, this.end];
    }
    /** The path with `[*]` for each index of a list. */
    get wildcardPath() {
        return this.wire ? this.wire.wildcard_path : this.field.wildcardPath;
    }
    /** The path as a JSON Pointer. */
    get pointer() {
        return this.wire ? this.wire.pointer : this.field.pointer;
    }
    /** How the end of the value is known, if the patch completes it. */
    get completion() {
        return this.wire ? this.wire.completion : COMPLETIONS[(this.flags >> 8) & 3];
    }
    /** Whether a rule of lenient reading shaped the value. */
    get repaired() {
        return this.wire ? this.wire.repaired === true : (this.flags & REPAIRED) !== 0;
    }
    /** Whether the value was read whole before it was emitted. */
    get deferred() {
        return this.wire ? this.wire.deferred === true : (this.flags & DEFERRED) !== 0;
    }
    /** The element whose body holds the document. */
    get element() {
        return this.field.document.origin.element;
    }
    /** The number of the root, if several follow one another. */
    get root() {
        return this.field.document.origin.root ?? 0;
    }
    /** The number of the document; 0 is the answer. */
    get document() {
        return this.field.document.number;
    }
    /** The event on the wire, as the command prints it. */
    toJSON() {
        if (this.wire)
            return this.wire;
        const wire = { event: "patch", kind: this.kind, path: this.path };
        wire.wildcard_path = this.wildcardPath;
        wire.pointer = this.pointer;
        if (this.kind === "delta")
            wire.delta = this.delta;
        const value = this.#shown();
        if (value !== undefined)
            wire.value = value;
        wire.is_complete = this.isComplete;
        if (this.completion)
            wire.completion = this.completion;
        if (this.repaired)
            wire.repaired = true;
        if (this.deferred)
            wire.deferred = true;
        wire.span = this.span;
        return Object.assign(wire, this.field.document.origin);
    }
    /** The value that the wire repeats: of leaves, and the empty one where a container opens. */
    #shown() {
        const kind = (this.flags >> 4) & 15;
        if (this.kind === "open")
            return kind === STRING ? "" : kind === LIST ? [] : {};
        return this.kind === "done" && kind !== LIST && kind !== OBJECT ? this.value : undefined;
    }
    /** How node prints it: without what is only for this package. */
    [Symbol.for("nodejs.util.inspect.custom")]() {
        const { type, kind, path, delta, value, isComplete, span } = this;
        return { type, kind, path, delta, value, isComplete, span };
    }
}
/** Text outside the payload. */
export class TextEvent {
    type = "text";
    /** The channel that the tag set sends it to; `text` outside elements. */
    channel;
    delta;
    element;
    span;
    /** @internal */
    constructor(channel, delta, element, span) {
        this.channel = channel;
        this.delta = delta;
        this.element = element === 0 ? undefined : element;
        this.span = span;
    }
    toJSON() {
        const { channel, element, delta, span } = this;
        return { event: "text", channel, ...(element !== undefined && { element }), delta, span };
    }
}
/** A piece of the model's reasoning. */
export class ReasoningEvent {
    type = "reasoning";
    delta;
    element;
    span;
    /** @internal */
    constructor(delta, element, span) {
        this.delta = delta;
        this.element = element === 0 ? undefined : element;
        this.span = span;
    }
    toJSON() {
        const { element, delta, span } = this;
        return { event: "reasoning", delta, ...(element !== undefined && { element }), span };
    }
}
/** The last event. */
export class FinalEvent {
    type = "final";
    answer;
    #wire;
    /** @internal */
    constructor(answer, wire) {
        this.answer = answer;
        this.#wire = wire;
    }
    toJSON() {
        return this.#wire;
    }
}
const camel = (name) => name.replace(/_(\w)/gu, (_, letter) => letter.toUpperCase());
/** The members of an object of the wire, with the names of JavaScript. */
export function named(wire) {
    return Object.fromEntries(Object.entries(wire).map(([name, value]) => [camel(name), value]));
}
/** An event from its line on the wire. */
export function otherEvent(wire) {
    const { event: type, ...members } = wire;
    const made = { type, ...named(members) };
    if (type === "notice")
        Object.assign(made, { path: wire.path ?? "" });
    Object.defineProperty(made, "toJSON", { value: () => wire });
    return made;
}
/** A notice from the wire. */
export function noticeOf(wire) {
    return { path: "", ...named(wire) };
}
