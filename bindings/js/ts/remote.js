// Events that a server of patchwire sends: the text was read there, and its value is built here.
import { Answer } from "./answer.js";
import { StreamError } from "./errors.js";
import { FinalEvent, Patch, ReasoningEvent, TextEvent, otherEvent } from "./events.js";
import { Document, get, stepsOf } from "./mirror.js";
/** Builds the value of a stream of events. */
export class Remote {
    answer;
    #validate;
    #documents = new Map();
    /** The paths of the answer that are still being written. */
    #open = new Set();
    constructor(validate) {
        this.#validate = validate;
    }
    get live() {
        return this.answer ? this.answer.value : this.#document({})?.value;
    }
    /** Patches of a server copy what they change, so the live value is a snapshot. */
    snapshot() {
        return this.live;
    }
    isOpen(path) {
        return !this.answer && this.#open.has(path);
    }
    get calls() {
        return this.answer?.calls ?? [];
    }
    /** The event of a line. */
    take(wire) {
        switch (wire.event) {
            case "patch":
                return [this.#patch(wire)];
            case "text":
                return [new TextEvent(wire.channel, wire.delta, wire.element ?? 0, spanOf(wire))];
            case "reasoning":
                return [new ReasoningEvent(wire.delta, wire.element ?? 0, spanOf(wire))];
            case "final":
                this.answer = new Answer(wire, JSON.stringify(wire.value), this.#validate);
                this.answer.take((wire.calls ?? []).map(callOf));
                return [new FinalEvent(this.answer, wire)];
            case "reset":
                this.#documents.clear();
                this.#open.clear();
                return [];
            case "error":
                throw new StreamError(wire.code ?? "error", String(wire.message), wire.offset ?? 0, []);
            case "raw":
            case "facts":
            case "tool_call":
            case "snapshot":
                return [];
            default:
                return [otherEvent(wire)];
        }
    }
    // A later attempt begins with `reset`, so its number is not looked at.
    #document({ element, root, call }) {
        const key = [element, root, call].join("/");
        let document = this.#documents.get(key);
        if (!document) {
            const origin = { ...(element !== undefined && { element }), ...(root !== undefined && { root }) };
            document = new Document(key === "//" ? 0 : this.#documents.size + 1, origin);
            this.#documents.set(key, document);
        }
        return document;
    }
    #patch(wire) {
        const document = this.#document(wire);
        const pointer = wire.pointer;
        document.apply(wire, pointer === "" ? 0 : pointer.split("/").length - 1);
        const path = wire.path;
        if (document.number === 0) {
            if (wire.is_complete === true)
                this.#open.delete(path);
            else
                this.#open.add(path);
        }
        const [start, end] = spanOf(wire);
        const patch = new Patch(0, document.line[0], wire.delta ?? "", 0, start, end, wire);
        return patch;
    }
}
/** The value at a path of a value. */
export function at(value, path) {
    return stepsOf(path)?.reduce((inside, step) => get(inside, step), value);
}
function callOf({ id, name, arguments: given, outcome, is_complete }) {
    const isComplete = is_complete === undefined ? outcome !== "truncated" : is_complete === true;
    return { ...(id !== undefined && { id: id }), name: name ?? "", arguments: (given ?? {}), isComplete };
}
function spanOf({ span }) {
    return span ?? [0, 0];
}
