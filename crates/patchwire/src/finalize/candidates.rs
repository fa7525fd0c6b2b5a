//! Other roots in a text that could be the payload, compared with the root that was streamed.

use super::lone_scalar;
use super::parts::{Part, Parts};
use super::reread::{self, Reread};
use super::text_part::PartText;
use crate::document::{ValueKind, ValueRef};
use crate::format::json::{Mark, Roots};
use crate::lex::json::scalar;
use crate::schema::{Presence, Schema};
use crate::span::Span;
use crate::spec::Settings;

/// At most this many times the length of the text is read again, so that the work stays linear.
const REREAD_FACTOR: u64 = 2;

/// The root before candidates are compared.
pub(super) struct Current<'v> {
    pub(super) root: ValueRef<'v>,
    /// Bytes that already continue the root.
    pub(super) taken: Span,
    pub(super) is_truncated: bool,
}

/// The candidate that fits better than the current root. Without a root, the best candidate.
pub(super) fn best(
    text: &PartText<'_>,
    settings: &Settings,
    current: &Current<'_>,
) -> Option<Reread> {
    let Current { root, taken, is_truncated } = *current;
    if matches!(settings.json.roots, Roots::First | Roots::Concatenated) && root.exists() {
        return None;
    }
    let raw = text.raw;
    let streamed = text.part.candidates.taken.filter(|_| root.exists());
    let mut leader: Option<Reread> = None;
    let fenced = streamed.is_some_and(|taken| taken.fenced);
    // Made for the first candidate: most texts have none.
    let mut scores = None;
    let mut from = 0;
    let mut parts = None;
    // Candidates may be nested: the bytes of one that is rejected are read again for the next.
    let mut budget = REREAD_FACTOR * text.part.span.len();
    for mark in &text.part.candidates.marks {
        let is_taken = taken.start <= mark.start && mark.start < taken.end;
        if mark.start < from || is_taken || budget == 0 || text.is_thought(mark.start) {
            continue;
        }
        let start = list_around(raw, mark.start, settings).unwrap_or(mark.start);
        let read = reread::root(raw, start, settings);
        let rest = raw.len() as u64 - start;
        budget = budget.saturating_sub(read.as_ref().map_or(rest, |read| read.span.len()));
        let Some(read) = read.filter(is_worth_comparing) else { continue };
        if is_remark(&read, mark, raw, root) {
            continue;
        }
        from = read.span.end;
        let mut next =
            CandidateScore::of(read.document.value(), settings, mark.fenced, read.is_complete);
        next.is_last = settings.json.roots == Roots::Last;
        let score = scores.get_or_insert_with(|| {
            streamed.map(|_| CandidateScore::of(root, settings, fenced, !is_truncated))
        });
        let parts = parts.get_or_insert_with(|| Parts::of(root));
        let fits_better = || settings.json.schema.is_some() && score.is_none_or(|it| next > it);
        match parts.find(read.document.value()) {
            Some(Part::Outermost) => continue,
            Some(Part::Inside) if !fits_better() => continue,
            _ => {}
        }
        let before = streamed.is_some_and(|taken| taken.end.is_none_or(|end| mark.start < end));
        let wins = |score: &CandidateScore| match settings.json.roots {
            // Of equals the first wins.
            Roots::FirstFit => next > *score || (next == *score && before && leader.is_none()),
            // Of equals the last wins.
            _ => next >= *score,
        };
        if score.as_ref().is_none_or(wins) {
            *score = Some(next);
            leader = Some(read);
        }
    }
    if leader.is_none() && !root.exists() {
        return lone_scalar::strict(raw, text.part.alone?, settings);
    }
    leader
}

/// The bracket of a list whose first item is the candidate. If the schema wants no list, its items are candidates.
fn list_around(raw: &[u8], start: u64, settings: &Settings) -> Option<u64> {
    let schema = settings.json.schema.as_ref();
    if schema.is_some_and(|schema| !schema.may_be_list(schema.root())) {
        return None;
    }
    let before = raw.get(..usize::try_from(start).ok()?)?.trim_ascii_end();
    let (last, before) = before.split_last()?;
    // `[` behind a word is an index, and behind a bracket it is a list in a list.
    let is_index =
        before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"[]".contains(byte));
    (*last == b'[' && !is_index).then_some(before.len() as u64)
}

