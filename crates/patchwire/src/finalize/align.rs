//! Gives values the type that the schema declares, where nothing is lost: a number in quotes, a text without
//! quotes, a single item instead of a list, a choice in quotes, an answer inside an object of one member,
//! a member in another spelling than the declared one.
//!
//! A value that fits its schema is never changed, except for such spellings. A value that could become two
//! things becomes neither.

use super::member_names::MemberNames;
use super::{fields, reread};
use crate::check::fit;
use crate::codes::Code;
use crate::document::{Document, NodeId, NodeKind, Placement, ValueKind, ValueRef};
use crate::format::row::UntidyReading;
use crate::leniency::{Leniencies, Leniency};
use crate::lex::json::scalar;
use crate::schema::children::children;
use crate::schema::tree::Shape;
use crate::schema::{Choices, Literal, Schema, SchemaId};
use crate::spec::Settings;

/// How many objects of one member may stand around a value.
const MOST_WRAPPERS: usize = 4;

/// A value to be replaced.
pub(super) struct Aligned {
    pub(super) code: Code,
    pub(super) node: NodeId,
    pub(super) value: Document,
}

/// The values of a document to be replaced, none of them inside another.
pub(super) fn find(root: ValueRef<'_>, schema: &Schema, settings: &Settings) -> Vec<Aligned> {
    let align = Aligner { schema, settings, rules: settings.json.rules };
    if let Some(unwrapped) = align.wrapper(root) {
        return vec![unwrapped];
    }
    let fits_as_scalar = |value: ValueRef<'_>, id: SchemaId| {
        !value.is_container() && fit::alternative(schema, id, value).is_some()
    };
    let mut names = MemberNames::of(schema);
    let mut found = Vec::new();
    let mut open = vec![(root, schema.root(), false)];
    while let Some((value, id, is_item)) = open.pop() {
        let is_below = value.node() != root.node();
        let inner = wrapped(schema, id, value)
            .filter(|_| is_below && align.rules.allow(Leniency::Wrappers));
        if let (Some(inner), Some(node)) = (inner, value.node()) {
            let value = Document::copy_of(inner);
            found.push(Aligned { code: Code::Unwrapped, node, value });
            continue;
        }
        let Some(id) = fit::alternative(schema, id, value) else {
            let member = || align.text_of_member(value, id).filter(|_| is_item);
            found.extend(align.aligned(value, id).or_else(member));
            continue;
        };
        let first = open.len();
        let mut has_unknown = false;
        for child in children(schema, id, value) {
            has_unknown |= !child.is_item && child.place.is_none();
            if let Some(below) = child.schema.filter(|below| !fits_as_scalar(child.value, *below)) {
                open.push((child.value, below, child.is_item));
            }
        }
        open[first..].reverse();
        let pair = || align.pair(value, id).filter(|_| is_item);
        let renamed = || names.renamed(value, id).or_else(pair);
        let renamed = (has_unknown && align.may_rename()).then(renamed).flatten();
        if let (Some(value), Some(node)) = (renamed, value.node()) {
            open.truncate(first);
            found.push(Aligned { code: Code::UntidyFields, node, value });
        }
    }
    found
}

struct Aligner<'a> {
    schema: &'a Schema,
    settings: &'a Settings,
    rules: Leniencies,
}

