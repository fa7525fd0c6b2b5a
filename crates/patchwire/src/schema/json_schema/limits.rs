//! What a schema says about a value beside its type, in the words that prompts show.

use crate::document::{ValueKind, ValueRef};

/// The limits of a schema, such as `1 to 5, default 3`; none if it has none.
pub(super) fn read(schema: ValueRef<'_>) -> Option<Box<str>> {
    if schema.kind() != ValueKind::Object {
        return None;
    }
    let mut said = Vec::new();
    said.extend(schema.get("format").and_then(|it| it.as_str()).map(str::to_owned));
    said.extend(range(schema, ["minimum", "maximum"], ""));
    said.extend(bound(schema, "exclusiveMinimum", "above"));
    said.extend(bound(schema, "exclusiveMaximum", "below"));
    said.extend(bound(schema, "multipleOf", "a multiple of"));
    said.extend(range(schema, ["minLength", "maxLength"], " characters"));
    said.extend(range(schema, ["minItems", "maxItems"], " items"));
    said.extend(range(schema, ["minProperties", "maxProperties"], " members"));
    if schema.get("uniqueItems").and_then(|it| it.as_bool()) == Some(true) {
        said.push("no item twice".to_owned());
    }
    let pattern = schema.get("pattern").and_then(|it| it.as_str());
    said.extend(pattern.map(|it| format!("matching {it}")));
    said.extend(schema.get("prefixItems").and_then(tuple));
    said.extend(compound(schema));
    let default = schema.get("default");
    said.extend(default.map(|it| format!("default {it}")));
    (!said.is_empty()).then(|| said.join(", ").into())
}

/// `1 to 5`, `at least 1` or `at most 5`, with what is counted.
fn range(schema: ValueRef<'_>, [from, to]: [&str; 2], of: &str) -> Option<String> {
    Some(match (number(schema, from), number(schema, to)) {
        (Some(from), Some(to)) if from == to => format!("exactly {from}{of}"),
        (Some(from), Some(to)) => format!("{from} to {to}{of}"),
        (Some(from), None) => format!("at least {from}{of}"),
        (None, Some(to)) => format!("at most {to}{of}"),
        (None, None) => return None,
    })
}

fn bound(schema: ValueRef<'_>, keyword: &str, word: &str) -> Option<String> {
    number(schema, keyword).map(|number| format!("{word} {number}"))
}

fn number<'v>(schema: ValueRef<'v>, keyword: &str) -> Option<&'v str> {
    schema.get(keyword)?.number_text()
}

/// The types of a tuple's items, as far as each names one.
fn tuple(items: ValueRef<'_>) -> Option<String> {
    let types: Vec<String> = items.entries().map(|(_, item)| type_name(item)).collect();
    (!types.is_empty()).then(|| format!("in this order: {}", types.join("; ")))
}

fn type_name(item: ValueRef<'_>) -> String {
    let words = |keyword| item.get(keyword).and_then(|it: ValueRef<'_>| it.as_str());
    let name = match (words("type"), item.get("const"), item.get("enum")) {
        (_, Some(value), _) => value.to_string(),
        (_, None, Some(values)) => format!("one of {values}"),
        (Some(name), None, None) => name.to_owned(),
        (None, None, None) => "any".to_owned(),
    };
    match words("description") {
        Some(description) => format!("{name} ({description})"),
        None => name,
    }
}

/// The values of a `const` or `enum` with lists or objects: the tree of types has no place for them.
fn compound(schema: ValueRef<'_>) -> Option<String> {
    let is_compound =
        |value: ValueRef<'_>| matches!(value.kind(), ValueKind::List | ValueKind::Object);
    if let Some(value) = schema.get("const") {
        return is_compound(value).then(|| format!("exactly {value}"));
    }
    let values = schema.get("enum")?;
    let some = values.entries().any(|(_, value)| is_compound(value));
    some.then(|| format!("one of {values}"))
}
