//! Types and signatures, from the JSON of rustdoc. Short forms: they only have to change when the type does.

use serde_json::Value;

/// The parameters and the result of a function.
pub(crate) fn function(inner: &Value) -> String {
    let sig = &inner["sig"];
    let input = |pair: &Value| match pair[0].as_str() {
        Some("self") => of(&pair[1]).replace("Self", "self"),
        name => format!("{}: {}", name.unwrap_or("_"), of(&pair[1])),
    };
    let inputs = joined(&sig["inputs"], ", ", input);
    let output = &sig["output"];
    let is_async = if inner["header"]["is_async"] == true { " async" } else { "" };
    let result = if output.is_null() { String::new() } else { format!(" -> {}", of(output)) };
    format!("({inputs}){is_async}{result}{}", generics(&inner["generics"]))
}

/// The bounds of parameters that have some.
fn generics(generics: &Value) -> String {
    let bound = |param: &Value| {
        let list = &param["kind"]["type"]["bounds"];
        let name = param["name"].as_str().unwrap_or_default();
        // `impl Trait` stands in the parameter itself.
        let is_named =
            list.as_array().is_some_and(|it| !it.is_empty()) && !name.starts_with("impl ");
        is_named.then(|| format!("{name}{}", bounds(list)))
    };
    let params = generics["params"].as_array().map(Vec::as_slice).unwrap_or_default();
    let own = params.iter().filter_map(bound);
    let wheres = generics["where_predicates"].as_array().map(Vec::as_slice).unwrap_or_default();
    let behind = wheres.iter().filter_map(|predicate| {
        let predicate = &predicate["bound_predicate"];
        (!predicate.is_null())
            .then(|| format!("{}{}", of(&predicate["type"]), bounds(&predicate["bounds"])))
    });
    let all: Vec<String> = own.chain(behind).collect();
    if all.is_empty() { String::new() } else { format!(" where {}", all.join(", ")) }
}

/// `: A + B`, or nothing.
pub(crate) fn bounds(list: &Value) -> String {
    let all = joined(list, " + ", bound);
    if all.is_empty() { all } else { format!(": {all}") }
}

fn bound(bound: &Value) -> String {
    match (&bound["trait_bound"]["trait"], bound["outlives"].as_str()) {
        (_, Some(lifetime)) => lifetime.to_owned(),
        (path, None) if !path.is_null() => of_path(path),
        _ => "_".to_owned(),
    }
}

/// A type.
pub(crate) fn of(value: &Value) -> String {
    let Some((kind, inner)) = value.as_object().and_then(|it| it.iter().next()) else {
        return "_".to_owned();
    };
    match kind.as_str() {
        "resolved_path" => of_path(inner),
        "generic" | "primitive" => inner.as_str().unwrap_or("_").to_owned(),
        "borrowed_ref" => {
            let mutable = if inner["is_mutable"] == true { "mut " } else { "" };
            format!("&{mutable}{}", of(&inner["type"]))
        }
        "slice" => format!("[{}]", of(inner)),
        "array" => format!("[{}; {}]", of(&inner["type"]), inner["len"].as_str().unwrap_or("_")),
        "tuple" => format!("({})", joined(inner, ", ", of)),
        "impl_trait" => format!("impl {}", joined(inner, " + ", bound)),
        "dyn_trait" => {
            format!("dyn {}", joined(&inner["traits"], " + ", |it| of_path(&it["trait"])))
        }
        "qualified_path" => {
            format!("{}::{}", of(&inner["self_type"]), inner["name"].as_str().unwrap_or("_"))
        }
        "function_pointer" => format!("fn{}", function(inner)),
        kind => kind.to_owned(),
    }
}

/// A path with its arguments.
fn of_path(path: &Value) -> String {
    let name = path["path"].as_str().or_else(|| path["name"].as_str()).unwrap_or("_");
    let (plain, called) = (&path["args"]["angle_bracketed"], &path["args"]["parenthesized"]);
    if !called.is_null() {
        let output = &called["output"];
        let result = if output.is_null() { String::new() } else { format!(" -> {}", of(output)) };
        return format!("{name}({}){result}", joined(&called["inputs"], ", ", of));
    }
    let argument = |argument: &Value| match argument["lifetime"].as_str() {
        Some(lifetime) => lifetime.to_owned(),
        None => of(&argument["type"]),
    };
    let bound = |constraint: &Value| {
        let name = constraint["name"].as_str().unwrap_or("_");
        format!("{name} = {}", of(&constraint["binding"]["equality"]["type"]))
    };
    let all = [joined(&plain["args"], ", ", argument), joined(&plain["constraints"], ", ", bound)];
    let all: Vec<String> = all.into_iter().filter(|part| !part.is_empty()).collect();
    if all.is_empty() { name.to_owned() } else { format!("{name}<{}>", all.join(", ")) }
}

fn joined(list: &Value, between: &str, print: impl Fn(&Value) -> String) -> String {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(print).collect::<Vec<String>>().join(between)
}