impl Aligner<'_> {
    /// The only value that this one can become; none if there are several.
    fn aligned(&self, value: ValueRef<'_>, id: SchemaId) -> Option<Aligned> {
        let node = value.node()?;
        let leaves = self.becoming(value, id).into_iter();
        let mut all = leaves.filter_map(|leaf| self.become_one(value, leaf));
        let (code, becomes) = all.next()?;
        let other = all.find(|(_, other)| other.value() != becomes.value());
        other.is_none().then_some(Aligned { code, node, value: becomes })
    }

    /// Whether members may get their declared names. Not in a schema that grants values: the stream did not
    /// check a value under another name.
    fn may_rename(&self) -> bool {
        self.rules.allow(Leniency::UntidyFields) && !self.schema.guards()
    }

    /// A record of two members from an item `label: value`, which YAML reads as an object of one undeclared member.
    fn pair(&self, object: ValueRef<'_>, id: SchemaId) -> Option<Document> {
        let mut names = self.schema.declared_keys(id);
        let (first, second, more) = (names.next()?, names.next()?, names.next());
        let member = |name: &str| self.schema.member(id, name);
        let is_open = self.settings.row.fields().is_none() || self.schema.has_required(id, object);
        let (label, value) = object.entries().next().filter(|_| object.len() == 1 && !is_open)?;
        let label = label.filter(|label| more.is_none() && member(label).is_none())?;
        let fits = member(first).is_some_and(|id| self.schema.is_text(id))
            && fit::alternative(self.schema, member(second)?, value).is_some();
        let mut record = Document::default();
        let root = record.open(Placement::Root, NodeKind::Object);
        record.graft(Placement::Member(root, first), Document::string(label).value());
        record.graft(Placement::Member(root, second), value);
        record.complete(root);
        fits.then_some(record)
    }

    /// The text `key: value`, which YAML reads as an object of one member, as an item of a list of texts.
    fn text_of_member(&self, object: ValueRef<'_>, id: SchemaId) -> Option<Aligned> {
        let is_yaml = self.settings.row.untidy_reading() == UntidyReading::Yaml;
        let may_be_text = self.schema.is_text(id) && self.rules.allow(Leniency::ValueTexts);
        let is_pair = object.kind() == ValueKind::Object && object.len() == 1;
        let (key, value) = object.entries().next().filter(|_| is_yaml && may_be_text && is_pair)?;
        let is_scalar =
            !matches!(value.kind(), ValueKind::Object | ValueKind::List | ValueKind::Null);
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let value = Document::string(&format!("{}: {text}", key?));
        let node = object.node().filter(|_| is_scalar)?;
        Some(Aligned { code: Code::ValueAsText, node, value })
    }

    /// The types that a value may become. Of a union with many, those are left out that cannot be meant.
    fn becoming(&self, value: ValueRef<'_>, id: SchemaId) -> Vec<SchemaId> {
        match (self.schema.union_index(id), &self.schema.node(id).shape) {
            (Some(index), Shape::Union(union)) => {
                let spelled = |all: &Choices| meant(all, value.as_str()?);
                index.becoming(spelled).into_iter().map(|at| union.leaves[at]).collect()
            }
            _ => self.leaves(id).collect(),
        }
    }

    fn leaves(&self, id: SchemaId) -> impl Iterator<Item = SchemaId> {
        let (one, leaves) = match &self.schema.node(id).shape {
            Shape::Union(union) => (None, union.leaves.as_slice()),
            _ => (Some(id), [].as_slice()),
        };
        one.into_iter().chain(leaves.iter().copied())
    }

    /// The value as this type, which is no union.
    fn become_one(&self, value: ValueRef<'_>, id: SchemaId) -> Option<(Code, Document)> {
        let allowed = |code: Code, rule: Leniency, value: Option<Document>| {
            value.filter(|_| self.rules.allow(rule)).map(|value| (code, value))
        };
        let shape = &self.schema.node(id).shape;
        match (shape, value.kind()) {
            (Shape::Choices(choices), ValueKind::String) => {
                let text = value.as_str()?;
                let has_fields = self.settings.row.fields().is_some();
                let first = || first_choice(choices, text).or_else(|| labelled(choices, text));
                let first = || first().filter(|_| has_fields);
                let choice = choice(choices, text).or_else(first);
                allowed(Code::EnumSpelling, Leniency::TextValues, choice)
            }
            (Shape::String, ValueKind::Number | ValueKind::Bool) => {
                let text = Document::string(&value.to_string());
                allowed(Code::ValueAsText, Leniency::ValueTexts, Some(text))
            }
            (Shape::List(_), ValueKind::String) => {
                let list = self.written(value.as_str()?, id);
                let list = allowed(Code::TextAsValue, Leniency::TextValues, list);
                let parts = || fields::plain_list(value.as_str()?, id, self.settings);
                let list =
                    list.or_else(|| allowed(Code::UntidyValue, Leniency::UntidyFields, parts()));
                list.or_else(|| allowed(Code::LoneItem, Leniency::LoneItems, self.lone(value, id)))
            }
            (Shape::List(_), _) => {
                let list = allowed(Code::Unwrapped, Leniency::Wrappers, self.numbered(value, id));
                list.or_else(|| allowed(Code::LoneItem, Leniency::LoneItems, self.lone(value, id)))
            }
            (_, ValueKind::String) => {
                let written = self.written(value.as_str()?, id);
                let written = allowed(Code::TextAsValue, Leniency::TextValues, written);
                let word = || fields::plain_scalar(value.as_str()?, id, self.settings);
                written.or_else(|| allowed(Code::UntidyValue, Leniency::UntidyFields, word()))
            }
            _ => None,
        }
    }

    /// The JSON value in a text, if it is of this type. `true`, `false` and `null` may be in any case, as
    /// other languages write them.
    fn written(&self, text: &str, id: SchemaId) -> Option<Document> {
        let text = text.trim();
        let word = ["true", "false", "null"].into_iter().find(|it| it.eq_ignore_ascii_case(text));
        let joined = fields::without_underscores(text);
        let text = joined.as_deref().or(word).unwrap_or(text);
        let is_scalar = scalar(text).is_some();
        let is_container = text.starts_with(['{', '[']);
        if !is_scalar && !is_container {
            return None;
        }
        let read = reread::strict(text, 0, &self.settings.without_schema())?;
        fit::alternative(self.schema, id, read.document.value()).map(|_| read.document)
    }

    /// The items of an object whose keys count them: `{"1": a, "2": b}`, `{"step_1": a}`.
    fn numbered(&self, value: ValueRef<'_>, list: SchemaId) -> Option<Document> {
        let item = self.schema.item(list)?;
        let is_open = self.schema.may_be_list(item)
            || self.schema.matches_kind(item, ValueKind::Object)
                && !self.schema.declares_keys(item);
        if value.kind() != ValueKind::Object || value.is_empty() || is_open {
            return None;
        }
        let mut list = Document::default();
        let root = list.open(Placement::Root, NodeKind::List);
        let mut prefix = None;
        for (at, (key, child)) in value.entries().enumerate() {
            let key = key?;
            let name = key.trim_end_matches(|it: char| it.is_ascii_digit());
            let number: usize = key[name.len()..].parse().ok()?;
            let (first, before) = *prefix.get_or_insert((number, name));
            let follows = first <= 1 && number == first + at && name == before;
            let fits = || {
                let can = || self.leaves(item).any(|leaf| self.become_one(child, leaf).is_some());
                fit::alternative(self.schema, item, child).is_some() || can()
            };
            if !follows || !fits() || self.schema.declares(item, key) {
                return None;
            }
            list.graft(Placement::Item(root), child);
        }
        list.complete(root);
        Some(list)
    }

    /// A list of this one value, if the value fits the list's items or can be changed to fit.
    fn lone(&self, value: ValueRef<'_>, list: SchemaId) -> Option<Document> {
        let item = self.schema.item(list)?;
        let is_list = value.kind() == ValueKind::List;
        if is_list || value.is_null() || self.schema.may_be_list(item) {
            return None;
        }
        let fits = fit::alternative(self.schema, item, value).is_some();
        let leaves = || self.becoming(value, item).into_iter();
        let can = || leaves().any(|leaf| self.become_one(value, leaf).is_some());
        (fits || can()).then(|| Document::list_of(value))
    }

    /// The answer inside an object of one member that the schema does not declare, or inside several of them.
    fn wrapper(&self, root: ValueRef<'_>) -> Option<Aligned> {
        let id = self.schema.root();
        let closed = |id: SchemaId| match &self.schema.node(id).shape {
            Shape::Object(object) => object.is_closed(),
            Shape::Any => false,
            _ => true,
        };
        let known = self.rules.allow(Leniency::Wrappers) && self.leaves(id).all(closed);
        let node = root.node().filter(|_| known)?;
        let inner = unwrappings(self.schema, id, root).find(|inner| match inner.kind() {
            ValueKind::Object => {
                has_declared(self.schema, id, *inner) && self.schema.has_required(id, *inner)
            }
            ValueKind::List => {
                self.schema.may_be_list(id) && !self.schema.matches_kind(id, ValueKind::Object)
            }
            _ => false,
        })?;
        Some(Aligned { code: Code::Unwrapped, node, value: Document::copy_of(inner) })
    }
}

