// Schemas of valibot as JSON Schema: valibot itself gives none. What JSON Schema cannot say is left to the validator.
const MAY_BE_MISSING = new Set(["optional", "exact_optional", "nullish", "undefinedable"]);
/** A schema of valibot as JSON Schema. */
export function ofValibot(schema) {
    const { type } = schema;
    switch (type) {
        case "string":
        case "boolean":
        case "null":
            return { type };
        case "number":
            return { type: schema.pipe?.some((step) => step.type === "integer" || step.type === "safe_integer") ? "integer" : "number" };
        case "literal":
            return { enum: [schema.literal] };
        case "picklist":
        case "enum":
            return { enum: schema.options };
        case "array":
            return { type: "array", items: ofValibot(schema.item) };
        case "tuple":
        case "strict_tuple":
        case "loose_tuple":
            return { type: "array", prefixItems: schema.items.map(ofValibot) };
        case "object":
        case "strict_object":
        case "loose_object":
            return ofObject(schema);
        case "record":
            return { type: "object", additionalProperties: ofValibot(schema.value) };
        case "union":
        case "variant":
            return { anyOf: schema.options.map(ofValibot) };
        case "nullable":
        case "nullish":
            return { anyOf: [ofValibot(schema.wrapped), { type: "null" }] };
        default:
            return schema.wrapped ? ofValibot(schema.wrapped) : {};
    }
}
function ofObject({ type, entries = {} }) {
    const names = Object.keys(entries);
    return {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, ofValibot(entries[name])])),
        required: names.filter((name) => !MAY_BE_MISSING.has(entries[name].type)),
        ...(type === "strict_object" && { additionalProperties: false }),
    };
}
