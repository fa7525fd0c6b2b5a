//! The keywords of JSON Schema, by what they hold.

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// A schema for the same value.
    Same,
    /// Schemas for the same value, in a list or by names.
    SameEach,
    /// A schema for other values, or a list of such.
    Other,
    /// Schemas for other values, or only definitions, by names.
    OtherEach,
    /// A reference to a schema for the same value.
    Reference,
    /// Something else that is checked.
    Rule,
    /// Nothing that restricts values.
    Nothing,
}

/// What a keyword holds; none if no draft has it.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "not" | "if" | "then" | "else" => Holds::Same,
        "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => Holds::SameEach,
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "items"
        | "prefixItems"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Holds::Other,
        "$defs" | "definitions" | "patternProperties" | "properties" => Holds::OtherEach,
        "$ref" | "$dynamicRef" | "$recursiveRef" => Holds::Reference,
        "type" | "enum" | "const" | "multipleOf" | "maximum" | "exclusiveMaximum" | "minimum"
        | "exclusiveMinimum" | "maxLength" | "minLength" | "pattern" | "maxItems" | "minItems"
        | "uniqueItems" | "maxContains" | "minContains" | "maxProperties" | "minProperties"
        | "required" | "dependentRequired" | "format" | "nullable" => Holds::Rule,
        "$id" | "id" | "$schema" | "$anchor" | "$dynamicAnchor" | "$recursiveAnchor"
        | "$vocabulary" | "$comment" | "title" | "description" | "default" | "examples"
        | "example" | "deprecated" | "readOnly" | "writeOnly" | "contentEncoding"
        | "contentMediaType" | "discriminator" => Holds::Nothing,
        _ => return None,
    })
}
