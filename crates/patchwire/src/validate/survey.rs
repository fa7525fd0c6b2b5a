//! Goes through the text of a schema once: what cannot be checked, and how long chains of schemas are.

use std::collections::{HashMap, HashSet};

use jsonschema::Draft;
use serde_json::{Value as Json, json};

use super::effort::Applied;
use super::keywords::{Holds, holds};
use super::{Unchecked, depth, options, pattern};
use crate::text::text_path::TextPath;

/// At most this many different patterns are run. Compiling one may take a thousandth of a second.
const PATTERNS_MAX: usize = 256;

/// At most so many keywords are listed as not checked.
const LISTED_MAX: usize = 1_000;

/// The bytes of all places that are listed or changed.
const KEPT_BYTES: usize = 4 << 20;

/// The longest chain in the schemas of JSON Schema itself, rounded up.
const DRAFT_CHAIN: usize = 8;

/// What a survey finds.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) unchecked: Vec<Unchecked>,
    /// What has to change before the validator can use the text.
    pub(super) edits: Vec<Edit>,
    /// References with an address, in a text with several addresses.
    pub(super) addresses: Vec<AddressedRef>,
    /// The patterns of names.
    pub(super) names: Vec<String>,
    /// The longest chain of schemas that apply to one value.
    pub(super) chain: usize,
    /// What each schema applies; the first is the root.
    pub(super) applied: Vec<Applied>,
    /// There are more keywords to leave out than can be.
    pub(super) is_beyond: bool,
}

#[derive(Debug)]
pub(super) struct AddressedRef {
    pub(super) edit: Edit,
    pub(super) unchecked: Unchecked,
}

