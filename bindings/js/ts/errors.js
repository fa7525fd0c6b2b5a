// Everything that this package throws. `code` is stable; the message says what is wrong and what to do.
/** An error of this package. Each has a `code` that stays the same. */
export class PatchwireError extends Error {
    name = "PatchwireError";
    /** A stable name of what is wrong. */
    code;
    constructor(code, message, options) {
        super(message, options);
        this.code = code;
    }
}
/** The module is not loaded yet: `await ready()` first. */
export class NotReadyError extends PatchwireError {
    name = "NotReadyError";
    constructor() {
        super("not_ready", "the WebAssembly module is not loaded yet; `await ready()` once, before the first call");
    }
}
/** Options that cannot be used. */
export class OptionError extends PatchwireError {
    name = "OptionError";
    /** The option that is wrong; empty if it is none of them. */
    option;
    constructor(option, message, options) {
        super("option", option === "" ? message : `\`${option}\`: ${message}`, options);
        this.option = option;
    }
}
/** The engine stopped: a limit was reached, or strict reading met a slip. */
export class StreamError extends PatchwireError {
    name = "StreamError";
    /** The byte at which it stopped. */
    offset;
    /** The events of the same chunk, from before it stopped. */
    events;
    /** @internal */
    constructor(code, message, offset, events) {
        super(code, `${message} at byte ${offset}`);
        this.offset = offset;
        this.events = events;
    }
}
/** The source of the tokens failed, or gives something that is not understood. */
export class SourceError extends PatchwireError {
    name = "SourceError";
    constructor(message, options) {
        super("source", message, options);
    }
}
/** A path that cannot be read, or that the schema or the answer does not have. */
export class PathError extends PatchwireError {
    name = "PathError";
    path;
    constructor(path, message) {
        super("path", message);
        this.path = path;
    }
}
/** The answer was cut. The error has what arrived. */
export class CutError extends PatchwireError {
    name = "CutError";
    /** The path that was being written; empty if none is known. */
    path;
    /** What arrived: of the answer, or of the part that was asked for. */
    value;
    /** The answer, if all of it was asked for. */
    answer;
    constructor(path, value, answer) {
        const where = path === "" ? "" : ` inside \`${path}\``;
        super("cut", `the answer was cut${where}; ${answer ? "`data({ partial: true })` reads what arrived" : "the error has what arrived"}`);
        this.path = path;
        this.value = value;
        this.answer = answer;
    }
}
/** The answer has no value: the model wrote only text, reasoning or tool calls, or nothing. */
export class NoValueError extends PatchwireError {
    name = "NoValueError";
    answer;
    constructor(answer) {
        super("no_value", `the answer has no value: ${instead(answer)}`);
        this.answer = answer;
    }
}
/** The value does not fit the schema. */
export class InvalidError extends PatchwireError {
    name = "InvalidError";
    issues;
    value;
    constructor(issues, value) {
        super("invalid", `the value does not fit the schema: ${issues.slice(0, 5).map(shown).join("; ")}${issues.length > 5 ? `; and ${issues.length - 5} more` : ""}`);
        this.issues = issues;
        this.value = value;
    }
}
/** Reading was given up by the caller. */
export class CancelledError extends PatchwireError {
    name = "CancelledError";
    constructor(message = "the stream was cancelled", options) {
        super("cancelled", message, options);
    }
}
/** A bug of the engine. This parser is lost; others go on, and new ones can be made. */
export class PanicError extends PatchwireError {
    name = "PanicError";
    constructor(message, options) {
        super("panic", `a bug in patchwire, please report it: ${message}`, options);
    }
}
function instead({ outcome, calls, text, reasoning, refusal }) {
    if (refusal !== undefined)
        return refusal === "" ? "the model refused" : `the model refused, ${beginning(refusal)}`;
    if (calls.length > 0 && (outcome === "tool_calls" || text.trim() === ""))
        return `the model called tools (${calls.map(({ name }) => `\`${name}\``).join(", ")})`;
    if (text.trim() !== "")
        return `the model wrote only text, ${beginning(text)}`;
    if (reasoning.trim() !== "")
        return `the model wrote only reasoning, ${beginning(reasoning)}`;
    return "the model wrote nothing";
}
/** The first words of a text on one line, in quotes. */
function beginning(text) {
    const line = text.trim().split(/\s+/u).join(" ");
    return line.length <= 60 ? `which is “${line}”` : `which begins “${line.slice(0, 59)}…”`;
}
function shown({ message, path }) {
    const steps = (path ?? []).map((step) => (typeof step === "object" ? step.key : step));
    const at = steps.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
    const place = at.replace(/^\./u, "");
    // The engine's own messages begin with the place.
    return place === "" || message.startsWith(place) ? message : `${place}: ${message}`;
}
