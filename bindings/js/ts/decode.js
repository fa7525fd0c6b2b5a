// The records of the module as events, and as the value of the mirror.
import { Answer } from "./answer.js";
import { StreamError } from "./errors.js";
import { FinalEvent, Patch, ReasoningEvent, TextEvent, otherEvent } from "./events.js";
import { Mirror } from "./mirror.js";
import { nameAt, textAt, textLike } from "./texts.js";
// The kinds of records, as in `records.rs`.
const OPEN = 0;
const DELTA = 1;
const DONE = 2;
const TEXT = 3;
const REASONING = 4;
const CHANNEL = 5;
const DOCUMENT = 6;
const KEY = 7;
const INDEX = 8;
const LINE = 9;
const FINAL = 10;
const CALLS = 11;
const ERROR = 12;
const WORDS = 5;
const KNOWN = 1 << 4;
const WHOLE = 1 << 12;
const NO_DEPTH = 0xffffffff;
// From this length on, all texts of a call are decoded at once.
const LONG = 256;
/** Decodes the records of one stream. */
export class Decoder {
    mirror = new Mirror();
    answer;
    #document;
    #channel = "text";
    #key = "";
    #validate;
    constructor(validate) {
        this.#validate = validate;
    }
    /**
     * The events of the last result of the module, which is that of this chunk if it is text. Throws the error that
     * stopped the stream, with the events before it.
     */
    take(engine, chunk) {
        engine.refresh();
        const { words, bytes, place } = engine;
        const first = words[place] >>> 2;
        const last = first + words[place + 1];
        const begin = words[place + 2];
        const length = words[place + 3];
        // Where every unit is a byte, the places of bytes are those of units.
        const all = length >= LONG ? textAt(bytes, begin, begin + length) : undefined;
        const isAscii = all?.length === length;
        let events = [];
        let from = 0;
        for (let at = first; at < last; at += WORDS) {
            const head = words[at];
            const number = words[at + 1];
            const to = from + words[at + 2];
            let text;
            if (from === to)
                text = "";
            else if (isAscii)
                text = all.slice(from, to);
            else if ((head & 15) === KEY)
                text = nameAt(bytes, begin + from, begin + to);
            else
                text = textLike(chunk, bytes, begin + from, begin + to);
            from = to;
            const start = words[at + 3];
            const end = words[at + 4];
            switch (head & 15) {
                case OPEN:
                case DELTA:
                case DONE:
                    events = and(events, this.#patch(head, number, text, start, end));
                    break;
                case KEY:
                    this.#step(head, number, text);
                    break;
                case INDEX:
                    this.#step(head, number, start);
                    break;
                case TEXT:
                    events = and(events, new TextEvent(this.#channel, text, number, [start, end]));
                    break;
                case REASONING:
                    events = and(events, new ReasoningEvent(text, number, [start, end]));
                    break;
                case CHANNEL:
                    this.#channel = text;
                    break;
                case DOCUMENT:
                    this.#document = this.mirror.document(number, text === "" ? {} : JSON.parse(text));
                    break;
                case LINE:
                    events = and(events, this.#line(JSON.parse(text), number));
                    break;
                case FINAL:
                    events = and(events, this.#final(text, number, start));
                    break;
                case CALLS:
                    this.answer?.take(JSON.parse(text));
                    break;
                case ERROR:
                    throw stopped(JSON.parse(text), events);
            }
        }
        return events;
    }
    #step(head, depth, key) {
        this.#key = key;
        if ((head & KNOWN) !== 0)
            this.#document.turn(depth, key);
    }
    #patch(head, depth, text, start, end) {
        const document = this.#document;
        let field;
        switch (head & 15) {
            case OPEN:
                field = document.open(depth, this.#key, emptyOf(head));
                break;
            case DELTA:
                field = document.line[depth];
                document.grow(field, text);
                break;
            default: {
                const kind = (head >> 4) & 15;
                if (kind < 4)
                    document.open(depth, this.#key, scalarOf(kind, text));
                else if ((head & WHOLE) !== 0)
                    document.put(depth, text);
                field = document.complete(depth);
                text = "";
            }
        }
        return new Patch(head & 15, field, text, head, start, end);
    }
    #line(wire, depth) {
        if (depth === NO_DEPTH)
            return otherEvent(wire);
        const document = this.#document;
        document.apply(wire, depth);
        const [start, end] = wire.span;
        return new Patch(0, document.line[0], wire.delta ?? "", 0, start, end, wire);
    }
    #final(line, start, length) {
        const wire = JSON.parse(line);
        const json = line.slice(start, start + length);
        this.answer = new Answer(wire, json, this.#validate);
        return new FinalEvent(this.answer, wire);
    }
}
/** Most chunks have one event: a list that is made with it has no room for more. */
function and(events, event) {
    if (events.length === 0)
        return [event];
    events.push(event);
    return events;
}
function emptyOf(head) {
    const kind = (head >> 4) & 15;
    return kind === 4 ? "" : kind === 5 ? [] : {};
}
function scalarOf(kind, text) {
    if (kind === 3)
        return Number(text);
    return kind === 0 ? null : kind === 2;
}
function stopped({ code, message, offset }, events) {
    return new StreamError(code, message, offset, events);
}