/// A change of a schema in the text.
#[derive(Debug)]
pub(super) struct Edit {
    path: String,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Remove(&'static str),
    RemovePattern(String),
    Nullable,
}

impl Edit {
    pub(super) fn apply(&self, text: &mut Json) {
        let Some(schema) = text.pointer_mut(&self.path) else { return };
        let Some(members) = schema.as_object_mut() else { return };
        match &self.change {
            Change::Remove(keyword) => drop(members.remove(*keyword)),
            Change::RemovePattern(name) => {
                let patterns = members.get_mut("patternProperties").and_then(Json::as_object_mut);
                drop(patterns.and_then(|patterns| patterns.remove(name)));
            }
            Change::Nullable => {
                members.remove("nullable");
                let own = schema.take();
                *schema = json!({ "anyOf": [own, { "type": "null" }] });
            }
        }
    }
}

/// Surveys all schemas of a text, and the places that its references lead to.
pub(super) fn read(text: &Json, draft: Draft) -> Survey {
    let mut surveyor = Surveyor::new(text, draft);
    surveyor.visit(TextPath::default(), text);
    while let Some((number, path, schema)) = surveyor.open.pop() {
        surveyor.schema(number, &path, schema);
    }
    surveyor.finish()
}

struct Surveyor<'t> {
    text: &'t Json,
    draft: Draft,
    found: Survey,
    /// The numbers of the schemas, by their place in memory.
    known: HashMap<*const Json, usize>,
    open: Vec<(usize, TextPath, &'t Json)>,
    /// What each schema applies.
    applied: Vec<Applied>,
    /// Schemas with references that are resolved at the end: to anchors, or with an address.
    loose: Vec<(usize, String)>,
    /// The number of each anchor, which applies all schemas that have it.
    anchors: HashMap<&'t str, usize>,
    has_inner_ids: bool,
    /// Whether each pattern can be run.
    patterns: HashMap<&'t str, bool>,
    refs: Vec<(TextPath, &'t str)>,
    /// The bytes of the places that are listed or changed.
    bytes: usize,
}

impl<'t> Surveyor<'t> {
    fn new(text: &'t Json, draft: Draft) -> Self {
        Self {
            text,
            draft,
            found: Survey::default(),
            known: HashMap::new(),
            open: Vec::new(),
            applied: Vec::new(),
            loose: Vec::new(),
            anchors: HashMap::new(),
            has_inner_ids: has_inner_ids(text),
            patterns: HashMap::new(),
            refs: Vec::new(),
            bytes: 0,
        }
    }

    /// The number of a schema, which is surveyed once.
    fn visit(&mut self, path: TextPath, schema: &'t Json) -> usize {
        let next = self.applied.len();
        let number = *self.known.entry(core::ptr::from_ref(schema)).or_insert(next);
        if number == next {
            self.applied.push(Applied::default());
            self.open.push((number, path, schema));
        }
        number
    }

    /// Lists a keyword, unless the list is full.
    fn unchecked(&mut self, path: &TextPath, keyword: &str) {
        if self.found.unchecked.len() < LISTED_MAX && self.takes(path, keyword) {
            let (path, keyword) = (path.to_string(), keyword.to_owned());
            self.found.unchecked.push(Unchecked { path, keyword });
        }
    }

    fn leave_out(&mut self, path: &TextPath, keyword: &'static str) {
        self.unchecked(path, keyword);
        self.edit(path, Change::Remove(keyword));
    }

    fn edit(&mut self, path: &TextPath, change: Change) {
        if self.takes(path, "") {
            self.found.edits.push(Edit { path: path.to_string(), change });
        } else {
            self.found.is_beyond = true;
        }
    }

    /// Whether the bytes of one more place may be kept.
    fn takes(&mut self, path: &TextPath, keyword: &str) -> bool {
        self.bytes += path.len() + keyword.len();
        self.bytes <= KEPT_BYTES
    }

    fn schema(&mut self, number: usize, path: &TextPath, schema: &'t Json) {
        let Some(members) = schema.as_object() else { return };
        for (keyword, value) in members {
            let Some(holds) = holds(keyword) else {
                self.unchecked(path, keyword);
                continue;
            };
            match holds {
                Holds::Same => {
                    let inner = self.visit(path.name(keyword), value);
                    self.applied[number].same.push(inner);
                }
                Holds::SameEach => {
                    let inner = self.visit_each(&path.name(keyword), value);
                    let own = &mut self.applied[number];
                    if matches!(&**keyword, "anyOf" | "oneOf") {
                        own.alternatives += inner.len();
                    }
                    own.same.extend(inner);
                }
                Holds::Other | Holds::OtherEach => self.below(number, path, keyword, value),
                Holds::Reference => self.reference(number, path, keyword, value),
                Holds::Rule | Holds::Nothing => self.rule(number, path, keyword, value),
            }
            if keyword == "patternProperties" {
                self.names(path, value);
            }
        }
    }

    /// A keyword with schemas for other values.
    fn below(&mut self, number: usize, path: &TextPath, keyword: &str, value: &'t Json) {
        let is_list = value.is_array() || holds(keyword) == Some(Holds::OtherEach);
        let place = path.name(keyword);
        let inner =
            if is_list { self.visit_each(&place, value) } else { vec![self.visit(place, value)] };
        let own = &mut self.applied[number];
        match (keyword, value) {
            ("$defs" | "definitions", _) => {}
            ("properties", Json::Object(members)) => {
                own.entries += members.len();
                let named = members.iter().filter(|(_, item)| is_schema(item)).zip(inner);
                own.named.extend(named.map(|((name, _), inner)| (name.clone(), inner)));
            }
            ("patternProperties", Json::Object(members)) => {
                own.patterns += members.len();
                own.each.extend(inner);
            }
            _ => own.each.extend(inner),
        }
    }

    fn visit_each(&mut self, path: &TextPath, value: &'t Json) -> Vec<usize> {
        match value {
            Json::Array(items) => {
                let each = (0..).zip(items).filter(|(_, item)| is_schema(item));
                each.map(|(at, item): (usize, _)| self.visit(path.name(&at.to_string()), item))
                    .collect()
            }
            Json::Object(members) => {
                let each = members.iter().filter(|(_, item)| is_schema(item));
                each.map(|(key, item)| self.visit(path.name(key), item)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn rule(&mut self, number: usize, path: &TextPath, keyword: &str, value: &'t Json) {
        let text = value.as_str();
        if holds(keyword) == Some(Holds::Rule) {
            let entries =
                value.as_array().map(Vec::len).or_else(|| value.as_object().map(|it| it.len()));
            self.applied[number].entries += entries.unwrap_or_default();
        }
        match (keyword, text) {
            ("pattern", Some(text)) if !self.can_run(text) => self.leave_out(path, "pattern"),
            ("format", Some(name)) if !self.knows_format(name) => self.unchecked(path, "format"),
            // Draft 3 had a bool here.
            ("required", None) if value.is_boolean() && self.draft != Draft::Draft4 => {
                self.leave_out(path, "required");
            }
            ("nullable", None) if value.as_bool() == Some(true) => {
                self.edit(path, Change::Nullable);
            }
            ("$schema", Some(name)) if !is_known_draft(name) => self.leave_out(path, "$schema"),
            ("$anchor" | "$dynamicAnchor", Some(name)) => {
                let next = self.applied.len();
                let anchor = *self.anchors.entry(name).or_insert(next);
                if anchor == next {
                    self.applied.push(Applied::default());
                }
                self.applied[anchor].same.push(number);
            }
            _ => {}
        }
    }

    fn names(&mut self, path: &TextPath, patterns: &'t Json) {
        for name in patterns.as_object().into_iter().flat_map(|it| it.keys()) {
            if self.can_run(name) {
                self.found.names.push(name.clone());
                continue;
            }
            self.unchecked(&path.name("patternProperties"), name);
            self.edit(path, Change::RemovePattern(name.clone()));
        }
    }

    fn can_run(&mut self, text: &'t str) -> bool {
        if let Some(known) = self.patterns.get(text) {
            return *known;
        }
        let can = self.patterns.len() < PATTERNS_MAX && pattern(text).is_some();
        self.patterns.insert(text, can);
        can
    }

    fn knows_format(&self, name: &str) -> bool {
        options(self.draft).is_known_format(self.draft, name)
    }

    fn reference(&mut self, number: usize, path: &TextPath, keyword: &str, value: &'t Json) {
        let Some(reference) = value.as_str() else { return };
        let pointer = reference.strip_prefix('#').and_then(decoded);
        let target = pointer.as_deref().and_then(|pointer| {
            let is_pointer = pointer.is_empty() || pointer.starts_with('/');
            is_pointer.then(|| self.text.pointer(pointer)).flatten()
        });
        match (target, pointer) {
            // A pointer leads to the same place by each of the keywords.
            (Some(target), Some(pointer)) if !self.has_inner_ids => {
                let target = self.visit(TextPath::at(pointer), target);
                self.applied[number].same.push(target);
            }
            _ => self.loose.push((number, reference.to_owned())),
        }
        if keyword == "$ref" && !reference.starts_with('#') {
            self.refs.push((path.clone(), reference));
        }
    }

    fn finish(mut self) -> Survey {
        let mut is_unknown = false;
        for (number, reference) in core::mem::take(&mut self.loose) {
            match reference.strip_prefix('#').and_then(|name| self.anchors.get(name)) {
                Some(anchor) => self.applied[number].same.push(*anchor),
                // Other references are left out, or make the schema invalid.
                None => is_unknown |= self.has_inner_ids,
            }
        }
        let of_drafts = self.refs.iter().any(|(_, reference)| is_known_draft(reference));
        self.addressed();
        let chain = if is_unknown { self.applied.len() } else { depth::chain(&self.applied) };
        depth::cut_circles(&mut self.applied);
        self.found.applied = self.applied;
        self.found.chain = chain + if of_drafts { DRAFT_CHAIN } else { 0 };
        let mut seen = HashSet::new();
        self.found.unchecked.retain(|it| seen.insert((it.path.clone(), it.keyword.clone())));
        self.found
    }

    /// Leaves out references to other texts. Where several schemas of this text have addresses, only the
    /// validator can tell which these are.
    fn addressed(&mut self) {
        let own = self.text.get("$id").and_then(Json::as_str).map(without_fragment);
        for (path, reference) in core::mem::take(&mut self.refs) {
            let address = without_fragment(reference);
            if own == Some(address) || is_known_draft(reference) {
                continue;
            }
            if !self.has_inner_ids {
                self.leave_out(&path, "$ref");
                continue;
            }
            if !self.takes(&path, "") {
                self.found.is_beyond = true;
                continue;
            }
            let path = path.to_string();
            let edit = Edit { path: path.clone(), change: Change::Remove("$ref") };
            let unchecked = Unchecked { path, keyword: "$ref".to_owned() };
            self.found.addresses.push(AddressedRef { edit, unchecked });
        }
    }
}

/// Whether a schema inside the text has an address of its own, from which its references count.
fn has_inner_ids(text: &Json) -> bool {
    let mut open = vec![(text, true)];
    while let Some((value, is_root)) = open.pop() {
        match value {
            Json::Object(members) => {
                let address = |keyword| members.get(keyword).and_then(Json::as_str);
                let id = address("$id").or_else(|| address("id"));
                if !is_root && id.is_some_and(|id| !id.starts_with('#')) {
                    return true;
                }
                open.extend(members.values().map(|value| (value, false)));
            }
            Json::Array(items) => open.extend(items.iter().map(|value| (value, false))),
            _ => {}
        }
    }
    false
}

const fn is_schema(value: &Json) -> bool {
    matches!(value, Json::Object(_) | Json::Bool(_))
}

/// Whether an address is that of a schema of JSON Schema itself, which the validator has.
fn is_known_draft(address: &str) -> bool {
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    rest.is_some_and(|rest| rest.starts_with("json-schema.org/"))
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

/// A fragment without percent signs (RFC 3986 section 2.1).
fn decoded(fragment: &str) -> Option<String> {
    crate::text::percent::decoded(fragment)
}

#[cfg(test)]
mod tests {
    use super::has_inner_ids;
    use serde_json::json;

    #[test]
    fn addresses_inside_a_schema_are_found_at_any_depth() {
        for (schema, has) in [
            (json!({}), false),
            (json!({"$id": "a"}), false),
            (json!({"id": "a"}), false),
            (json!({"items": {"$id": "a"}}), true),
            (json!({"items": {"id": "a"}}), true),
            (json!({"allOf": [{"$id": "a"}]}), true),
            (json!({"allOf": [{"type": "null"}, {"not": {"$id": "a"}}]}), true),
            (json!([{"$id": "a"}]), true),
            // An anchor of old drafts is no address.
            (json!({"items": {"$id": "#a"}}), false),
            (json!({"items": {"$id": "#a", "id": "b"}}), false),
            (json!({"properties": {"id": {"type": "string"}}}), false),
        ] {
            assert_eq!(has_inner_ids(&schema), has, "{schema}");
        }
    }
}
