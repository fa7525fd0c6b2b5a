//! The public items of a crate, from the JSON of rustdoc: one line each.

use serde_json::Value;

use crate::types::{bounds, function, of};

/// The lines of all items that a program can name.
pub(crate) fn names(docs: &Value) -> Vec<String> {
    let mut walk = Walk { docs, lines: Vec::new(), open: Vec::new() };
    walk.module(&docs["root"], "");
    walk.lines
}

/// The module of the feature `_internals`, which promises nothing.
const UNSTABLE: &str = "internals";

struct Walk<'d> {
    docs: &'d Value,
    lines: Vec<String>,
    /// The modules around the item: one that contains itself ends there.
    open: Vec<String>,
}

impl<'d> Walk<'d> {
    fn item(&self, id: &Value) -> Option<&'d Value> {
        self.docs["index"].get(key(id)).filter(|item| !item.is_null())
    }

    fn module(&mut self, id: &Value, path: &str) {
        let Some(module) = self.item(id) else { return };
        if self.open.contains(&key(id)) {
            return;
        }
        self.open.push(key(id));
        for child in list(&module["inner"]["module"]["items"]) {
            self.child(child, path);
        }
        self.open.pop();
    }

    fn child(&mut self, id: &Value, path: &str) {
        let is_public = |item: &&Value| item["visibility"] == "public" && item["name"] != UNSTABLE;
        let Some(item) = self.item(id).filter(is_public) else { return };
        let Some((kind, inner)) = inner(item) else { return };
        if kind == "use" {
            return self.reexport(inner, path);
        }
        self.named(item, kind, inner, &joined(path, item["name"].as_str().unwrap_or_default()));
    }

    /// What stands in another module under a name of this one.
    fn reexport(&mut self, inner: &Value, path: &str) {
        let name = inner["name"].as_str().unwrap_or_default();
        match (self.item(&inner["id"]), inner["is_glob"] == true) {
            (Some(_), true) => self.module(&inner["id"], path),
            (Some(item), false) => {
                if let Some((kind, inner)) = self::inner(item) {
                    self.named(item, kind, inner, &joined(path, name));
                }
            }
            (None, _) => {
                let source = inner["source"].as_str().unwrap_or_default();
                self.lines.push(format!("use {} = {source}", joined(path, name)));
            }
        }
    }

    fn named(&mut self, item: &Value, kind: &str, inner: &Value, path: &str) {
        match kind {
            "module" => self.module(&item["id"], path),
            "function" => self.lines.push(format!("fn {path}{}", function(inner))),
            "constant" => self.lines.push(format!("const {path}: {}", of(&inner["type"]))),
            "static" => self.lines.push(format!("static {path}: {}", of(&inner["type"]))),
            "type_alias" => self.lines.push(format!("type {path} = {}", of(&inner["type"]))),
            "struct" | "enum" | "union" => self.type_with_impls(item, kind, inner, path),
            "trait" => {
                self.lines.push(format!("trait {path}{}", bounds(&inner["bounds"])));
                self.members(&inner["items"], path);
            }
            _ => self.lines.push(format!("{kind} {path}")),
        }
    }

    fn type_with_impls(&mut self, item: &Value, kind: &str, inner: &Value, path: &str) {
        let is_open = list(&item["attrs"]).any(|attr| attr.to_string().contains("non_exhaustive"));
        let mark = if is_open { " (non_exhaustive)" } else { "" };
        self.lines.push(format!("{kind} {path}{mark}"));
        for field in list(&inner["kind"]["plain"]["fields"]).chain(list(&inner["kind"]["tuple"])) {
            self.field(field, path);
        }
        for variant in list(&inner["variants"]) {
            self.variant(variant, path);
        }
        for id in list(&inner["impls"]) {
            self.implementation(id, path);
        }
    }

    fn field(&mut self, id: &Value, path: &str) {
        let Some(item) = self.item(id).filter(|item| item["visibility"] != "crate") else { return };
        let name = item["name"].as_str().unwrap_or_default();
        self.lines.push(format!("field {path}.{name}: {}", of(&item["inner"]["struct_field"])));
    }

    fn variant(&mut self, id: &Value, path: &str) {
        let Some(item) = self.item(id) else { return };
        let path = joined(path, item["name"].as_str().unwrap_or_default());
        self.lines.push(format!("variant {path}"));
        let kind = &item["inner"]["variant"]["kind"];
        for field in list(&kind["struct"]["fields"]).chain(list(&kind["tuple"])) {
            self.field(field, &path);
        }
    }

    fn implementation(&mut self, id: &Value, path: &str) {
        let Some(item) = self.item(id) else { return };
        let inner = &item["inner"]["impl"];
        if inner["is_synthetic"] == true || !inner["blanket_impl"].is_null() {
            return;
        }
        match inner["trait"]["path"].as_str() {
            Some(name) => self.lines.push(format!("impl {name} for {path}")),
            None => self.members(&inner["items"], path),
        }
    }

    /// Functions, constants and types of a trait or an implementation.
    fn members(&mut self, ids: &Value, path: &str) {
        for id in list(ids) {
            let Some(item) = self.item(id).filter(|item| item["visibility"] != "crate") else {
                continue;
            };
            let path = joined(path, item["name"].as_str().unwrap_or_default());
            match inner(item) {
                Some(("function", inner)) => {
                    self.lines.push(format!("fn {path}{}", function(inner)))
                }
                Some((kind, _)) => self.lines.push(format!("{kind} {path}")),
                None => {}
            }
        }
    }
}

/// The kind of an item, and what is of that kind.
fn inner(item: &Value) -> Option<(&str, &Value)> {
    let (kind, inner) = item["inner"].as_object()?.iter().next()?;
    Some((kind, inner))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

/// An identifier as the key of the index.
fn key(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::names;

    #[test]
    fn one_line_for_each_name() {
        let docs = json!({
            "root": 0,
            "index": {
                "0": {"id": 0, "visibility": "public", "name": "it", "inner": {"module": {"items": [1, 2, 4, 5]}}},
                "1": {"id": 1, "visibility": "public", "name": "open", "inner": {"function":
                    {"sig": {"inputs": [["path", {"borrowed_ref": {"is_mutable": false, "type": {"primitive": "str"}}}]],
                             "output": {"resolved_path": {"path": "Option", "args": {"angle_bracketed":
                                {"args": [{"type": {"primitive": "u8"}}]}}}}}}}},
                "2": {"id": 2, "visibility": "public", "name": "Kind", "attrs": ["#[non_exhaustive]"],
                      "inner": {"enum": {"variants": [3], "impls": [6]}}},
                "3": {"id": 3, "visibility": "default", "name": "One", "inner": {"variant": {"kind": "plain"}}},
                "4": {"id": 4, "visibility": "crate", "name": "hidden", "inner": {"module": {"items": [1]}}},
                "5": {"id": 5, "visibility": "public", "name": null,
                      "inner": {"use": {"source": "self::open", "name": "begin", "id": 1, "is_glob": false}}},
                "6": {"id": 6, "visibility": "default", "inner": {"impl": {"is_synthetic": false,
                      "blanket_impl": null, "trait": {"path": "Clone"}, "items": []}}},
            }
        });
        let expected = [
            "fn open(path: &str) -> Option<u8>",
            "enum Kind (non_exhaustive)",
            "variant Kind::One",
            "impl Clone for Kind",
            "fn begin(path: &str) -> Option<u8>",
        ];
        assert_eq!(names(&docs), expected);
    }
}
