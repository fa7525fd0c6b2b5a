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
    said.extend(direct(schema));
    said.extend(compound(schema));
    said.extend(contained(schema));
    said.extend(rest(schema));
    said.extend(schema.get("not").and_then(exclusion));
    said.extend(names(schema));
    said.extend(dependencies(schema));
    said.extend(needed_sets(schema, "anyOf", ""));
    said.extend(needed_sets(schema, "oneOf", "either "));
    said.extend(condition(schema));
    let default = schema.get("default");
    said.extend(default.map(|it| format!("default {it}")));
    said
}

/// What a schema says without other schemas in it.
fn direct(schema: ValueRef<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let words = |keyword| schema.get(keyword).and_then(|it: ValueRef<'_>| it.as_str());
    said.extend(words("format").filter(|name| !is_width(name)).map(str::to_owned));
    said.extend(words("contentMediaType").map(str::to_owned));
    said.extend(words("contentEncoding").map(|it| format!("in {it}")));
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
    said
}

/// Whether a format only names the type of a number in a program, as schemas made from types have it. A model knows the
/// bounds that stand beside it, and no widths.
fn is_width(format: &str) -> bool {
    let bits = format.trim_start_matches('u').strip_prefix("int");
    matches!(format, "float" | "double")
        || bits.is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What some items are: `with 2 to 3 items that are integer, at least 5`.
fn contained(schema: ValueRef<'_>) -> Option<String> {
    let what = described(schema.get("contains")?);
    let count = match (number(schema, "minContains"), number(schema, "maxContains")) {
        (None | Some("1"), None) => "an item".to_owned(),
        (Some("0"), None) => return None,
        (None, Some(to)) => format!("1 to {to} items"),
        _ => range(schema, ["minContains", "maxContains"], "item")?,
    };
    let verb = if count == "an item" || count.ends_with(" 1 item") { "is" } else { "are" };
    Some(match what.as_str() {
        "any" => format!("with {count}"),
        what => format!("with {count} that {verb} {what}"),
    })
}

/// The type of the items after those of `prefixItems`.
fn rest(schema: ValueRef<'_>) -> Option<String> {
    let (_, items) = schema.get("prefixItems").zip(schema.get("items"))?;
    let is_said = items.kind() == ValueKind::Object && !items.is_empty();
    is_said.then(|| format!("then items that are {}", described(items)))
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

/// A type in words, with its limits.
fn described(schema: ValueRef<'_>) -> String {
    if schema.kind() != ValueKind::Object {
        return "any".to_owned();
    }
    let name = type_name(schema);
    let mut said = direct(schema);
    if name != "any" || said.is_empty() {
        said.insert(0, name);
    }
    said.join(", ")
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

/// What a value must not be: in a few words, or as it is written if that is short.
fn exclusion(schema: ValueRef<'_>) -> Option<String> {
    let written = || {
        let text = schema.to_string();
        (text.len() <= LONGEST_CONDITION).then(|| format!("not {text}"))
    };
    match (schema.get("const"), schema.get("enum"), schema.get("type")) {
        _ if schema.len() != 1 => written(),
        (Some(value), _, _) => Some(format!("not {value}")),
        (_, Some(values), _) => Some(format!("none of {values}")),
        (_, _, Some(name)) if name.as_str().is_some() => {
            name.as_str().map(|name| format!("no {name}"))
        }
        _ => written(),
    }
}

/// The names that members may have.
fn names(schema: ValueRef<'_>) -> Vec<String> {
    let patterns = schema.get("patternProperties").into_iter().flat_map(ValueRef::entries);
    let mut said: Vec<String> = patterns
        .filter_map(|(name, member)| {
            Some(format!("names matching {}: {}", name?, described(member)))
        })
        .collect();
    let names = schema.get("propertyNames").filter(|it| it.kind() == ValueKind::Object);
    let mut all = names.map(direct).unwrap_or_default();
    let choices = names.and_then(|it| it.get("enum"));
    all.extend(choices.map(|it| format!("one of {it}")));
    if !all.is_empty() {
        said.push(format!("all names {}", all.join(", ")));
    }
    said
}

/// Members that require others, and the other rules that hold if a member exists.
fn dependencies(schema: ValueRef<'_>) -> Vec<String> {
    let listed = |needed: ValueRef<'_>| {
        let all: Vec<&str> = needed.entries().filter_map(|(_, it)| it.as_str()).collect();
        all.join(", ")
    };
    let members = |keyword| schema.get(keyword).into_iter().flat_map(ValueRef::entries);
    let mut said: Vec<String> = members("dependentRequired")
        .map(|(name, needed)| (name.unwrap_or_default(), listed(needed)))
        .filter(|(_, needed)| !needed.is_empty())
        .map(|(name, needed)| format!("with {name} also {needed}"))
        .collect();
    said.extend(members("dependentSchemas").filter_map(|(name, part)| {
        let name = name.unwrap_or_default();
        let needed = part.get("required").filter(|_| part.len() == 1).map(listed);
        let written = || Some(part.to_string()).filter(|it| it.len() <= LONGEST_CONDITION);
        let more = needed.map(|needed| format!("also {needed}")).or_else(written)?;
        Some(format!("with {name} {more}"))
    }));
    said
}

/// Alternatives that differ only in their required members: `mail or phone required`.
fn needed_sets(schema: ValueRef<'_>, keyword: &str, word: &str) -> Option<String> {
    let set = |part: ValueRef<'_>| {
        let names = part.get("required").filter(|_| part.len() == 1)?;
        let names: Vec<&str> = names.entries().filter_map(|(_, name)| name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    };
    let sets: Option<Vec<String>> = schema.get(keyword)?.entries().map(|(_, it)| set(it)).collect();
    let sets = sets.filter(|sets| sets.len() > 1)?;
    Some(format!("{word}{} required", sets.join(" or ")))
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

#[cfg(test)]
mod tests {
    use super::{LONGEST_CONDITION, dependencies, read};
    use crate::document::sample::document;

    #[test]
    fn what_holds_under_a_condition_is_said() {
        for (schema, want) in [
            (
                r#"{"if": {"minimum": 5}, "then": {"maximum": 9}, "minimum": 1}"#,
                "at least 1, if {\"minimum\":5} then {\"maximum\":9}",
            ),
            (r#"{"if": {"minimum": 5}, "minimum": 1}"#, "at least 1"),
        ] {
            assert_eq!(read(document(schema).value()).as_deref(), Some(want), "{schema}");
        }
    }

    #[test]
    fn a_condition_is_shown_up_to_160_bytes() {
        for (len, is_shown) in [(LONGEST_CONDITION, true), (LONGEST_CONDITION + 1, false)] {
            let title = "x".repeat(len - r#"{"title":""}"#.len());
            let condition = format!(r#"{{"title":"{title}"}}"#);
            assert_eq!(condition.len(), len);
            let text = format!(r#"{{"dependentSchemas": {{"a": {condition}}}}}"#);
            let want = is_shown.then(|| format!("with a {condition}"));
            let said = dependencies(document(&text).value());
            assert_eq!(said, Vec::from_iter(want), "{len}");
        }
    }
}
