// Tool calls that the provider sends in fields of their own: the arguments of each are read as they grow.
import { Parser } from "./parser.js";
/** The calls of one answer, in the order in which they began. */
export class Calls {
    #tools;
    #growing = new Map();
    constructor(tools) {
        this.#tools = tools;
    }
    take(parts) {
        for (const part of parts)
            this.#one(part);
    }
    // Providers may send the parts of several calls in turns.
    #one({ at = `whole ${this.#growing.size}`, id, name, arguments: text }) {
        let call = this.#growing.get(at);
        if (!call) {
            const schema = name === undefined ? undefined : this.#tools?.[name];
            call = { name: name ?? "", parser: new Parser({ schema, tags: "none" }), hasEnded: false };
            this.#growing.set(at, call);
        }
        if (id !== undefined)
            call.id = id;
        if (name !== undefined && call.name === "")
            call.name = name;
        if (text !== undefined && !call.hasEnded)
            call.parser.feed(text);
    }
    /** The input ended. */
    end() {
        for (const call of this.#growing.values()) {
            if (call.hasEnded)
                continue;
            call.hasEnded = true;
            call.parser.finish();
            call.parser.free();
        }
    }
    get all() {
        return [...this.#growing.values()].map((call) => {
            const { id, name, parser } = call;
            const value = (parser.answer ? parser.value : parser.snapshot());
            return { ...(id !== undefined && { id }), name, arguments: value ?? {}, isComplete: isWhole(call) };
        });
    }
}
/** Whether all of the arguments are there. A call without any is whole once the input ended. */
function isWhole({ parser, hasEnded }) {
    if (parser.answer)
        return parser.answer.outcome !== "truncated";
    return !hasEnded && parser.value !== undefined && !parser.isOpen("");
}
