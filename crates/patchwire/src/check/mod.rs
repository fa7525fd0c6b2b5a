//! Checks of an answer: paths that must exist, values that must not be empty, and the exact shape of the
//! schema.
//!
//! A value is checked against a schema place by place, without backtracking. Of the alternatives of a
//! union, only the one that fits the value best at first sight is checked.

mod ensure;
mod failure;
pub(crate) mod fit;
mod shape;
mod walk;

use ensure::EnsureTree;
pub use failure::{Failure, FailureKind};
use shape::{ShapeCheck, ShapeRules};

use std::collections::HashMap;

use crate::document::{Entries, ValueKind, ValueRef};
use crate::path::{Path, PatternError};
use crate::schema::tree::{Object, Slot};
use crate::schema::{Presence, Schema};

/// At so many steps of one path wildcards may stand beside names: the paths of one place are at most two to the
/// power of it.
pub(crate) const MOST_FORKS: usize = 6;

/// At most this many failures are listed.
const MAX_FAILURES: usize = 64;

/// The checks of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    /// Paths that the caller requires, in addition to the schema.
    ensures: EnsureTree,
    paths: PathCount,
    /// The value must be valid against the schema.
    valid: bool,
    /// Nor may it have members that the schema does not declare.
    exact: bool,
}

/// How many paths there are, and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PathCount {
    pub(crate) count: usize,
    pub(crate) bytes: usize,
}

impl Checks {
    /// Checks by the schema. `exact` counts only if `valid` is set, too.
    pub(crate) fn new(valid: bool, exact: bool) -> Self {
        Self { valid, exact, ..Self::default() }
    }

    /// Whether the schema judges the value.
    #[cfg(feature = "validate")]
    pub(crate) const fn valid(&self) -> bool {
        self.valid
    }

    /// Adds a path that must lead to values.
    pub(crate) fn ensure(&mut self, path: &str, presence: Presence) -> Result<(), PatternError> {
        self.ensures.add(&path.parse()?, presence);
        self.paths.count += 1;
        self.paths.bytes += path.len();
        Ok(())
    }

    /// How many paths the caller requires.
    pub(crate) const fn paths(&self) -> PathCount {
        self.paths
    }

    /// At how many steps of one path wildcards stand beside names.
    pub(crate) fn forks(&self) -> usize {
        self.ensures.forks()
    }

    /// Whether any check can fail.
    pub(crate) fn check_anything(&self, schema: Option<&Schema>) -> bool {
        let by_schema = schema.is_some_and(|schema| schema.wants_anything() || self.valid);
        by_schema || !self.ensures.is_empty()
    }

    /// Checks a value that just closed, but not the values in it: those closed before. Adds to the failures
    /// found so far.
    pub(crate) fn check_closed(&self, place: &ClosedValue<'_>, found: &mut Failures) {
        if found.is_exhausted() {
            return;
        }
        if let Some((schema, slot)) = place.schema {
            if self.valid && (place.is_certain)() {
                let rules = ShapeRules { types: !place.may_align, exact: self.exact };
                let check = ShapeCheck { schema, rules };
                check.check_closed(place.value, slot.schema, found);
            }
            if schema.wants_anything() {
                walk::check_closed(place.value, slot, schema, found);
            }
        }
        if !self.ensures.is_empty() {
            self.ensures.check_closed(place.value, place.path, found);
        }
    }

    /// The verdict of the JSON Schema if there is one, and else that of the declared types; and the exact
    /// shape.
    fn judge(&self, value: ValueRef<'_>, schema: &Schema, found: &mut Failures) {
        #[cfg(feature = "validate")]
        if let Some(text) = schema.text() {
            for finding in text.judge(value, MAX_FAILURES) {
                found.add(|| Failure::found(finding));
            }
            if self.exact {
                let rules = ShapeRules { types: false, exact: true };
                ShapeCheck { schema, rules }.check(value, found);
            }
            return;
        }
        let rules = ShapeRules { types: true, exact: self.exact };
        ShapeCheck { schema, rules }.check(value, found);
    }

