// Schemas: JSON Schema, a text, or what libraries for schemas make.
import { ofValibot } from "./valibot.js";
const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
/** Takes a schema apart. */
export function readSchema(schema) {
    if (!isObject(schema))
        return { json: schema, validate: undefined };
    if ("~standard" in schema)
        return ofStandard(schema);
    if ("jsonSchema" in schema && isObject(schema.jsonSchema) && !("then" in schema.jsonSchema)) {
        return ofAi(schema);
    }
    return { json: schema, validate: undefined };
}
function ofStandard(schema) {
    const standard = schema["~standard"];
    return { json: jsonOf(schema, standard), validate: (value) => standard.validate(value) };
}
/** The JSON Schema of a schema; `undefined` if it gives none. Then the validator judges alone, and nothing is known of the fields. */
function jsonOf(schema, { jsonSchema, vendor }) {
    try {
        // zod is told to leave out what JSON Schema cannot say, such as a date: the validator judges it.
        if (jsonSchema)
            return jsonSchema.input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } });
        return vendor === "valibot" ? ofValibot(schema) : undefined;
    }
    catch {
        return undefined;
    }
}
function ofAi({ jsonSchema, validate }) {
    if (!validate)
        return { json: jsonSchema, validate: undefined };
    return {
        json: jsonSchema,
        validate: async (value) => {
            const result = await validate(value);
            return result.success ? { value: result.value } : { issues: [{ message: result.error.message }] };
        },
    };
}
