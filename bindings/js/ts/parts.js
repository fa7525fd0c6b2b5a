// Parts of an answer while it grows. A part catches up with what was read before, takes events, and knows at the end
// whether it is whole.
import { CutError, PathError, PatchwireError } from "./errors.js";
import { step, stepsOf } from "./mirror.js";
import { Queue } from "./queue.js";
import { at } from "./remote.js";
/** A path as it is printed, and whether patches are of it. */
export class Place {
    path;
    #steps;
    #isPattern;
    constructor(path) {
        const steps = typeof path === "string" ? stepsOf(path) : undefined;
        if (!steps)
            throw new PathError(path, `the path \`${path}\` cannot be read; write it like \`rows[0].name\``);
        this.#steps = steps;
        this.#isPattern = steps.includes("*");
        this.path = this.#isPattern ? path : steps.map((key, at) => step(key, at === 0)).join("");
    }
    is(path) {
        if (!this.#isPattern)
            return path === this.path;
        const steps = stepsOf(path);
        return steps?.length === this.#steps.length && this.#steps.every((key, at) => key === "*" || key === steps[at]);
    }
    /** The index or name of an item of this place, if the path is of one. */
    itemOf(path) {
        if (!this.#isPattern && !path.startsWith(this.path))
            return undefined;
        const steps = stepsOf(path);
        if (steps?.length !== this.#steps.length + 1)
            return undefined;
        return this.#steps.every((key, at) => key === "*" || key === steps[at]) ? steps.at(-1) : undefined;
    }
    /** Whether a change at the path changes the value of this place. */
    concerns(path) {
        if (this.#isPattern)
            return true;
        return isWithin(path, this.path) || isWithin(this.path, path);
    }
    /** The first place in a value that has this path. */
    find(value) {
        const search = (inside, left, path) => {
            if (inside === undefined)
                return undefined;
            const [first, ...rest] = left;
            if (first === undefined)
                return { path, value: inside };
            if (typeof inside !== "object" || inside === null)
                return undefined;
            const keys = first !== "*" ? [first] : Array.isArray(inside) ? [...inside.keys()] : Object.keys(inside);
            for (const key of keys) {
                const below = at(inside, step(key, true));
                const found = search(below, rest, path + step(key, path === ""));
                if (found)
                    return found;
            }
            return undefined;
        };
        return search(value, this.#steps, "");
    }
    /** An error for a place that the answer does not have. */
    missing(value) {
        const above = this.#steps.slice(0, -1).map((key, at) => step(key, at === 0)).join("");
        const beside = at(value, above);
        const names = typeof beside === "object" && beside !== null && !Array.isArray(beside) ? Object.keys(beside).slice(0, 8) : [];
        const has = names.length > 0 ? `; it has ${names.map((name) => `\`${name}\``).join(", ")}` : "";
        return new PathError(this.path, `the answer has no \`${this.path}\`${has}`);
    }
}
function isWithin(path, above) {
    if (!path.startsWith(above))
        return false;
    return above === "" || path.length === above.length || ".[".includes(path[above.length]);
}
const isOfAnswer = (event) => event.type === "patch" && event.document === 0;
class Base {
    isClosed = false;
    error;
    place;
    reading;
    constructor(place, reading) {
        this.place = place;
        this.reading = reading;
    }
    take(event) {
        if (!this.isClosed && isOfAnswer(event))
            this.patch(event);
    }
    end(answer) {
        if (this.isClosed)
            return;
        if (answer)
            this.conclude(answer);
        this.isClosed = true;
    }
    fail(error) {
        this.error = error;
        this.isClosed = true;
    }
}
/** One field, when it is complete. */
export class Get extends Base {
    #value;
    constructor(place, reading) {
        super(place, reading);
        const found = place.find(reading.live);
        if (found && !reading.isOpen(found.path))
            this.#close(found.value);
    }
    patch(patch) {
        // A value that ends with the input may be cut: the answer knows.
        if (patch.isComplete && patch.completion !== "end_of_input" && this.place.is(patch.path)) {
            const value = at(this.reading.live, patch.path);
            if (value !== undefined)
                this.#close(value);
        }
    }
    conclude(answer) {
        const found = this.place.find(answer.value);
        if (!found)
            this.fail(this.place.missing(answer.value));
        else if (answer.isCutAt(found.path))
            this.fail(new CutError(found.path, found.value));
        else
            this.#close(found.value);
    }
    #close(value) {
        this.#value = value;
        this.isClosed = true;
    }
    next() {
        const value = this.#value;
        this.#value = undefined;
        return value === undefined ? undefined : { value };
    }
}
/** The text of one field, delta by delta. */
export class Text extends Base {
    /** The field that is followed, once it has begun. */
    #path;
    #waiting = "";
    /** All text so far. */
    #text = "";
    constructor(place, reading) {
        super(place, reading);
        const found = place.find(reading.live);
        if (!found)
            return;
        this.#path = found.path;
        if (this.#refuses(found.value))
            return;
        this.#add(shown(found.value));
        this.isClosed = !reading.isOpen(found.path);
    }
    patch(patch) {
        if (this.#path === undefined ? !this.place.is(patch.path) : patch.path !== this.#path)
            return;
        this.#path = patch.path;
        if (patch.kind === "delta")
            return this.#add(patch.delta);
        if (patch.kind === "remove" || !patch.isComplete) {
            const value = patch.kind === "open" ? patch.value : undefined;
            if (value !== undefined)
                this.#refuses(value);
            return;
        }
        if (patch.completion === "end_of_input")
            return;
        this.#complete(at(this.reading.live, patch.path));
    }
    conclude(answer) {
        const found = this.place.find(answer.value);
        if (!found)
            return this.fail(this.place.missing(answer.value));
        this.#complete(found.value);
        if (!this.error && answer.isCutAt(found.path))
            this.fail(new CutError(found.path, found.value));
    }
    #complete(value) {
        if (value === undefined || this.#refuses(value))
            return;
        const text = shown(value);
        if (!text.startsWith(this.#text)) {
            return this.fail(new PatchwireError("revised", `the end of the answer changed \`${this.place.path}\`: read the answer's value instead`));
        }
        this.#add(text.slice(this.#text.length));
        this.isClosed = true;
    }
    #add(delta) {
        this.#waiting += delta;
        this.#text += delta;
    }
    #refuses(value) {
        if (typeof value !== "object" || value === null)
            return false;
        this.fail(new PathError(this.place.path, `\`${this.place.path}\` is ${Array.isArray(value) ? "a list" : "an object"} and no text; use \`values\``));
        return true;
    }
    next() {
        const value = this.#waiting;
        this.#waiting = "";
        return value === "" ? undefined : { value };
    }
}
const shown = (value) => (typeof value === "string" ? value : value === null ? "" : String(value));
/** Whether a patch changes the value: the ends of texts, lists and objects do not. */
function changes({ kind, value }) {
    return kind !== "done" || (typeof value !== "string" && (typeof value !== "object" || value === null) && value !== undefined);
}
/** The value of a field so far, whenever it grew. */
export class Values extends Base {
    #hasChanged = false;
    #last;
    constructor(place, reading) {
        super(place, reading);
        const found = place.find(reading.live);
        this.#hasChanged = found !== undefined;
        this.isClosed = found !== undefined && !reading.isOpen(found.path);
    }
    patch(patch) {
        if (!this.place.concerns(patch.path))
            return;
        this.#hasChanged ||= changes(patch);
        if (patch.isComplete && patch.completion !== "end_of_input" && this.place.path !== "" && this.place.is(patch.path))
            this.isClosed = true;
    }
    conclude(answer) {
        const found = answer.hasValue ? this.place.find(answer.value) : undefined;
        // The end may have taken another value for the answer.
        if (found)
            this.#hasChanged ||= JSON.stringify(found.value) !== JSON.stringify(this.#last);
        else if (this.#last === undefined && this.place.path !== "")
            return this.fail(this.place.missing(answer.value));
        const path = found?.path ?? this.place.path;
        if (answer.isCutAt(path))
            this.fail(new CutError(path, found?.value));
    }
    next() {
        if (!this.#hasChanged)
            return undefined;
        this.#hasChanged = false;
        const found = this.place.find(this.reading.snapshot());
        if (!found)
            return undefined;
        this.#last = found.value;
        return { value: found.value };
    }
}
/** The items of a list, or the members of a map, each when it is whole. */
export class Each extends Base {
    #waiting = new Queue();
    #given = new Set();
    constructor(place, reading) {
        super(place, reading);
        const found = place.find(reading.live);
        if (!found)
            return;
        this.#take(found, (path) => !reading.isOpen(path));
        this.isClosed = !place.path.includes("*") && !reading.isOpen(found.path);
        if (this.isClosed)
            this.#refuse(found.value);
    }
    patch(patch) {
        if (!patch.isComplete || patch.completion === "end_of_input")
            return;
        if (this.place.itemOf(patch.path) !== undefined) {
            const value = at(this.reading.live, patch.path);
            if (value !== undefined)
                this.#give(patch.path, value);
        }
        else if (!this.place.path.includes("*") && this.place.is(patch.path)) {
            this.isClosed = true;
            this.#refuse(at(this.reading.live, patch.path));
        }
    }
    conclude(answer) {
        const found = this.place.find(answer.value);
        if (!found)
            return this.fail(this.place.missing(answer.value));
        this.#refuse(found.value);
        if (this.error !== undefined)
            return;
        this.#take(found, (path) => !answer.isCutAt(path));
        if (answer.isCutAt(found.path))
            this.fail(new CutError(found.path, found.value));
    }
    #take({ path, value }, isWhole) {
        if (typeof value !== "object" || value === null)
            return;
        const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
        for (const [key, item] of entries) {
            const place = path + step(key, path === "");
            if (isWhole(place))
                this.#give(place, item);
        }
    }
    /** Fails if the value has no items. A list that is null has none either, and that is no mistake. */
    #refuse(value) {
        if (value === undefined || typeof value === "object")
            return;
        const { path } = this.place;
        this.fail(new PathError(path, `\`${path}\` is a ${typeof value} and has no items; use \`get\``));
    }
    #give(path, value) {
        if (this.#given.has(path))
            return;
        this.#given.add(path);
        this.#waiting.push(value);
    }
    next() {
        return this.#waiting.isEmpty ? undefined : { value: this.#waiting.take() };
    }
}
/** Every event from now on. */
export class All {
    isClosed = false;
    error = undefined;
    #waiting = new Queue();
    take(event) {
        this.#waiting.push(event);
    }
    end() {
        this.isClosed = true;
    }
    next() {
        return this.#waiting.isEmpty ? undefined : { value: this.#waiting.take() };
    }
}
/** The reasoning, delta by delta. */
export class Reasoning {
    isClosed = false;
    error = undefined;
    #waiting;
    constructor(before) {
        this.#waiting = before;
    }
    take(event) {
        if (event.type === "reasoning")
            this.#waiting += event.delta;
    }
    end() {
        this.isClosed = true;
    }
    next() {
        const value = this.#waiting;
        this.#waiting = "";
        return value === "" ? undefined : { value };
    }
}
