//! Arguments that Gemini sends value by value, each with its path, as one JSON text.

use serde_json::Value as Json;

use super::json_members::text;

/// What was written of the arguments of one call.
#[derive(Debug, Clone, Default)]
pub(super) struct PartialArguments {
    /// The place of the last value. Each step has an open object or list around it.
    place: Vec<Step>,
    in_string: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

impl Step {
    const fn brackets(&self) -> [char; 2] {
        match self {
            Self::Key(_) => ['{', '}'],
            Self::Item(_) => ['[', ']'],
        }
    }
}

impl PartialArguments {
    /// Writes the next values. A value for a place that was left is skipped.
    pub(super) fn write(&mut self, call: &Json, out: &mut String) {
        let values = call.get("partialArgs").and_then(Json::as_array);
        for value in values.into_iter().flatten() {
            if let Some(place) = text(value, "jsonPath").and_then(steps) {
                self.value(place, value, out);
            }
        }
    }

    /// Closes what is open.
    pub(super) fn finish(&mut self, out: &mut String) {
        if self.place.is_empty() {
            out.push('{');
            self.place.push(Step::Key(String::new()));
        }
        self.close_string(out);
        self.close(0, out);
    }

    fn value(&mut self, place: Vec<Step>, value: &Json, out: &mut String) {
        let continues = self.in_string && place == self.place;
        if !continues && !self.go_to(place, out) {
            return;
        }
        if let Some(piece) = value.get("stringValue").and_then(Json::as_str) {
            if !continues {
                out.push('"');
            }
            let quoted = Json::from(piece).to_string();
            out.push_str(&quoted[1..quoted.len() - 1]);
            self.in_string = true;
        } else if !continues {
            let whole = ["numberValue", "boolValue"].into_iter().find_map(|name| value.get(name));
            out.push_str(&whole.map_or_else(|| "null".to_owned(), Json::to_string));
        }
        if value.get("willContinue").and_then(Json::as_bool) != Some(true) {
            self.close_string(out);
        }
    }

    /// Closes and opens what lies between the last value and this place. False if no value can be written there.
    fn go_to(&mut self, place: Vec<Step>, out: &mut String) -> bool {
        let same = self.place.iter().zip(&place).take_while(|(last, next)| last == next).count();
        match (self.place.get(same), place.get(same)) {
            (Some(last), Some(next)) if last.brackets() == next.brackets() => {
                self.close_string(out);
                self.close(same + 1, out);
                out.push(',');
            }
            (None, Some(next)) if self.place.is_empty() => out.push(next.brackets()[0]),
            _ => return false,
        }
        for (at, step) in place.iter().enumerate().skip(same) {
            if at > same {
                out.push(step.brackets()[0]);
            }
            if let Step::Key(key) = step {
                out.push_str(&Json::from(key.as_str()).to_string());
                out.push(':');
            }
        }
        self.place = place;
        true
    }

    fn close_string(&mut self, out: &mut String) {
        if core::mem::take(&mut self.in_string) {
            out.push('"');
        }
    }

    /// Closes the objects and lists around the steps from this one on.
    fn close(&self, from: usize, out: &mut String) {
        out.extend(self.place.iter().skip(from).rev().map(|step| step.brackets()[1]));
    }
}

/// The steps of a path such as `$.rows[0].name` or `$['a b']`. None if it is another expression, or the root.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('[') {
            Some(inner) => bracketed(inner)?,
            None => {
                let named = rest.strip_prefix('.')?;
                let end = named.find(['.', '[']).unwrap_or(named.len());
                (Step::Key(named[..end].to_owned()), &named[end..])
            }
        };
        steps.push(step);
        rest = after;
    }
    (!steps.is_empty()).then_some(steps)
}

/// A step in brackets, behind the first of them.
fn bracketed(inner: &str) -> Option<(Step, &str)> {
    if let Some(quote) = inner.chars().next().filter(|it| matches!(it, '\'' | '"')) {
        let (key, after) = inner[1..].split_once(quote)?;
        return Some((Step::Key(key.to_owned()), after.strip_prefix(']')?));
    }
    let (number, after) = inner.split_once(']')?;
    Some((Step::Item(number.parse().ok()?), after))
}

#[cfg(test)]
mod tests {
    use super::PartialArguments;
    use serde_json::json;

    fn written(values: &[serde_json::Value]) -> String {
        let (mut arguments, mut out) = (PartialArguments::default(), String::new());
        for value in values {
            arguments.write(&json!({ "partialArgs": [value] }), &mut out);
        }
        arguments.finish(&mut out);
        out
    }

    #[test]
    fn values_with_paths_are_one_text() {
        let values = [
            json!({"jsonPath": "$.city", "stringValue": "O\"s", "willContinue": true}),
            json!({"jsonPath": "$.city", "stringValue": "lo"}),
            json!({"jsonPath": "$.days", "numberValue": 3}),
            json!({"jsonPath": "$.rows[0].a", "boolValue": true}),
            json!({"jsonPath": "$.rows[0]['b c']", "nullValue": "NULL_VALUE"}),
            json!({"jsonPath": "$.rows[1].a", "stringValue": ""}),
            json!({"jsonPath": "$.last", "stringValue": "x", "willContinue": true}),
        ];
        let expected =
            r#"{"city":"O\"slo","days":3,"rows":[{"a":true,"b c":null},{"a":""}],"last":"x"}"#;
        assert_eq!(written(&values), expected);
    }

    #[test]
    fn places_that_were_left_and_other_paths_are_skipped() {
        assert_eq!(written(&[]), "{}");
        let values = [
            json!({"jsonPath": "$.a.b", "numberValue": 1}),
            json!({"jsonPath": "$.a", "numberValue": 2}),
            json!({"jsonPath": "$.a[0]", "numberValue": 2}),
            json!({"jsonPath": "$..x", "numberValue": 3}),
            json!({"jsonPath": "$", "numberValue": 3}),
            json!({"jsonPath": "$[é]", "numberValue": 3}),
            json!({"numberValue": 4}),
        ];
        assert_eq!(written(&values[..3]), r#"{"a":{"b":1}}"#);
        let rest = written(&values);
        assert!(serde_json::from_str::<serde_json::Value>(&rest).is_ok(), "{rest}");
    }
}