/// Whether a list is more likely a remark: it has only empty brackets, or stands behind an object and begins as none or
/// has more text on its line.
fn is_remark(read: &Reread, mark: &Mark, raw: &[u8], root: ValueRef<'_>) -> bool {
    let value = read.document.value();
    if read.span.start != mark.start && is_hollow(value) {
        return true;
    }
    let is_behind = root.kind() == ValueKind::Object && !mark.fenced;
    if !is_behind || value.kind() != ValueKind::List {
        return false;
    }
    let (start, end) = (read.span.start as usize, read.span.end as usize);
    if is_hollow(value) || !begins_list(&raw[start..end]) {
        return true;
    }
    !(ends_line(raw[..start].iter().rev()) && ends_line(raw[end..].iter()))
}

/// Whether these bytes have only blanks up to a line end, or to their own end.
fn ends_line<'b>(mut bytes: impl Iterator<Item = &'b u8>) -> bool {
    bytes
        .find(|byte| !byte.is_ascii_whitespace() || **byte == b'\n')
        .is_none_or(|byte| *byte == b'\n')
}

/// Whether a text in brackets is a list and no remark: a string, an object or a list comes first, or a number and a
/// comma.
fn begins_list(text: &[u8]) -> bool {
    let inside = text.get(1..).unwrap_or_default().trim_ascii_start();
    let first = inside.split(|byte| matches!(byte, b',' | b']')).next().unwrap_or_default();
    let word = core::str::from_utf8(first.trim_ascii()).unwrap_or_default();
    let is_scalar = scalar(word).is_some() && inside.get(first.len()) == Some(&b',');
    is_scalar || matches!(inside.first(), Some(b'"' | b'\'' | b'{' | b'['))
}

/// Whether a value shows the types of another one: each of its scalars names a type, or is left out by points.
fn is_echo(value: ValueRef<'_>) -> bool {
    let (mut any, mut levels) = (false, Vec::new());
    let mut next = Some(value);
    loop {
        match next {
            Some(value) if value.node_kind().is_container() => levels.push(value.entries()),
            Some(value) if value.as_str().is_some_and(names_type) => any = true,
            Some(_) => return false,
            None if levels.pop().is_none() => return any,
            None => {}
        }
        next = levels.last_mut().and_then(Iterator::next).map(|(_, child)| child);
    }
}

/// Whether a text is the name of a type, or stands for a value: `string`, `<int>`, `number | null`.
fn names_type(text: &str) -> bool {
    const NAMES: [&str; 16] = [
        "...", "…", "array", "bool", "boolean", "date", "datetime", "float", "int", "integer",
        "list", "null", "number", "object", "str", "string",
    ];
    let bare = |part: &str| {
        let part = part.trim().trim_matches(['<', '>', '?']).trim_end_matches("[]");
        NAMES.contains(&&*part.to_ascii_lowercase())
    };
    text.len() < 64 && text.split('|').all(bare)
}

/// Whether a candidate is not empty and was read without loss.
fn is_worth_comparing(read: &Reread) -> bool {
    let value = read.document.value();
    value.exists() && !value.is_empty() && !read.is_lossy
}

/// Whether a list has only empty containers.
fn is_hollow(list: ValueRef<'_>) -> bool {
    list.entries().all(|(_, item)| item.node_kind().is_container() && item.is_empty())
}

/// How well a value fits. Scores are compared field by field, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct CandidateScore {
    /// The value is more than the names of types.
    is_filled_in: bool,
    /// Members of the right kind among those that must not be empty. Only under [`Roots::FirstFit`].
    essential: usize,
    is_complete: bool,
    /// The last root is wanted, and this candidate comes after the streamed root.
    is_last: bool,
    /// The root is of the kind that the schema declares. Without a schema, no value is.
    is_of_kind: bool,
    required: usize,
    /// Declared members of the declared type.
    fitting: usize,
    declared: usize,
    undeclared: core::cmp::Reverse<usize>,
    is_fenced: bool,
    is_filled: bool,
}

impl CandidateScore {
    fn of(value: ValueRef<'_>, settings: &Settings, is_fenced: bool, is_complete: bool) -> Self {
        let none = Self {
            is_filled_in: !is_echo(value),
            is_complete,
            is_fenced,
            is_filled: !value.is_empty(),
            ..Self::default()
        };
        let Some(schema) = &settings.json.schema else { return none };
        let score = none.with_schema(value, schema);
        if settings.json.roots == Roots::FirstFit { score.fitting(value, schema) } else { score }
    }