    /// The failures of a value, each place and reason once.
    pub(crate) fn failures(&self, value: ValueRef<'_>, schema: Option<&Schema>) -> Vec<Failure> {
        if !value.exists() {
            return vec![Failure::new(FailureKind::NoValue, value)];
        }
        let mut found = Failures::default();
        if let Some(schema) = schema {
            if self.valid {
                self.judge(value, schema, &mut found);
            }
            walk::check(value, schema, &mut found);
        }
        self.ensures.check(value, &mut found);
        found.list
    }
}

/// A value that just closed, and its place.
pub(crate) struct ClosedValue<'a> {
    pub(crate) value: ValueRef<'a>,
    pub(crate) path: Path<'a>,
    /// The schema of the place.
    pub(crate) schema: Option<(&'a Schema, Slot)>,
    /// Whether the schema of the place is certain. Where a container may be one of several objects, only its
    /// end shows what its members should be.
    pub(crate) is_certain: &'a dyn Fn() -> bool,
    /// Whether the finalizer may change the type of a value.
    pub(crate) may_align: bool,
}

/// Failures found so far, without duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Failures {
    list: Vec<Failure>,
    /// How many failures were added, duplicates included. Each costs as much as its place is deep.
    added: usize,
}

impl Failures {
    /// Adds a failure, unless it is known or the list is full.
    fn add(&mut self, failure: impl FnOnce() -> Failure) {
        if self.is_full() {
            return;
        }
        self.added += 1;
        let failure = failure();
        if !self.list.iter().any(|known| failure.repeats(known)) {
            self.list.push(failure);
        }
    }

    const fn is_full(&self) -> bool {
        self.list.len() >= MAX_FAILURES
    }

    /// Whether a stream has failed often enough, counting repeated failures of one place.
    const fn is_exhausted(&self) -> bool {
        self.is_full() || self.added >= 4 * MAX_FAILURES
    }

    /// The failures, in order.
    pub(crate) fn list(&self) -> &[Failure] {
        &self.list
    }
}

/// Finds the members of an object by name. Names in the order of the object need no search.
struct MemberLookup<'v> {
    object: ValueRef<'v>,
    /// The next member in order.
    ahead: Option<(&'v str, ValueRef<'v>)>,
    rest: Entries<'v>,
    /// All members, once a search over many is needed.
    all: Option<HashMap<&'v str, ValueRef<'v>>>,
    are_many: bool,
}

impl<'v> MemberLookup<'v> {
    /// Prepares a lookup of the members that this type declares.
    fn of(object: ValueRef<'v>, declared: &Object) -> Self {
        // With few members a search is fast, however many names are looked up.
        let are_many = declared.fields().len() > FEW_NAMES && object.len() > FEW_NAMES;
        let mut members = Self { object, ahead: None, rest: object.entries(), all: None, are_many };
        members.advance();
        members
    }

    fn get(&mut self, name: &str) -> Option<ValueRef<'v>> {
        match self.ahead {
            Some((next, value)) if next == name => {
                self.advance();
                Some(value)
            }
            _ => self.search(name),
        }
    }

    fn advance(&mut self) {
        let next = self.rest.next();
        self.ahead = next.and_then(|(key, value)| Some((key?, value)));
    }

    fn search(&mut self, name: &str) -> Option<ValueRef<'v>> {
        if !self.are_many {
            return self.object.get(name);
        }
        let all = self.all.get_or_insert_with(|| {
            let mut all = HashMap::new();
            for (key, child) in self.object.entries() {
                all.entry(key.unwrap_or_default()).or_insert(child);
            }
            all
        });
        all.get(name).copied()
    }
}

/// Up to this many names are searched one by one.
const FEW_NAMES: usize = 8;