/// What is inside an object of one member that the type does not declare: its value, and the value inside that one if
/// it is such an object, too.
fn unwrappings<'v>(
    schema: &Schema,
    id: SchemaId,
    value: ValueRef<'v>,
) -> impl Iterator<Item = ValueRef<'v>> {
    let inside = move |value: ValueRef<'v>| {
        let is_one = value.kind() == ValueKind::Object && value.len() == 1;
        let (key, inner) = value.entries().next().filter(|_| is_one)?;
        key.is_some_and(|key| !schema.declares(id, key)).then_some(inner)
    };
    core::iter::successors(inside(value), move |inner| inside(*inner)).take(MOST_WRAPPERS)
}

/// The list or object inside an object of one member, if it fits a type and the object does not. An object
/// of the type, and one whose member an item of the list declares, is no wrapper.
pub(super) fn wrapped<'v>(
    schema: &Schema,
    id: SchemaId,
    value: ValueRef<'v>,
) -> Option<ValueRef<'v>> {
    if value.kind() != ValueKind::Object || value.len() != 1 || schema.is_any(id) {
        return None;
    }
    if let Some(item) = schema.item(id) {
        if fit::alternative(schema, id, value).is_some() {
            return None;
        }
        let fits = |(_, child): (_, ValueRef<'_>)| fit::alternative(schema, item, child).is_some();
        let is_list = |inner: &ValueRef<'_>| inner.kind() == ValueKind::List;
        return unwrappings(schema, item, value)
            .find(|inner| is_list(inner) && inner.entries().all(fits));
    }
    let is_inner = |inner: &ValueRef<'_>| {
        inner.kind() == ValueKind::Object
            && has_declared(schema, id, *inner)
            && schema.has_required(id, *inner)
            && inner.entries().all(|(key, _)| key.is_some_and(|key| schema.declares(id, key)))
    };
    unwrappings(schema, id, value).find(is_inner)
}

