//! Objects that are calls: `{"name": …, "arguments": …}` and other spellings.

use crate::document::{ValueKind, ValueRef};

/// An object that is a call.
pub(super) struct CallShape<'v> {
    pub(super) id: Option<&'v str>,
    pub(super) name: &'v str,
    /// Whether the end of the name was read.
    pub(super) is_named: bool,
    pub(super) arguments: Option<ValueRef<'v>>,
    /// Whether the object has arguments, and nothing that a call does not have.
    pub(super) is_exact: bool,
}

const NAMES: [&str; 4] = ["name", "tool_name", "function_name", "tool"];
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "params"];
const IDS: [&str; 4] = ["id", "call_id", "tool_call_id", "index"];

/// The calls in a value: one, or a list of them.
pub(super) fn all(value: ValueRef<'_>) -> Vec<CallShape<'_>> {
    match value.kind() {
        ValueKind::List => value.entries().filter_map(|(_, item)| of(item)).collect(),
        ValueKind::Object => match value.get("tool_calls").filter(|_| value.len() == 1) {
            Some(calls) => calls.entries().filter_map(|(_, item)| of(item)).collect(),
            None => of(value).into_iter().collect(),
        },
        _ => Vec::new(),
    }
}

fn of(value: ValueRef<'_>) -> Option<CallShape<'_>> {
    let first = |keys: &[&str]| keys.iter().find_map(|key| value.get(key));
    let id = first(&IDS).and_then(ValueRef::as_str);
    let function = value.get("function");
    if let Some(inner) = function.filter(|inner| inner.kind() == ValueKind::Object) {
        let call = of(inner)?;
        return Some(CallShape { id: id.or(call.id), ..call });
    }
    let named = first(&NAMES).or(function);
    let Some(name) = named.and_then(ValueRef::as_str) else { return only_member(value) };
    let is_named = named.is_some_and(ValueRef::is_complete);
    let arguments = first(&ARGUMENTS);
    let is_known = |key: &str| {
        let known = [&NAMES[..], &ARGUMENTS[..], &IDS[..], &["type", "function"]];
        known.iter().any(|keys| keys.contains(&key))
    };
    let is_exact = arguments.is_some() && value.entries().all(|(key, _)| key.is_some_and(is_known));
    Some(CallShape { id, name, is_named, arguments, is_exact }).filter(|call| !call.name.is_empty())
}

/// An object whose only key is the name, and its value the arguments.
fn only_member(value: ValueRef<'_>) -> Option<CallShape<'_>> {
    let (name, arguments) = value.entries().next().filter(|_| value.len() == 1)?;
    let name = name.filter(|name| !NAMES.contains(name) && !ARGUMENTS.contains(name))?;
    let is_call = arguments.kind() == ValueKind::Object && !name.is_empty();
    let arguments = Some(arguments);
    is_call.then_some(CallShape { id: None, name, is_named: true, arguments, is_exact: false })
}

/// Whether a text beside calls has words, apart from the lines of fences and special tokens such as `<|eot_id|>`.
pub(super) fn has_prose(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("```"));
    let mut words = lines.flat_map(str::split_whitespace).filter(|word| !word.starts_with('<'));
    words.any(|word| word.contains(char::is_alphanumeric))
}

/// The text that may be calls: the whole text, or what the fence at its end encloses.
pub(super) fn unfenced(text: String) -> String {
    let trimmed = text.trim();
    if let Some(rest) = trimmed.strip_prefix("```") {
        let inner = rest.split_once('\n').map_or("", |(_, inner)| inner);
        return inner.strip_suffix("```").unwrap_or(inner).trim().to_owned();
    }
    let fenced = trimmed.strip_suffix("\n```").and_then(|text| {
        let (before, inner) = text.rsplit_once("\n```")?;
        // A fence before it would make this one the end of that.
        let is_first = !before.contains("\n```") && !before.starts_with("```");
        inner.split_once('\n').filter(|_| is_first).map(|(_, inner)| inner.trim().to_owned())
    });
    fenced.unwrap_or_else(|| trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::document::sample::document;

    #[test]
    fn values_that_are_calls() {
        for (text, want) in [
            (r#"{"name": "f", "arguments": {"a": 1}}"#, &["f exact"][..]),
            (r#"[{"name": "f"}, {"g": {}}]"#, &["f", "g"]),
            (
                r#"{"tool_calls": [{"name": "f", "arguments": {}}, {"tool": "g"}]}"#,
                &["f exact", "g"],
            ),
            (r#"{"tool_calls": [{"name": "f"}], "name": "g", "args": {}}"#, &["g"]),
            (r#"{"function": {"name": "f", "arguments": {}}, "type": "function"}"#, &["f exact"]),
            (r#"{"name": ""}"#, &[]),
            (r#"{"arguments": {}}"#, &[]),
            (r#"{"f": 1}"#, &[]),
            ("1", &[]),
        ] {
            let document = document(text);
            let said = |exact| if exact { " exact" } else { "" };
            let found: Vec<String> = all(document.value())
                .iter()
                .map(|call| format!("{}{}", call.name, said(call.is_exact)))
                .collect();
            assert_eq!(found, want, "{text}");
        }
    }
}
