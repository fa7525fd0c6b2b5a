// The settings of a reader.

import { whenCollected } from "./collect.js";
import { type Engine, engine, guarded } from "./engine.js";
import { OptionError, PathError } from "./errors.js";
import { type AnySchema, type TypeOf, type Validate, readSchema } from "./schema.js";

/** The formats that an answer can have. */
export type Format = "json" | "xml_field" | "hybrid" | "markdown" | "yaml_literal" | "text" | "auto";

/** What is expected, and how it is read. */
export interface SpecOptions<S extends AnySchema = AnySchema> {
  /** The shape of the value: zod, valibot, arktype, JSON Schema, or an example of the value. */
  readonly schema?: S | undefined;
  /** The language of the schema, where the guess is wrong. */
  readonly schemaForm?: "json_schema" | "output_dsl";
  /** The format of the answer. Default: `json`; `text` if the tags say what the answer is and there is no schema. */
  readonly format?: Format | undefined;
  /** The tags to look for: names of sets, a set of your own, or `none`. Default: `think`. */
  readonly tags?: string | readonly string[] | object | undefined;
  /** The tag whose opener ended the prompt. */
  readonly startIn?: string;
  /** How much is forgiven. */
  readonly strictness?: "lenient" | "strict";
  /** Which value is the answer, if there are several. */
  readonly roots?: "best" | "first_fit" | "first" | "last" | "concatenated";
  /** Which element is the answer, if several hold it. */
  readonly view?: "concat" | "first" | "last" | "first_closed_else_last";
  /** The name of the tag around the fields of `xml_field`. */
  readonly rootTag?: string;
  /** The name in the markers around a `yaml_literal` document. */
  readonly documentName?: string;
  /** Paths that have to exist and hold content. */
  readonly ensure?: readonly string[];
  /** Accepts only values of the schema's exact shape. */
  readonly exact?: boolean;
  /** Accepts only values whose types and members fit the schema. */
  readonly valid?: boolean;
  /** Slips that are not forgiven. */
  readonly forbid?: readonly string[];
  /** Bounds of the stream, such as `{ depth: 32 }`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** The schemas of the arguments of tools, by their names. */
  readonly tools?: Readonly<Record<string, AnySchema>>;
}

/** The spec of those who say nothing. */
let standard: Spec | undefined;

const OPTIONS = new Set([
  ...["schema", "schemaForm", "format", "tags", "startIn", "strictness", "roots", "view", "rootTag", "documentName"],
  ...["ensure", "exact", "valid", "forbid", "limits", "tools"],
]);

/** Settings, compiled once. Pass it in place of options to read many answers. */
export class Spec<T = unknown> {
  /** What the schema describes: a type alone. */
  declare readonly type: T;
  /** @internal */
  readonly validate: Validate | undefined;
  /** @internal The schemas of the arguments of tools. */
  readonly tools: SpecOptions["tools"];
  /** Whether there is a schema of which the engine knows nothing. */
  readonly #isOpaque: boolean;
  readonly #json: string;
  readonly #numbers = new WeakMap<Engine, number>();

  constructor(options: SpecOptions = {}) {
    const { schema, tools, ...rest } = known(options);
    const { json, validate } = readSchema(schema);
    this.validate = validate;
    this.tools = tools;
    this.#isOpaque = schema !== undefined && json === undefined;
    const read = tools && Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, readSchema(tool).json]));
    try {
      this.#json = JSON.stringify({ ...rest, schema: json, tools: read });
    } catch (error) {
      throw new OptionError("", "the options cannot be written as JSON", { cause: error });
    }
  }

  /** The spec of options, or the one that was passed. */
  static of<S extends AnySchema>(options: SpecOptions<S> | Spec<TypeOf<S>> | undefined): Spec<TypeOf<S>> {
    if (options === undefined) return (standard ??= new Spec()) as Spec<TypeOf<S>>;
    return options instanceof Spec ? options : new Spec(options);
  }

  /** @internal The number of the spec in an instance of the module. */
  in(engine: Engine): number {
    const known = this.#numbers.get(engine);
    if (known !== undefined) return known;
    const number = guarded(engine, () => engine.exports.spec(engine.write(this.#json)));
    if (number === 0) {
      const { option, message } = JSON.parse(engine.text()) as { option: string; message: string };
      throw new OptionError(option, message);
    }
    this.#numbers.set(engine, number);
    freed.register(this, { engine, number });
    return number;
  }

  /** The instructions that make a model write what this spec reads. */
  get prompt(): string {
    return this.#prompt()[0];
  }

  /** The form of the answer with a placeholder for each value. */
  get skeleton(): string {
    return this.#prompt()[1];
  }

  #prompt(): [string, string] {
    if (this.#isOpaque) throw new OptionError("schema", "a prompt is made of JSON Schema, which this schema does not give; pass its JSON Schema");
    const own = engine();
    const number = this.in(own);
    guarded(own, () => own.exports.prompt(number));
    return JSON.parse(own.text()) as [string, string];
  }

  /** The schema as JSON Schema; `undefined` without one. */
  get jsonSchema(): object | undefined {
    const own = engine();
    const number = this.in(own);
    return guarded(own, () => own.exports.json_schema(number)) === 0 ? undefined : (JSON.parse(own.text()) as object);
  }

  /** @internal Throws if the path cannot be read, or the schema does not have it. */
  locate(path: string): void {
    const own = engine();
    const number = this.in(own);
    if (guarded(own, () => own.exports.locate(number, own.write(path))) === 0) throw new PathError(path, own.text());
  }
}

const freed = whenCollected<{ engine: Engine; number: number }>(({ engine, number }) => {
  engine.exports.free_spec(number);
});

function known(options: SpecOptions): SpecOptions {
  if (typeof options !== "object" || options === null) throw new OptionError("", "options have to be an object");
  for (const name of Object.keys(options)) {
    if (!OPTIONS.has(name)) throw new OptionError("", `there is no option \`${name}\`; there are ${[...OPTIONS].join(", ")}`);
  }
  return options;
}
