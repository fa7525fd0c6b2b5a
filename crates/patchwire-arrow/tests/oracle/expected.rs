//! The row that a text should become, from the engine's answer alone.

use patchwire::answer::Call;
use patchwire::path::{PathBuf, Segment};
use patchwire::{Answer, Error, Parser, Spec, ValueKind, ValueRef};
use serde_json::{Map, Value, json};

/// The row of a text under a schema in the form that the engine writes.
pub(crate) fn row(text: &str, spec: &Spec, schema: Option<&Value>) -> Value {
    let mut parser = spec.parser();
    let read = parser.feed(text, |_| {}).and_then(|()| parser.finish(|_| {}));
    let mut lost = Lost::default();
    match read {
        Ok(answer) => {
            let value = cut(answer.value(), Types::of(schema), &PathBuf::root(), &mut lost);
            finished(&answer, value, lost)
        }
        Err(error) => stopped(&parser, error, schema),
    }
}

/// What has no place in the columns.
#[derive(Default)]
struct Lost {
    notices: Vec<Value>,
    failures: Vec<Value>,
}

fn finished(answer: &Answer, value: Value, mut lost: Lost) -> Value {
    let mut notices: Vec<Value> = answer.notices().iter().map(|notice| {
        let (code, message) = (notice.code.name(), notice.code.message());
        json!({"code": code, "path": notice.path, "message": message, "offset": notice.span.start})
    }).collect();
    notices.append(&mut lost.notices);
    let mut failures: Vec<Value> = answer
        .failures()
        .iter()
        .map(|failure| {
            let (code, path) = (failure.kind.name(), failure.path.to_string());
            json!({"code": code, "path": path, "message": failure.to_string(), "offset": null})
        })
        .collect();
    failures.append(&mut lost.failures);
    json!({
        "value": value,
        "outcome": answer.outcome().name(),
        "notices": notices,
        "failures": failures,
        "reasoning": answer.reasoning(),
        "text": answer.text(),
        "calls": answer.calls().iter().map(call).collect::<Vec<_>>(),
    })
}

fn call(call: &Call) -> Value {
    let arguments = call.arguments();
    let arguments = arguments.exists().then(|| json!({"json": arguments.to_string()}));
    json!({
        "id": call.id(),
        "name": call.name(),
        "arguments": arguments,
        "text": call.text(),
        "is_complete": call.is_complete(),
    })
}

fn stopped(parser: &Parser, error: Error, schema: Option<&Value>) -> Value {
    let mut lost = Lost::default();
    let value = cut(parser.value(), Types::of(schema), &PathBuf::root(), &mut lost);
    let mut failures = vec![json!({
        "code": error.kind.name(), "path": "", "message": error.to_string(), "offset": error.offset,
    })];
    failures.append(&mut lost.failures);
    json!({
        "value": value, "outcome": "stopped", "notices": lost.notices, "failures": failures,
        "reasoning": null, "text": null, "calls": null,
    })
}

/// The type of a place; none where it is any JSON.
#[derive(Clone, Copy)]
struct Types<'s> {
    whole: Option<&'s Value>,
    at: Option<&'s Value>,
}

impl<'s> Types<'s> {
    fn of(schema: Option<&'s Value>) -> Self {
        Self { whole: schema, at: schema }
    }

    /// The keywords of the place, with `null` and references taken away.
    fn plain(self) -> Self {
        let Some(at) = self.at else { return self };
        if let Some(Value::String(reference)) = at.get("$ref") {
            let target = self.whole.and_then(|whole| whole.pointer(&reference[1..]));
            return Self { at: target, ..self }.plain();
        }
        let is_null = |one: &&Value| one["type"] == "null";
        match at.get("anyOf").and_then(Value::as_array) {
            Some(all) => {
                let mut others = all.iter().filter(|one| !is_null(one));
                match (others.next(), others.next()) {
                    (Some(only), None) => Self { at: Some(only), ..self }.plain(),
                    _ => self,
                }
            }
            None => self,
        }
    }

