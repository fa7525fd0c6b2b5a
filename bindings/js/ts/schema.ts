// Schemas: JSON Schema, a text, or what libraries for schemas make.

import type { Issue } from "./errors.js";
import { ofValibot } from "./valibot.js";

/** The part of the Standard Schema interface that is used: zod, valibot, arktype and others have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: JsonSchemaOptions) => object } | undefined;
  };
}

interface JsonSchemaOptions {
  readonly target: string;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** What a validator says. */
export type Result<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

export type Validate = (value: unknown) => Result<unknown> | Promise<Result<unknown>>;

/** What `jsonSchema()` and `zodSchema()` of the package `ai` make. */
export interface AiSchema<T = unknown> {
  readonly jsonSchema: object | PromiseLike<object>;
  readonly _type: T;
  readonly validate?: ((value: unknown) => AiResult<T> | PromiseLike<AiResult<T>>) | undefined;
}

type AiResult<T> = { success: true; value: T } | { success: false; error: Error };

/** A schema: Standard Schema, one of the package `ai`, JSON Schema or the output DSL, or the text of one. */
export type AnySchema = StandardSchema | AiSchema | string | object;

/** The type that a schema describes; `unknown` where it has none. */
export type TypeOf<S> =
  S extends StandardSchema<infer _, infer Output> ? (unknown extends Output ? OutputOf<S> : Output)
  : S extends { readonly jsonSchema: unknown; readonly _type: infer T } ? T
  : unknown;

type OutputOf<S> = S extends { readonly "~standard": { readonly types?: infer T } } ? NonNullable<T> extends { readonly output: infer O } ? O : unknown : unknown;

/** What the engine gets, and what judges the value. */
export interface ReadSchema {
  readonly json: unknown;
  readonly validate: Validate | undefined;
}

const isObject = (value: unknown): value is Record<PropertyKey, unknown> =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Takes a schema apart. */
export function readSchema(schema: AnySchema | undefined): ReadSchema {
  if (!isObject(schema)) return { json: schema, validate: undefined };
  if ("~standard" in schema) return ofStandard(schema as unknown as StandardSchema);
  if ("jsonSchema" in schema && isObject(schema.jsonSchema) && !("then" in schema.jsonSchema)) {
    return ofAi(schema as unknown as AiSchema);
  }
  return { json: schema, validate: undefined };
}

function ofStandard(schema: StandardSchema): ReadSchema {
  const standard = schema["~standard"];
  return { json: jsonOf(schema, standard), validate: (value) => standard.validate(value) };
}

/** The JSON Schema of a schema; `undefined` if it gives none. Then the validator judges alone, and nothing is known of the fields. */
function jsonOf(schema: StandardSchema, { jsonSchema, vendor }: StandardSchema["~standard"]): unknown {
  try {
    // zod is told to leave out what JSON Schema cannot say, such as a date: the validator judges it.
    if (jsonSchema) return jsonSchema.input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } });
    return vendor === "valibot" ? ofValibot(schema as unknown as Parameters<typeof ofValibot>[0]) : undefined;
  } catch {
    return undefined;
  }
}

function ofAi({ jsonSchema, validate }: AiSchema): ReadSchema {
  if (!validate) return { json: jsonSchema, validate: undefined };
  return {
    json: jsonSchema,
    validate: async (value) => {
      const result = await validate(value);
      return result.success ? { value: result.value } : { issues: [{ message: result.error.message }] };
    },
  };
}