    fn with_schema(self, value: ValueRef<'_>, schema: &Schema) -> Self {
        let root = schema.root();
        let keys = || value.entries().filter_map(|(key, _)| key);
        let declared = keys().filter(|key| schema.declares(root, key)).count();
        Self {
            is_of_kind: schema.matches_kind(root, value.kind()),
            required: schema.required_in(root, value).count(),
            fitting: members_that_fit(value, schema),
            declared,
            undeclared: core::cmp::Reverse(keys().count() - declared),
            ..self
        }
    }

    /// Counts a required member only if its value is of the right kind. All values that have every
    /// required member are equal.
    fn fitting(self, value: ValueRef<'_>, schema: &Schema) -> Self {
        let root = schema.root();
        let fitting = schema.required_in(root, value);
        let fitting = fitting
            .filter(|(field, value)| schema.matches_kind(field.slot.schema, value.kind()))
            .map(|(field, _)| field.slot.presence);
        let fitting: Vec<Presence> = fitting.collect();
        let required = fitting.len();
        let essential = fitting.iter().filter(|it| **it == Presence::Meaningful).count();
        let all = self.is_of_kind && required == schema.required_count(root);
        if !all {
            return Self { essential, required, ..self };
        }
        let undeclared = core::cmp::Reverse(0);
        Self {
            essential,
            required,
            fitting: usize::MAX,
            declared: usize::MAX,
            undeclared,
            is_fenced: true,
            is_filled: true,
            ..self
        }
    }
}