/// Why a value that must not be empty is empty.
fn emptiness(value: ValueRef<'_>) -> Option<FailureKind> {
    match value.kind() {
        ValueKind::Null => Some(FailureKind::Null),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default();
            text.trim().is_empty().then_some(FailureKind::Blank)
        }
        ValueKind::List => value.is_empty().then_some(FailureKind::Empty),
        ValueKind::Bool | ValueKind::Number | ValueKind::Object => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Checks, ClosedValue, Failure, FailureKind, Failures, MAX_FAILURES, emptiness};
    use crate::document::sample::document;
    use crate::path::Path;
    use crate::schema::tree::Slot;
    use crate::schema::{Presence, Schema, any, int, list, literal, map, object, str, union};

    #[test]
    fn values_that_are_empty() {
        for (json, kind) in [
            ("null", Some(FailureKind::Null)),
            (r#"" \n""#, Some(FailureKind::Blank)),
            (r#""a""#, None),
            ("[]", Some(FailureKind::Empty)),
            ("[null]", None),
            ("{}", None),
            ("0", None),
            ("false", None),
        ] {
            assert_eq!(emptiness(document(json).value()), kind, "{json}");
        }
    }

    fn failures(checks: &Checks, schema: Option<&Schema>, json: &str) -> Vec<String> {
        let found = checks.failures(document(json).value(), schema);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn required_values_that_are_missing_or_empty() {
        let item = object().field("sku", str("").required()).field("note", str(""));
        let schema: Schema = object()
            .field("items", list(item))
            .field("id", int("").present())
            .field("tags", map(str("")))
            .into();
        for (json, want) in [
            (r#"{"items": [{"sku": "A"}], "id": 1}"#, &[][..]),
            (r#"{"items": [{"sku": "A"}], "id": null}"#, &[]),
            (r#"{"items": [{"sku": "A"}]}"#, &["id is missing"]),
            (r#"{"items": [], "id": 1}"#, &["items is empty"]),
            (r#"{"id": 1}"#, &["items is missing"]),
            (
                r#"{"items": [{"sku": " "}, {"note": "x"}], "id": 1}"#,
                &["items[0].sku is blank", "items[1].sku is missing"],
            ),
            (r#"{"items": [null], "id": 1}"#, &["items[0] is null"]),
        ] {
            assert_eq!(failures(&Checks::default(), Some(&schema), json), want, "{json}");
        }
        assert_eq!(failures(&Checks::default(), Some(&schema), ""), ["no value could be read"]);
    }

    #[test]
    fn the_exact_shape_of_a_schema() {
        let nested = object().field("b", list(int("")));
        let schema: Schema =
            object().field("a", union([str(""), int("")])).field("o", nested).into();
        for (json, want) in [
            (r#"{"a": "x", "o": {"b": [1, 2]}}"#, &[][..]),
            (r#"{"a": 1}"#, &[]),
            (r#"{"a": true}"#, &["a should be a string or a whole number"]),
            (r#"{"c": 1, "a": 1}"#, &["c is not in the schema"]),
            (
                r#"{"o": {"b": [1, "x"], "d": 2}}"#,
                &["o.d is not in the schema", "o.b[1] should be a whole number"],
            ),
        ] {
            assert_eq!(failures(&Checks::new(true, true), Some(&schema), json), want, "{json}");
            assert!(failures(&Checks::new(false, false), Some(&schema), json).is_empty(), "{json}");
        }
        let free: Schema = object().field("x", any("")).into();
        assert!(
            failures(&Checks::new(true, true), Some(&free), r#"{"x": [1, {"y": null}]}"#)
                .is_empty()
        );
    }

    /// The patterns of a schema may allow names that it does not declare.
    #[cfg(feature = "validate")]
    #[test]
    fn names_that_only_a_pattern_allows() {
        let patterns = r#""patternProperties": {"^x-": {}}"#;
        let member = r#""properties": {"a": {"type": "integer"}}"#;
        let (open, closed) =
            (r#""additionalProperties": true"#, r#""additionalProperties": false"#);
        let typed = r#""additionalProperties": {"type": "integer"}"#;
        let of = |parts: &[&str]| format!(r#"{{"type": "object", {}}}"#, parts.join(", "));
        for (schema, wrong) in [
            (of(&[member]), &["x-b is not in the schema", "y is not in the schema"][..]),
            (of(&[member, patterns]), &["y is not in the schema"]),
            (of(&[patterns]), &["y is not in the schema"]),
            (of(&[member, patterns, open]), &[]),
            (of(&[member, patterns, closed]), &["y is not in the schema"]),
            (of(&[member, closed]), &["x-b is not in the schema", "y is not in the schema"]),
            (of(&[member, typed]), &[]),
            (r#"{"type": "object"}"#.to_owned(), &[]),
        ] {
            let schema_text = schema.clone();
            let schema = Schema::from_json_schema_text(&schema).expect("a schema");
            let rules = super::ShapeRules { types: false, exact: true };
            let check = super::ShapeCheck { schema: &schema, rules };
            let (doc, mut found) = (document(r#"{"x-b": 1, "y": 2}"#), Failures::default());
            check.check(doc.value(), &mut found);
            let shown: Vec<String> = found.list().iter().map(ToString::to_string).collect();
            assert_eq!(shown, wrong, "{schema_text}");
        }
    }

    /// Of a union with many alternatives, an index finds those that a value may be.
    #[test]
    fn the_alternative_of_a_large_union() {
        for (count, json, want) in [
            (40, "1", "a should be an object"),
            (40, r#"{"kind": "k39"}"#, "a.n39 is missing"),
            (90, r#"{"kind": "k89"}"#, "a.n89 is missing"),
        ] {
            let kind = |at: usize| {
                let kind = literal(format!("k{at}")).present();
                object().field("kind", kind).field(&format!("n{at}"), int("").present())
            };
            let schema: Schema = object().field("a", union((0..count).map(kind))).into();
            let json = format!(r#"{{"a": {json}}}"#);
            assert_eq!(failures(&Checks::new(true, true), Some(&schema), &json), [want], "{json}");
        }
    }

    #[test]
    fn paths_that_a_caller_needs() {
        let mut checks = Checks::default();
        checks.ensure("items[*].sku", Presence::Meaningful).expect("a path");
        checks.ensure("note", Presence::Present).expect("a path");
        for (json, want) in [
            (r#"{"items": [{"sku": "A"}], "note": null}"#, &[][..]),
            (r#"{"items": [], "note": ""}"#, &["items is empty"]),
            (
                r#"{"items": [{"sku": ""}, {}], "note": 1}"#,
                &["items[0].sku is blank", "items[1].sku is missing"],
            ),
            (r#"{"items": "A"}"#, &["items should be a list or an object", "note is missing"]),
            (r#"[]"#, &["items is missing", "note is missing"]),
        ] {
            assert_eq!(failures(&checks, None, json), want, "{json}");
        }
        assert!(checks.ensure("items[", Presence::Present).is_err());
    }

    /// Paths share their first steps, in the order in which they were added, and a wildcard stands beside names.
    #[test]
    fn many_paths_that_a_caller_needs() {
        let mut checks = Checks::default();
        for path in ["a.x", "b", "a.y", "a[*].z", "l[1]", "l[3]", "c"] {
            checks.ensure(path, Presence::Present).expect("a path");
        }
        checks.ensure("c", Presence::Meaningful).expect("a path");
        for (json, want) in [
            (
                r#"{"a": {"x": {"z": 1}, "y": {"z": 2}}, "b": 1, "l": [1, 2, 3, 4], "c": 1}"#,
                &[][..],
            ),
            (
                r#"{"a": {"x": {}}, "l": [1, 2], "c": " "}"#,
                &[
                    "a.y is missing",
                    "a.x.z is missing",
                    "b is missing",
                    "l[3] is missing",
                    "c is blank",
                ],
            ),
        ] {
            assert_eq!(failures(&checks, None, json), want, "{json}");
        }
        let mut wide = Checks::default();
        for at in 0..2_000 {
            wide.ensure(&format!("k{at}"), Presence::Meaningful).expect("a path");
        }
        let members: Vec<String> = (0..1_999).map(|at| format!("\"k{at}\": {at}")).collect();
        let json = format!("{{{}}}", members.join(","));
        assert_eq!(failures(&wide, None, &json), ["k1999 is missing"]);
    }

    #[test]
    fn failures_are_listed_once_and_up_to_a_bound() {
        let mut found = Failures::default();
        let root = document("[]");
        for _ in 0..3 {
            found.add(|| Failure::new(FailureKind::Empty, root.value()));
        }
        assert_eq!((found.list().len(), found.added), (1, 3));
        // One place that fails again and again ends a stream, too.
        for added in 4..=4 * MAX_FAILURES {
            assert!(!found.is_exhausted(), "{added}");
            found.add(|| Failure::new(FailureKind::Empty, root.value()));
        }
        assert!(found.is_exhausted() && !found.is_full());

        let many = document(&format!("[{}]", vec!["null"; MAX_FAILURES + 9].join(",")));
        for (_, item) in many.value().entries() {
            found.add(|| Failure::new(FailureKind::Null, item));
        }
        assert_eq!(found.list().len(), MAX_FAILURES);
        assert!(found.is_full() && found.is_exhausted());
    }

    /// What is said of a value that just closed.
    fn closed(checks: &Checks, schema: &Schema, json: &str, is_certain: bool) -> Vec<String> {
        let doc = document(json);
        let place = ClosedValue {
            value: doc.value(),
            path: Path::ROOT,
            schema: Some((schema, Slot { schema: schema.root(), presence: schema.presence() })),
            is_certain: &|| is_certain,
            may_align: false,
        };
        let mut found = Failures::default();
        checks.check_closed(&place, &mut found);
        found.list().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_closed_value_is_checked_alone() {
        let schema: Schema = object().field("a", list(str("").required()).required()).into();
        let json = r#"{"a": [], "b": 1}"#;
        let checks = Checks::new(true, true);
        assert_eq!(closed(&checks, &schema, json, true), ["b is not in the schema"]);
        // Where another type may be meant, only the end tells the shape.
        assert_eq!(closed(&checks, &schema, json, false), [""; 0]);
    }

    /// The first fits best, but the other one allows all names. The types of its members were checked before.
    #[test]
    fn a_closed_value_that_an_alternative_allows_has_no_fault() {
        let one = || object().field("a", int("")).closed();
        let other = || object().field("a", str("")).field("b", int(""));
        let closed_other = || object().field("a", str("")).closed();
        for (schema, said) in [
            (Schema::from(one()), &["b is not in the schema"][..]),
            (union([one(), other()]).into(), &[]),
            (union([one(), closed_other()]).into(), &["b is not in the schema"]),
        ] {
            let checks = Checks::new(true, false);
            assert_eq!(closed(&checks, &schema, r#"{"a": 1, "b": "x"}"#, true), said, "{schema:?}");
        }
    }

    #[test]
    fn whether_any_check_can_fail() {
        let plain: Schema = object().field("a", str("")).into();
        let wanting: Schema = object().field("a", str("").present()).into();
        let none = Checks::default();
        let valid = Checks::new(true, false);
        let mut ensuring = Checks::default();
        ensuring.ensure("a", Presence::Present).expect("a path");
        for (checks, by_none, by_plain, by_wanting) in [
            (&none, false, false, true),
            (&valid, false, true, true),
            (&Checks::new(false, true), false, false, true),
            (&ensuring, true, true, true),
        ] {
            let can_fail = [None, Some(&plain), Some(&wanting)].map(|it| checks.check_anything(it));
            assert_eq!(can_fail, [by_none, by_plain, by_wanting], "{checks:?}");
        }
    }
}