/// The only choice in a text that begins with it: `High - it is down`, `high (see above)`.
fn first_choice(choices: &Choices, text: &str) -> Option<Document> {
    let ends = ["(", ",", ";", ":", ". ", "\n", " - ", " – ", " — "];
    let len = ends.iter().filter_map(|end| text.find(end)).min()?;
    let found = choice(choices, &text[..len])?;
    let is_other = |word: &str| choices.resolve(word).is_some();
    let mut rest = text[len..].split(|it: char| !it.is_alphanumeric() && it != '_');
    (!rest.any(is_other)).then_some(found)
}

/// The choice that is all of a text behind a label: `Level: high`.
fn labelled(choices: &Choices, text: &str) -> Option<Document> {
    let (label, rest) = text.split_once(": ")?;
    let is_word = |it: char| it.is_alphabetic() || matches!(it, ' ' | '_' | '*');
    let is_label = label.split_whitespace().count() < 4 && label.chars().all(is_word);
    is_label.then(|| choice(choices, rest)).flatten()
}

/// The choice that the text of a field means, if it is one of the type.
pub(super) fn chosen(schema: &Schema, id: SchemaId, text: &str) -> Option<Document> {
    let Shape::Choices(choices) = &schema.node(id).shape else { return None };
    choice(choices, text).or_else(|| first_choice(choices, text))
}

/// The choice that a text means.
fn meant(choices: &Choices, text: &str) -> Option<Literal> {
    let is_symbol = |char: char| !char.is_ascii() && !char.is_alphanumeric();
    let marks = |char: char| char.is_whitespace() || is_symbol(char) || "\"'`*.“”‘’".contains(char);
    let bare = text.trim_matches(marks);
    match choices.resolve(text).or_else(|| choices.resolve(bare)) {
        Some(choice) => Some(choice.into()),
        None => choices.other(bare).cloned(),
    }
}

/// Whether an object has a member that its type declares.
fn has_declared(schema: &Schema, id: SchemaId, object: ValueRef<'_>) -> bool {
    object.entries().any(|(key, _)| key.is_some_and(|key| schema.declares(id, key)))
}