/// The number of declared members whose value is of the declared kind.
fn members_that_fit(value: ValueRef<'_>, schema: &Schema) -> usize {
    let fits = |(key, value): &(Option<&str>, ValueRef<'_>)| {
        let id = key.and_then(|key| schema.member(schema.root(), key));
        id.is_some_and(|id| schema.matches_kind(id, value.kind()))
    };
    value
        .entries()
        .filter(|member| {
            fits(member) && member.0.is_some_and(|key| schema.declares(schema.root(), key))
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::{CandidateScore, Current, best};
    use crate::document::Document;
    use crate::document::sample::document;
    use crate::finalize::text_part::{PartText, TextPart};
    use crate::format::json::{Candidates, Mark, Roots};
    use crate::schema::{Schema, int, list, object, str};
    use crate::span::Span;
    use crate::spec::Spec;

    /// The better of two values; none if their scores are equal.
    fn better<'t>(
        roots: Roots,
        schema: Option<&Schema>,
        one: &'t str,
        other: &'t str,
    ) -> Option<&'t str> {
        let mut spec = Spec::builder().roots(roots);
        if let Some(schema) = schema {
            spec = spec.schema(schema.clone());
        }
        let spec = spec.build().expect("a spec");
        let score = |json: &str| {
            let (fenced, json) = json.strip_prefix('#').map_or((false, json), |json| (true, json));
            let (whole, json) = json.strip_suffix('…').map_or((true, json), |json| (false, json));
            CandidateScore::of(document(json).value(), &spec.0, fenced, whole)
        };
        match score(one).cmp(&score(other)) {
            core::cmp::Ordering::Less => Some(other),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Greater => Some(one),
        }
    }

    /// In each pair the second value is the better one. `#` begins one in a fence, `…` ends one that was
    /// cut.
    #[test]
    fn the_value_that_fits_better() {
        let schema: Schema = object()
            .field("a", list(str("").required()))
            .field("b", int("").required())
            .field("c", str(""))
            .into();
        for (worse, good) in [
            (r#"{"a": ["x"], "b": 1}…"#, r#"{"a": ["x"]}"#),
            ("[1]", "{}"),
            (r#"{"a": ["x"], "c": "y"}"#, r#"{"a": ["x"], "b": 1}"#),
            (r#"{"b": 1}"#, r#"{"b": 1, "c": "y"}"#),
            (r#"{"b": 1, "d": 2}"#, r#"{"b": 1}"#),
            (r#"{"b": 1}"#, r##"#{"b": 1}"##),
        ] {
            assert_eq!(better(Roots::Best, Some(&schema), worse, good), Some(good));
        }
        assert_eq!(better(Roots::Best, None, "[1]", "#[1]"), Some("#[1]"));
        assert_eq!(better(Roots::Best, None, "{}", "[1]"), Some("[1]"));
        assert_eq!(better(Roots::Best, None, r#"{"b": 1}"#, "[1]"), None);
    }

    #[test]
    fn the_first_fit_counts_required_members_of_the_right_kind() {
        let schema: Schema = object().field("b", int("").required()).field("c", str("")).into();
        let wrong = r#"{"b": "x", "c": "y"}"#;
        let right = r#"{"b": 1}"#;
        assert_eq!(better(Roots::Best, Some(&schema), right, wrong), Some(wrong));
        assert_eq!(better(Roots::FirstFit, Some(&schema), right, wrong), Some(right));
        let more = r##"#{"b": 2, "c": "y"}"##;
        assert_eq!(better(Roots::FirstFit, Some(&schema), right, more), None);
        // Without the required member, the declared ones count as elsewhere.
        let (none, some) = (r#"{"d": 1}"#, r#"{"c": "y"}"#);
        assert_eq!(better(Roots::FirstFit, Some(&schema), none, some), Some(some));
    }

    /// The best candidate where nothing was streamed. One begins at each brace.
    fn found(raw: &str, taken: Span) -> Option<String> {
        let starts = raw.match_indices('{').map(|(at, _)| at as u64);
        let marks = starts.map(|start| Mark { start, fenced: false }).collect();
        let part = TextPart {
            element: None,
            document: None,
            span: Span::new(0, raw.len() as u64),
            first_text: None,
            alone: None,
            has_payload: true,
            hidden: None,
            candidates: Candidates { marks, ..Candidates::default() },
            leaf: None,
            is_truncated: false,
        };
        let text = PartText { raw: raw.as_bytes(), part: &part, thoughts: &[] };
        let schema: Schema = object().field("b", int("").required()).into();
        let spec = Spec::builder().schema(schema).build().expect("a spec");
        let none = Document::default();
        let current = Current { root: none.value(), taken, is_truncated: false };
        best(&text, &spec.0, &current).map(|found| found.document.value().to_string())
    }

    #[test]
    fn a_candidate_outside_what_the_root_took() {
        for (raw, taken, want) in [
            // Before it, behind it and right behind it.
            (r#"{"b": 1} {"c": 2}"#, Span::new(9, 17), Some(r#"{"b":1}"#)),
            (r#"{"c": 2} {"b": 1}"#, Span::new(0, 8), Some(r#"{"b":1}"#)),
            (r#"{"c": 2}{"b": 1}"#, Span::new(0, 8), Some(r#"{"b":1}"#)),
            // Inside.
            (r#"{"b": 1} {"c": 2}"#, Span::new(0, 17), None),
            (r#"{"c": 2} {"b": 1}"#, Span::new(9, 17), Some(r#"{"c":2}"#)),
        ] {
            assert_eq!(found(raw, taken).as_deref(), want, "{raw} {taken:?}");
        }
    }

    #[test]
    fn of_equal_roots_the_first_or_the_last_wins() {
        let schema: Schema = object().field("b", int("").required()).into();
        for (roots, text, want) in [
            (Roots::FirstFit, r#"{"b": 1}{"b": 2}"#, r#"{"b":1}"#),
            (Roots::FirstFit, r#"{"b": 1} {"b": 2} {"b": 3}"#, r#"{"b":1}"#),
            (Roots::Best, r#"{"b": 1}{"b": 2}"#, r#"{"b":2}"#),
            (Roots::Last, r#"{"b": 1}{"b": 2}"#, r#"{"b":2}"#),
        ] {
            let spec = Spec::builder().roots(roots).schema(schema.clone()).build();
            let answer = spec.expect("a spec").parse(text).expect("no limit is met");
            assert_eq!(answer.value().to_string(), want, "{text} {roots:?}");
        }
    }

    #[test]
    fn members_without_a_declared_name_fit_nothing() {
        let schema: Schema = object().field("b", int("")).others(int("")).into();
        for (one, other, want) in [
            (r#"{"x": "s"}"#, r#"{"x": 1}"#, None),
            (r#"{"b": "s"}"#, r#"{"b": 1}"#, Some(r#"{"b": 1}"#)),
        ] {
            assert_eq!(better(Roots::Best, Some(&schema), one, other), want);
        }
    }
}