    /// The names of types that the place may have, without null.
    fn names(self) -> Vec<&'static str> {
        let Some(at) = self.at else { return vec!["any"] };
        let kind_of = |value: &Value| match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) | Value::Object(_) => "any",
        };
        let mut names: Vec<&'static str> = match (at.get("const"), at.get("enum"), at.get("anyOf"))
        {
            (Some(only), ..) => vec![kind_of(only)],
            (_, Some(Value::Array(all)), _) => all.iter().map(kind_of).collect(),
            (.., Some(Value::Array(all))) => {
                all.iter().flat_map(|one| Self { at: Some(one), ..self }.plain().names()).collect()
            }
            _ => {
                let known = ["string", "integer", "number", "boolean", "null", "array", "object"];
                known.into_iter().filter(|known| at["type"] == *known).collect()
            }
        };
        names.sort_unstable();
        names.dedup();
        if names.len() > 1 {
            names.retain(|name| *name != "null");
        }
        if names == ["integer", "number"] { vec!["number"] } else { names }
    }
}

/// The value cut to its type.
fn cut(value: ValueRef<'_>, types: Types<'_>, path: &PathBuf, lost: &mut Lost) -> Value {
    if value.is_null() {
        return Value::Null;
    }
    let types = types.plain();
    let names = types.names();
    let json = || json!({"json": value.to_string()});
    match (&names[..], value.kind()) {
        (["string"], ValueKind::String) => json!(value.as_str()),
        (["boolean"], ValueKind::Bool) => json!(value.as_bool()),
        (["number"], ValueKind::Number) => {
            let number = value.as_f64().filter(|number| number.is_finite());
            if number.is_none() {
                misfit(path, "out_of_range", "a number of 64 bits", lost);
            }
            json!(number)
        }
        (["integer"], ValueKind::Number) => {
            let text = value.to_string();
            match (text.parse::<i64>(), value.as_f64()) {
                (Ok(number), _) => json!(number),
                (_, Some(number)) if number.fract() != 0.0 => {
                    misfit(path, "wrong_type", "a whole number", lost)
                }
                (_, Some(number)) if number.abs() <= 9_007_199_254_740_992.0 => {
                    json!(number as i64)
                }
                _ => misfit(path, "out_of_range", "a whole number of 64 bits", lost),
            }
        }
        (["array"], ValueKind::List) => {
            let item = Types { at: types.at.and_then(|at| at.get("items")), ..types };
            let items = value.entries().enumerate();
            let items = items.map(|(at, (_, it))| {
                let path = path.child(Segment::Index(at.try_into().expect("it is small")));
                cut(it, item, &path, lost)
            });
            items.collect()
        }
        (["object"], kind) => match types.at.and_then(|at| at.get("properties")) {
            Some(Value::Object(properties)) if kind == ValueKind::Object => {
                object(value, properties, types, path, lost)
            }
            Some(_) => misfit(path, "wrong_type", "an object", lost),
            None => json(),
        },
        (["string"], _) => misfit(path, "wrong_type", "a string", lost),
        (["boolean"], _) => misfit(path, "wrong_type", "true or false", lost),
        (["number"], _) => misfit(path, "wrong_type", "a number", lost),
        (["integer"], _) => misfit(path, "wrong_type", "a whole number", lost),
        (["array"], _) => misfit(path, "wrong_type", "a list", lost),
        _ => json(),
    }
}

fn misfit(path: &PathBuf, code: &str, wanted: &str, lost: &mut Lost) -> Value {
    if lost.failures.len() + lost.notices.len() < 64 {
        let place = if path.is_empty() { "the answer".to_owned() } else { path.to_string() };
        let path = path.to_string();
        let message = format!("{place} should be {wanted}, and is null here");
        lost.failures.push(json!({"code": code, "path": path, "message": message, "offset": null}));
    }
    Value::Null
}

fn object(
    value: ValueRef<'_>,
    properties: &Map<String, Value>,
    types: Types<'_>,
    path: &PathBuf,
    lost: &mut Lost,
) -> Value {
    let mut found: Map<String, Value> =
        properties.keys().map(|name| (name.clone(), Value::Null)).collect();
    let mut seen = Vec::new();
    for (key, child) in value.entries() {
        let key = key.unwrap_or_default();
        let path = path.child(Segment::Key(key));
        match properties.get(key) {
            Some(_) if seen.contains(&key) => {}
            Some(member) => {
                seen.push(key);
                let member = Types { at: Some(member), ..types };
                found.insert(key.to_owned(), cut(child, member, &path, lost));
            }
            None if lost.failures.len() + lost.notices.len() < 64 => {
                let message = "a field that the schema does not declare was skipped";
                lost.notices.push(json!({"code": "unknown_field", "path": path.to_string(), "message": message, "offset": null}));
            }
            None => {}
        }
    }
    Value::Object(found)
}