/// The choice that a text means: with or without quotes and emphasis, or in another spelling.
fn choice(choices: &Choices, text: &str) -> Option<Document> {
    let choice = meant(choices, text)?;
    if let Some(text) = choice.as_str() {
        return Some(Document::string(text));
    }
    let literal = choice.to_string();
    let kind = match literal.as_str() {
        "null" => NodeKind::Null,
        "true" => NodeKind::True,
        "false" => NodeKind::False,
        _ => NodeKind::Number,
    };
    Some(Document::one_scalar(kind, &literal))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::document::sample::document;
    use crate::format::Format;
    use crate::leniency::Leniency;
    use crate::schema::{
        Node, Schema, any, bool, int, list, number, object, one_of, one_of_or, str, union,
    };
    use crate::spec::{Spec, SpecBuilder};

    /// The corrections of a value: path, code and new value.
    fn corrections(schema: &Schema, json: &str, forbidden: Option<Leniency>) -> Vec<String> {
        let mut spec = Spec::builder().schema(schema.clone());
        if let Some(leniency) = forbidden {
            spec = spec.forbid(leniency);
        }
        corrections_under(spec, json)
    }

    fn corrections_under(spec: SpecBuilder, json: &str) -> Vec<String> {
        let spec = spec.build().expect("a spec");
        let schema = spec.schema().expect("a schema");
        let doc = document(json);
        let found = find(doc.value(), schema, &spec.0);
        let line = |it: &super::Aligned| {
            let path = doc.at(it.node).path();
            format!("{path} {} {}", it.code.name(), it.value.value())
        };
        found.iter().map(line).collect()
    }

    /// The stream did not check a value under another name.
    #[test]
    fn members_keep_their_names_in_a_schema_that_grants_values() {
        for (kind, want) in [
            (one_of(["a", "b"]), r#"{"name":"n","kind":"b"}"#),
            (one_of_or(["a", "b"], "a"), r#"{"Name":"n","Kind":"b"}"#),
        ] {
            let schema = object().field("name", str("")).field("kind", kind);
            let spec = Spec::builder().schema(schema).build().expect("a spec");
            let answer = spec.parse(r#"{"Name": "n", "Kind": "b"}"#).expect("no limit is met");
            assert_eq!(answer.value().to_string(), want);
        }
    }

    #[test]
    fn values_of_other_types_than_declared() {
        let root = |node: Node| Schema::from(object().field("a", node));
        let colours = || one_of(["red", "dark blue"]);
        for (schema, json, want) in [
            (root(int("")), r#"{"a": " 12 "}"#, "a text_as_value 12"),
            (root(int("")), r#"{"a": "12.5"}"#, ""),
            (root(int("")), r#"{"a": 12}"#, ""),
            (root(int("")), r#"{"a": "60_000"}"#, "a text_as_value 60000"),
            (root(bool("")), r#"{"a": "TRUE"}"#, "a text_as_value true"),
            (root(bool("")), r#"{"a": "yes"}"#, ""),
            (root(str("")), r#"{"a": 1.50}"#, r#"a value_as_text "1.50""#),
            (root(str("")), r#"{"a": [1]}"#, ""),
            (root(any("")), r#"{"a": "12"}"#, ""),
            (root(list(int(""))), r#"{"a": 1}"#, "a lone_item [1]"),
            (root(list(int(""))), r#"{"a": "[1, 2]"}"#, "a text_as_value [1,2]"),
            (root(list(str(""))), r#"{"a": "x"}"#, r#"a lone_item ["x"]"#),
            (root(list(int(""))), r#"{"a": null}"#, ""),
            (root(list(list(int("")))), r#"{"a": [1]}"#, "a[0] lone_item [1]"),
            (root(colours()), r#"{"a": "'Red'"}"#, r#"a enum_spelling "red""#),
            (root(colours()), r#"{"a": "**dark_blue**."}"#, r#"a enum_spelling "dark blue""#),
            (root(colours()), r#"{"a": "green"}"#, ""),
            (root(one_of(["café", "ёж"])), r#"{"a": "“café”"}"#, r#"a enum_spelling "café""#),
            (root(one_of(["café", "ёж"])), r#"{"a": "**ёж** ★"}"#, r#"a enum_spelling "ёж""#),
            (root(union([int(""), bool("")])), r#"{"a": "true"}"#, "a text_as_value true"),
            (root(union([number(""), list(number(""))])), r#"{"a": "1"}"#, ""),
        ] {
            assert_eq!(corrections(&schema, json, None).join(", "), want, "{json}");
        }
    }

    /// The corrections of the member `l` in a format.
    fn corrections_in(format: Format, item: impl Into<Node>, json: &str) -> String {
        let schema: Schema = object().field("l", list(item)).into();
        corrections_under(Spec::builder().format(format).schema(schema), json).join(", ")
    }

    #[test]
    fn items_that_yaml_reads_as_an_object_of_one_member() {
        let record = || object().field("name", str("")).field("grams", int("").required());
        for (json, want) in [
            (r#"{"l": [{"flour": 200}]}"#, r#"l[0] untidy_fields {"name":"flour","grams":200}"#),
            // The value has to be one of the second member, and the record has only these two.
            (r#"{"l": [{"flour": "x"}]}"#, ""),
            (r#"{"l": [{"flour": 200, "salt": 2}]}"#, ""),
            (r#"{"l": [{"grams": 200}]}"#, ""),
        ] {
            assert_eq!(corrections_in(Format::YamlLiteral, record(), json), want, "{json}");
            assert_eq!(corrections_in(Format::Json, record(), json), "", "{json}");
        }
        let item = || record().field("unit", str(""));
        assert_eq!(corrections_in(Format::YamlLiteral, item(), r#"{"l": [{"flour": 200}]}"#), "");
    }

    #[test]
    fn texts_that_yaml_reads_as_an_object_of_one_member() {
        for (json, want) in [
            (r#"{"l": [{"a": "b"}]}"#, r#"l[0] value_as_text "a: b""#),
            (r#"{"l": [{"a": 1.50}]}"#, r#"l[0] value_as_text "a: 1.50""#),
            (r#"{"l": [{"a": null}]}"#, ""),
            (r#"{"l": [{"a": ["b"]}]}"#, ""),
            (r#"{"l": [{"a": "b", "c": "d"}]}"#, ""),
        ] {
            assert_eq!(corrections_in(Format::YamlLiteral, str(""), json), want, "{json}");
            assert_eq!(corrections_in(Format::YamlLiteral, int(""), json), "", "{json}");
            assert_eq!(corrections_in(Format::Json, str(""), json), "", "{json}");
        }
        let schema: Schema = object().field("l", list(str(""))).into();
        let spec = Spec::builder().format(Format::YamlLiteral).schema(schema);
        let spec = spec.forbid(Leniency::ValueTexts);
        assert_eq!(corrections_under(spec, r#"{"l": [{"a": "b"}]}"#), [""; 0]);
    }

    #[test]
    fn an_object_whose_keys_count_is_a_list() {
        let root = |item: Node| Schema::from(object().field("l", list(item)));
        let of = |schema: Schema, json: &str| corrections(&schema, json, None).join(", ");
        for (object, want) in [
            (r#"{"1": 5, "2": 6}"#, "l unwrapped [5,6]"),
            (r#"{"0": 5, "1": 6}"#, "l unwrapped [5,6]"),
            (r#"{"step_1": 5, "step_2": 6}"#, "l unwrapped [5,6]"),
            (r#"{"2": 5, "3": 6}"#, ""),
            (r#"{"1": 5, "3": 6}"#, ""),
            (r#"{"a1": 5, "b2": 6}"#, ""),
            (r#"{"1": 5, "2": "x"}"#, ""),
            (r#"{"1": 5, "b": 6}"#, ""),
            ("{}", ""),
        ] {
            let json = format!("{{\"l\": {object}}}");
            assert_eq!(of(root(int("")), &json), want, "{json}");
        }
        // The object itself may be the item, or stand for a list inside.
        for item in [list(int("")), any(""), object().others(list(int(""))).into()] {
            let schema = root(item);
            let found = of(schema, r#"{"l": {"1": [5], "2": [6]}}"#);
            assert!(!found.contains("unwrapped"), "{found}");
        }
    }

    #[test]
    fn an_answer_inside_an_object_of_one_member() {
        let schema: Schema = object().field("a", int("").required()).field("b", str("")).into();
        for (json, want) in [
            (r#"{"answer": {"a": 1}}"#, r#" unwrapped {"a":1}"#),
            (r#"{"answer": {"b": "x"}}"#, ""),
            (r#"{"b": {"a": 1}}"#, ""),
            (r#"{"answer": {"a": 1}, "c": 2}"#, ""),
            (r#"{"answer": [1]}"#, ""),
        ] {
            assert_eq!(corrections(&schema, json, None).join(", "), want, "{json}");
            let without = corrections(&schema, json, Some(Leniency::Wrappers));
            assert!(!without.join(" ").contains("unwrapped"), "{json}");
        }
        // What may be any value is not unwrapped, whatever else it may be.
        let any = union([any(""), object().field("a", int("")).into()]);
        let any: Schema = object().field("x", any).into();
        assert_eq!(corrections(&any, r#"{"x": {"w": {"a": 1}}}"#, None), [""; 0]);
        let list: Schema = Schema::from(list(int("")));
        assert_eq!(corrections(&list, r#"{"items": [1]}"#, None), [" unwrapped [1]"]);
    }

    #[test]
    fn a_choice_in_a_field_may_have_a_label_of_three_words() {
        let schema: Schema = object().field("a", one_of(["red", "blue"])).into();
        for (text, want) in [
            ("The _main_ colour: red", r#"a enum_spelling "red""#),
            ("Of all the colours: red", ""),
            ("Colour 2: red", ""),
        ] {
            let spec = Spec::builder().format(Format::Hybrid).schema(schema.clone());
            let json = format!(r#"{{"a": "{text}"}}"#);
            assert_eq!(corrections_under(spec, &json).join(", "), want, "{text}");
        }
    }
}
