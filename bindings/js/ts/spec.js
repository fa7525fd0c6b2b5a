// The settings of a reader.
import { whenCollected } from "./collect.js";
import { engine, guarded } from "./engine.js";
import { OptionError, PathError } from "./errors.js";
import { readSchema } from "./schema.js";
/** The spec of those who say nothing. */
let standard;
const OPTIONS = new Set([
    ...["schema", "schemaForm", "format", "tags", "startIn", "strictness", "roots", "view", "rootTag", "documentName"],
    ...["ensure", "exact", "valid", "forbid", "limits", "tools"],
]);
/** Settings, compiled once. Pass it in place of options to read many answers. */
export class Spec {
    /** @internal */
    validate;
    /** @internal The schemas of the arguments of tools. */
    tools;
    /** Whether there is a schema of which the engine knows nothing. */
    #isOpaque;
    #json;
    #numbers = new WeakMap();
    constructor(options = {}) {
        const { schema, tools, ...rest } = known(options);
        const { json, validate } = readSchema(schema);
        this.validate = validate;
        this.tools = tools;
        this.#isOpaque = schema !== undefined && json === undefined;
        const read = tools && Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, readSchema(tool).json]));
        try {
            this.#json = JSON.stringify({ ...rest, schema: json, tools: read });
        }
        catch (error) {
            throw new OptionError("", "the options cannot be written as JSON", { cause: error });
        }
    }
    /** The spec of options, or the one that was passed. */
    static of(options) {
        if (options === undefined)
            return (standard ??= new Spec());
        return options instanceof Spec ? options : new Spec(options);
    }
    /** @internal The number of the spec in an instance of the module. */
    in(engine) {
        const known = this.#numbers.get(engine);
        if (known !== undefined)
            return known;
        const number = guarded(engine, () => engine.exports.spec(engine.write(this.#json)));
        if (number === 0) {
            const { option, message } = JSON.parse(engine.text());
            throw new OptionError(option, message);
        }
        this.#numbers.set(engine, number);
        freed.register(this, { engine, number });
        return number;
    }
    /** The instructions that make a model write what this spec reads. */
    get prompt() {
        return this.#prompt()[0];
    }
    /** The form of the answer with a placeholder for each value. */
    get skeleton() {
        return this.#prompt()[1];
    }
    #prompt() {
        if (this.#isOpaque)
            throw new OptionError("schema", "a prompt is made of JSON Schema, which this schema does not give; pass its JSON Schema");
        const own = engine();
        const number = this.in(own);
        guarded(own, () => own.exports.prompt(number));
        return JSON.parse(own.text());
    }
    /** The schema as JSON Schema; `undefined` without one. */
    get jsonSchema() {
        const own = engine();
        const number = this.in(own);
        return guarded(own, () => own.exports.json_schema(number)) === 0 ? undefined : JSON.parse(own.text());
    }
    /** @internal Throws if the path cannot be read, or the schema does not have it. */
    locate(path) {
        const own = engine();
        const number = this.in(own);
        if (guarded(own, () => own.exports.locate(number, own.write(path))) === 0)
            throw new PathError(path, own.text());
    }
}
const freed = whenCollected(({ engine, number }) => {
    engine.exports.free_spec(number);
});
function known(options) {
    if (typeof options !== "object" || options === null)
        throw new OptionError("", "options have to be an object");
    for (const name of Object.keys(options)) {
        if (!OPTIONS.has(name))
            throw new OptionError("", `there is no option \`${name}\`; there are ${[...OPTIONS].join(", ")}`);
    }
    return options;
}
