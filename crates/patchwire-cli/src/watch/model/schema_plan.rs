//! The fields that a schema declares, as the form shows them before they are written.

use std::collections::HashMap;

use patchwire::{Schema, Value, ValueRef};

/// A schema as numbered fields. A field that several places share is stored once.
pub(super) struct SchemaPlan {
    wants: Vec<PlannedField>,
}

/// The number of a field in a [`SchemaPlan`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PlannedFieldId(usize);

/// What a schema declares for one field.
#[derive(Debug, Default)]
pub(super) struct PlannedField {
    /// Type and description, in one line.
    pub(super) words: String,
    pub(super) members: Vec<(String, PlannedFieldId)>,
    pub(super) item: Option<PlannedFieldId>,
}

impl SchemaPlan {
    /// The root of the plan.
    pub(super) const ROOT: PlannedFieldId = PlannedFieldId(0);

    pub(super) fn new(schema: &Schema) -> Self {
        let json = schema.to_json_schema();
        let mut reading = SchemaReader { json: &json, wants: Vec::new(), known: HashMap::new() };
        reading.place(json.as_ref());
        Self { wants: reading.read() }
    }

    pub(super) fn want(&self, id: PlannedFieldId) -> &PlannedField {
        &self.wants[id.0]
    }

    pub(super) fn member(&self, id: PlannedFieldId, key: &str) -> Option<PlannedFieldId> {
        let found = self.want(id).members.iter().find(|(name, _)| name == key);
        found.map(|(_, want)| *want)
    }
}

/// Numbers each field when something refers to it, and reads it later: a schema may be deep, and
/// may contain itself.
struct SchemaReader<'v> {
    json: &'v Value,
    wants: Vec<ValueRef<'v>>,
    known: HashMap<patchwire::document::NodeId, PlannedFieldId>,
}

impl<'v> SchemaReader<'v> {
    fn place(&mut self, schema: ValueRef<'v>) -> PlannedFieldId {
        let schema = self.resolved(schema);
        let next = PlannedFieldId(self.wants.len());
        let Some(node) = schema.node() else {
            self.wants.push(schema);
            return next;
        };
        let id = *self.known.entry(node).or_insert(next);
        if id == next {
            self.wants.push(schema);
        }
        id
    }

    /// Follows a reference.
    fn resolved(&self, schema: ValueRef<'v>) -> ValueRef<'v> {
        let root = self.json.as_ref();
        match schema.get("$ref").and_then(ValueRef::as_str) {
            None => schema,
            Some("#") => root,
            Some(name) => {
                let name = name.strip_prefix("#/$defs/");
                let found = name.and_then(|name| root.get("$defs")?.get(name));
                found.unwrap_or(schema)
            }
        }
    }

    fn read(mut self) -> Vec<PlannedField> {
        let mut all = Vec::new();
        while let Some(&schema) = self.wants.get(all.len()) {
            let want = self.want(schema);
            all.push(want);
        }
        all
    }

    fn want(&mut self, schema: ValueRef<'v>) -> PlannedField {
        let words = match description(schema) {
            Some(about) => format!("{} · {about}", self.type_of(schema)),
            None => self.type_of(schema),
        };
        let shape = self.shape(schema);
        let members = shape.get("properties").into_iter().flat_map(ValueRef::entries);
        let members = members
            .filter_map(|(key, member)| Some((key?.to_owned(), self.place(member))))
            .collect();
        let item = shape.get("items").map(|item| self.place(item));
        PlannedField { words, members, item }
    }

    /// The only alternative of a union that has members or items; otherwise the schema itself.
    fn shape(&self, schema: ValueRef<'v>) -> ValueRef<'v> {
        let alternatives = schema.get("anyOf").into_iter().flat_map(ValueRef::entries);
        let holds = |it: &ValueRef<'_>| it.get("properties").or_else(|| it.get("items")).is_some();
        let mut holding = alternatives.map(|(_, it)| self.resolved(it)).filter(holds);
        match (holding.next(), holding.next()) {
            (Some(only), None) => only,
            _ => schema,
        }
    }

    /// The type in words: `string`, `list of integer`, `"calm" | "urgent"`.
    fn type_of(&self, schema: ValueRef<'_>) -> String {
        if let Some(choices) = schema.get("enum") {
            return joined(choices.entries().map(|(_, choice)| choice.to_string()));
        }
        if let Some(alternatives) = schema.get("anyOf") {
            let types = alternatives.entries().map(|(_, it)| plain_type(it).to_owned());
            return joined(types);
        }
        match (plain_type(schema), schema.get("items")) {
            ("list", Some(item)) => format!("list of {}", plain_type(self.item(item))),
            (name, _) => name.to_owned(),
        }
    }

    fn item<'s>(&'s self, item: ValueRef<'s>) -> ValueRef<'s> {
        match item.get("$ref").and_then(ValueRef::as_str) {
            Some("#") => self.json.as_ref(),
            _ => item,
        }
    }
}

fn plain_type(schema: ValueRef<'_>) -> &str {
    match schema.get("type").and_then(ValueRef::as_str) {
        Some("array") => "list",
        Some(name) => match name {
            "string" => "string",
            "integer" => "integer",
            "number" => "number",
            "boolean" => "boolean",
            "object" => "object",
            "null" => "null",
            _ => "any",
        },
        None => "any",
    }
}

fn description<'v>(schema: ValueRef<'v>) -> Option<&'v str> {
    schema.get("description").and_then(ValueRef::as_str).filter(|text| !text.trim().is_empty())
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::{PlannedFieldId, SchemaPlan};
    use patchwire::Schema;

    fn plan(schema: &str) -> SchemaPlan {
        SchemaPlan::new(&Schema::from_text(schema).expect("a schema"))
    }

    fn words(plan: &SchemaPlan, id: PlannedFieldId) -> Vec<(&str, &str)> {
        let members = &plan.want(id).members;
        members.iter().map(|(name, id)| (name.as_str(), plan.want(*id).words.as_str())).collect()
    }

    #[test]
    fn fields_are_in_the_order_of_the_schema() {
        let plan = plan(
            r#"{"title": ["str", "one line", true], "days": [{"plan": "str", "cost": "number"}],
                "who": {"name": "str"}}"#,
        );
        assert_eq!(
            words(&plan, SchemaPlan::ROOT),
            [("title", "string · one line"), ("days", "list of object"), ("who", "object")],
        );
        let days = plan.member(SchemaPlan::ROOT, "days").expect("it is declared");
        let day = plan.want(days).item.expect("it is a list");
        assert_eq!(words(&plan, day), [("plan", "string"), ("cost", "number")]);
    }

    #[test]
    fn choices_are_named_and_unions_looked_into() {
        let plan = plan(
            r#"{"type": "object", "properties": {
                "tone": {"enum": ["calm", "urgent"]},
                "who": {"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}, {"type": "null"}]}}}"#,
        );
        assert_eq!(words(&plan, SchemaPlan::ROOT)[0].1, r#""calm" | "urgent""#);
        let who = plan.member(SchemaPlan::ROOT, "who").expect("it is declared");
        assert_eq!(words(&plan, who), [("n", "integer")]);
    }

    #[test]
    fn a_schema_may_contain_itself() {
        let plan = plan(
            r##"{"type": "object", "properties": {"name": {"type": "string"},
                "inner": {"type": "array", "items": {"$ref": "#"}}}}"##,
        );
        let inner = plan.member(SchemaPlan::ROOT, "inner").expect("it is declared");
        assert_eq!(plan.want(inner).item, Some(SchemaPlan::ROOT));
    }
}
