import { type AnySchema, type TypeOf } from "./schema.js";
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
/** Settings, compiled once. Pass it in place of options to read many answers. */
export declare class Spec<T = unknown> {
    #private;
    /** What the schema describes: a type alone. */
    readonly type: T;
    constructor(options?: SpecOptions);
    /** The spec of options, or the one that was passed. */
    static of<S extends AnySchema>(options: SpecOptions<S> | Spec<TypeOf<S>> | undefined): Spec<TypeOf<S>>;
    /** The instructions that make a model write what this spec reads. */
    get prompt(): string;
    /** The form of the answer with a placeholder for each value. */
    get skeleton(): string;
    /** The schema as JSON Schema; `undefined` without one. */
    get jsonSchema(): object | undefined;
}
