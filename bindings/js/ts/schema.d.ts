import type { Issue } from "./errors.js";
/** The part of the Standard Schema interface that is used: zod, valibot, arktype and others have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
        readonly types?: {
            readonly input: Input;
            readonly output: Output;
        } | undefined;
        readonly jsonSchema?: {
            readonly input: (options: JsonSchemaOptions) => object;
        } | undefined;
    };
}
interface JsonSchemaOptions {
    readonly target: string;
    readonly libraryOptions?: Record<string, unknown> | undefined;
}
/** What a validator says. */
export type Result<T> = {
    readonly value: T;
    readonly issues?: undefined;
} | {
    readonly issues: readonly Issue[];
};
export type Validate = (value: unknown) => Result<unknown> | Promise<Result<unknown>>;
/** What `jsonSchema()` and `zodSchema()` of the package `ai` make. */
export interface AiSchema<T = unknown> {
    readonly jsonSchema: object | PromiseLike<object>;
    readonly _type: T;
    readonly validate?: ((value: unknown) => AiResult<T> | PromiseLike<AiResult<T>>) | undefined;
}
type AiResult<T> = {
    success: true;
    value: T;
} | {
    success: false;
    error: Error;
};
/** A schema: Standard Schema, one of the package `ai`, JSON Schema or the output DSL, or the text of one. */
export type AnySchema = StandardSchema | AiSchema | string | object;
/** The type that a schema describes; `unknown` where it has none. */
export type TypeOf<S> = S extends StandardSchema<infer _, infer Output> ? (unknown extends Output ? OutputOf<S> : Output) : S extends {
    readonly jsonSchema: unknown;
    readonly _type: infer T;
} ? T : unknown;
type OutputOf<S> = S extends {
    readonly "~standard": {
        readonly types?: infer T;
    };
} ? NonNullable<T> extends {
    readonly output: infer O;
} ? O : unknown : unknown;
/** What the engine gets, and what judges the value. */
export interface ReadSchema {
    readonly json: unknown;
    readonly validate: Validate | undefined;
}
/** Takes a schema apart. */
export declare function readSchema(schema: AnySchema | undefined): ReadSchema;
export {};
