// The result of a stream.
import { CutError, InvalidError, NoValueError } from "./errors.js";
import { named, noticeOf } from "./events.js";
import { get, stepsOf } from "./mirror.js";
/** The result of a stream: its value, text, reasoning, calls and notices. Reading it never parses again. */
export class Answer {
    /** How the answer ended. */
    outcome;
    /** The value as it is written, not validated; `null` if there is none. */
    value;
    /** The value as JSON, with every digit of its numbers. */
    json;
    /** The text of the answer without reasoning, outside payloads. */
    text;
    reasoning;
    /** What was skipped, repaired or guessed. */
    notices;
    /** The number of notices, those past the limit included. */
    noticeCount;
    /** The rules that the value breaks. */
    failures;
    #calls = [];
    #refusal;
    #validate;
    #hasValue;
    /** @internal */
    constructor(wire, json, validate) {
        const notices = wire.notices;
        this.outcome = wire.outcome;
        this.value = wire.value;
        this.json = json;
        this.text = wire.text;
        this.reasoning = wire.reasoning;
        this.notices = notices.map(noticeOf);
        this.noticeCount = wire.notice_count ?? notices.length;
        this.failures = (wire.failures ?? []).map((one) => named(one));
        // A value that is null is complete, repaired or cut; without a value the outcome is another one.
        this.#hasValue = this.value !== null || ["complete", "repaired", "truncated"].includes(this.outcome);
        this.#validate = validate;
    }
    /** The tool calls that the model wrote as text. */
    get calls() {
        return this.#calls;
    }
    /** What the model said where it refused, in the words of the provider; `undefined` if it did not. */
    get refusal() {
        return this.#refusal;
    }
    /** @internal Whether there is a value, `null` included. */
    get hasValue() {
        return this.#hasValue;
    }
    /** @internal */
    take(calls) {
        this.#calls = calls;
    }
    /** @internal */
    refuse(refusal) {
        this.#refusal = refusal;
    }
    /** The path at which the answer was cut; `undefined` if it was not. */
    get cutAt() {
        if (this.outcome !== "truncated")
            return undefined;
        return this.notices.findLast(({ code }) => code === "truncated")?.path ?? "";
    }
    /** Whether the value at a path is not whole because the answer was cut. */
    isCutAt(path) {
        const cut = this.cutAt;
        if (cut === undefined || !cut.startsWith(path))
            return false;
        return path === "" || cut.length === path.length || ".[".includes(cut[path.length]);
    }
    /** The value at a path; `undefined` if there is none. */
    at(path) {
        const steps = stepsOf(path);
        return steps?.reduce((value, step) => get(value, step), this.value);
    }
    /**
     * The value, validated by the schema. Rejects with a `CutError` if the answer was cut, with a `NoValueError` if the
     * model wrote no value, and with an `InvalidError` if the value does not fit the schema, or breaks a rule such as `ensure`.
     */
    async data({ partial = false } = {}) {
        if (!this.#hasValue)
            throw new NoValueError(this);
        const isCut = this.outcome === "truncated";
        if (isCut && !partial)
            throw new CutError(this.cutAt, this.value, this);
        if (isCut)
            return this.value;
        const result = this.#validate ? await this.#validate(this.value) : { value: this.value };
        // The validator knows more, so its issues come first.
        const issues = result.issues ?? this.failures.map(issueOf);
        if (result.issues || issues.length > 0)
            throw new InvalidError(issues, this.value);
        return result.value;
    }
}
function issueOf({ message, path }) {
    const steps = path === undefined ? undefined : stepsOf(path);
    return { message, ...(steps && { path: steps }) };
}
