//! What a schema says about a value beside its type, in the words that prompts show.

use std::collections::HashSet;
use std::sync::Arc;

use crate::document::{ValueKind, ValueRef};

/// The limits of a schema, such as `1 to 5, default 3`; none if it has none.
pub(super) fn read(schema: ValueRef<'_>) -> Option<Arc<str>> {
    let mut said = own(schema);
    // What holds together is said together. References have their own limits.
    let parts = schema.get("allOf").into_iter().flat_map(ValueRef::entries);
    let mut known: HashSet<String> = said.iter().cloned().collect();
    for limit in parts.flat_map(|(_, part)| own(part)) {
        if known.insert(limit.clone()) {
            said.push(limit);
        }
    }
    (!said.is_empty()).then(|| said.join(", ").into())
}

/// What a schema says itself.
fn own(schema: ValueRef<'_>) -> Vec<String> {
    let mut said = Vec::new();
    if schema.kind() != ValueKind::Object {
        return said;
    }
    said.extend(schema.get("format").and_then(|it| it.as_str()).map(str::to_owned));
    said.extend(range(schema, ["minimum", "maximum"], ""));
    said.extend(bound(schema, "exclusiveMinimum", "above"));
    said.extend(bound(schema, "exclusiveMaximum", "below"));
    said.extend(bound(schema, "multipleOf", "a multiple of"));
    said.extend(range(schema, ["minLength", "maxLength"], "character"));
    said.extend(range(schema, ["minItems", "maxItems"], "item"));
    said.extend(range(schema, ["minProperties", "maxProperties"], "member"));
    if schema.get("uniqueItems").and_then(|it| it.as_bool()) == Some(true) {
        said.push("no item twice".to_owned());
    }
    let pattern = schema.get("pattern").and_then(|it| it.as_str());
    said.extend(pattern.map(|it| format!("matching {it}")));
    said.extend(compound(schema));
    said.extend(schema.get("contains").map(|it| format!("with an item that is {}", type_name(it))));
    said.extend(schema.get("not").and_then(exclusion));
    said.extend(names(schema));
    said.extend(dependencies(schema));
    said.extend(condition(schema));
    let default = schema.get("default");
    said.extend(default.map(|it| format!("default {it}")));
    said
}

/// `1 to 5`, `at least 1` or `at most 5`, with what is counted, if anything is.
fn range(schema: ValueRef<'_>, [from, to]: [&str; 2], noun: &str) -> Option<String> {
    let of = |number: &str| match (noun, number) {
        ("", _) => String::new(),
        (noun, "1") => format!(" {noun}"),
        (noun, _) => format!(" {noun}s"),
    };
    Some(match (number(schema, from), number(schema, to)) {
        (Some(from), Some(to)) if from == to => format!("exactly {from}{}", of(from)),
        (Some(from), Some(to)) => format!("{from} to {to}{}", of(to)),
        (Some(from), None) => format!("at least {from}{}", of(from)),
        (None, Some(to)) => format!("at most {to}{}", of(to)),
        (None, None) => return None,
    })
}

fn bound(schema: ValueRef<'_>, keyword: &str, word: &str) -> Option<String> {
    number(schema, keyword).map(|number| format!("{word} {number}"))
}

fn number<'v>(schema: ValueRef<'v>, keyword: &str) -> Option<&'v str> {
    schema.get(keyword)?.number_text()
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

/// What a value must not be, where a few words say it.
fn exclusion(schema: ValueRef<'_>) -> Option<String> {
    let says_more = schema.len() != 1;
    match (schema.get("const"), schema.get("enum"), schema.get("type")) {
        _ if says_more => None,
        (Some(value), _, _) => Some(format!("not {value}")),
        (_, Some(values), _) => Some(format!("none of {values}")),
        (_, _, Some(name)) => name.as_str().map(|name| format!("no {name}")),
        _ => None,
    }
}

/// The names that members may have.
fn names(schema: ValueRef<'_>) -> Vec<String> {
    let patterns = schema.get("patternProperties").into_iter().flat_map(ValueRef::entries);
    let mut said: Vec<String> = patterns
        .filter_map(|(name, member)| {
            Some(format!("names matching {}: {}", name?, type_name(member)))
        })
        .collect();
    let pattern = schema.get("propertyNames").and_then(|it| it.get("pattern")?.as_str());
    said.extend(pattern.map(|it| format!("all names matching {it}")));
    said
}

/// The members that others need.
fn dependencies(schema: ValueRef<'_>) -> Vec<String> {
    let all = schema.get("dependentRequired").into_iter().flat_map(ValueRef::entries);
    all.filter_map(|(name, needed)| {
        let needed: Vec<&str> = needed.entries().filter_map(|(_, it)| it.as_str()).collect();
        (!needed.is_empty())
            .then(|| format!("with {} also {}", name.unwrap_or_default(), needed.join(", ")))
    })
    .collect()
}

/// The longest condition that is shown, in bytes of JSON.
const LONGEST_CONDITION: usize = 160;

/// A condition as it is written. Words would say no more, and only short ones help.
fn condition(schema: ValueRef<'_>) -> Option<String> {
    let part = |keyword: &str| schema.get(keyword).map(|it| format!("{keyword} {it}"));
    let parts: Vec<String> = ["if", "then", "else"].into_iter().filter_map(part).collect();
    let said = parts.join(" ");
    (schema.get("if").is_some() && parts.len() > 1 && said.len() <= LONGEST_CONDITION)
        .then_some(said)
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
