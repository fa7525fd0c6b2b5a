//! The reading modes in which laws are checked: specs with names.

use patchwire::internals::{Caps, XmlBody, XmlCaps};
use patchwire::schema::{any, bool, int, list, number, one_of, str};
use patchwire::{
    Format, Leniency, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet,
    spec::Roots,
    tags::{Channel, Family, LetterCase, TagSetBuilder},
};

/// A reading mode.
#[derive(Debug, Clone)]
pub struct ReadingMode {
    /// The name of the mode.
    pub name: &'static str,
    /// The spec.
    pub spec: Spec,
}

impl ReadingMode {
    fn new(name: &'static str, builder: SpecBuilder) -> Self {
        let spec = builder.build().expect("the settings agree");
        Self { name, spec }
    }
}

/// All modes.
#[must_use]
pub fn all() -> Vec<ReadingMode> {
    [main(), others()].concat()
}

/// All modes except the [main](main()) ones.
#[must_use]
pub fn others() -> Vec<ReadingMode> {
    vec![
        ReadingMode::new("first", Spec::builder().roots(Roots::First)),
        ReadingMode::new("last", Spec::builder().roots(Roots::Last)),
        ReadingMode::new("without_value", Spec::builder().without_value()),
        ReadingMode::new("without_raw", Spec::builder().without_raw()),
        ReadingMode::new("untagged", Spec::builder().without_tags()),
        ReadingMode::new("tight", Spec::builder().limits(tight())),
        ReadingMode::new(
            "tight_strict",
            Spec::builder().strictness(Strictness::Strict).limits(tight()),
        ),
        ReadingMode::new("few_slips", few_slips()),
        ReadingMode::new("schema_last", Spec::builder().schema(schema()).roots(Roots::Last)),
        ReadingMode::new(
            "strict_schema",
            Spec::builder().schema(schema()).strictness(Strictness::Strict),
        ),
        ReadingMode::new(
            "strict_concatenated",
            Spec::builder().strictness(Strictness::Strict).roots(Roots::Concatenated),
        ),
        ReadingMode::new("bare", Spec::builder().without_value().without_raw().schema(schema())),
        // Fuzz inputs contain the number of a mode, so new ones are added at the end.
        capped(3),
        ReadingMode::new("capped_schema", Spec::builder().schema(schema()).caps(Caps::all(3))),
    ]
    .into_iter()
    .chain(tagged())
    .chain([without_windows()])
    .collect()
}

/// Modes for text with elements: the presets, a set with every feature, and JSON with elements.
///
/// # Panics
/// Never: the presets do not conflict.
#[must_use]
pub fn tagged() -> Vec<ReadingMode> {
    let text = |tags| Spec::builder().format(Format::Text).tags(tags);
    vec![
        ReadingMode::new("scratchpad", text(TagSet::scratchpad())),
        ReadingMode::new("ubik", text(TagSet::ubik())),
        ReadingMode::new("hermes", text(TagSet::hermes())),
        ReadingMode::new("presets", text(presets())),
        ReadingMode::new("scratchpad_json", Spec::builder().tags(TagSet::scratchpad())),
        ReadingMode::new("everything", text(everything())),
    ]
}

/// Three presets in one set.
///
/// # Panics
/// Never: the presets do not conflict.
#[must_use]
pub fn presets() -> TagSet {
    let sets = [TagSet::think(), TagSet::scratchpad(), TagSet::ubik()];
    let builder = sets.iter().fold(TagSet::builder(), TagSetBuilder::include);
    builder.build().expect("they agree")
}

/// The set of the corpus with every feature: raw and record bodies, attributes, parameters.
///
/// # Panics
/// Never: the set is part of the corpus.
#[must_use]
pub fn everything() -> TagSet {
    const TEXT: &str = include_str!("../../../corpus/tags/profiles/everything.json");
    TagSet::from_json(TEXT).expect("a tag set")
}

/// A few modes that differ as much as possible.
#[must_use]
pub fn main() -> Vec<ReadingMode> {
    vec![
        lenient(),
        strict(),
        ReadingMode::new("schema", Spec::builder().schema(schema())),
        ReadingMode::new("concatenated", Spec::builder().roots(Roots::Concatenated)),
        ReadingMode::new("tiny_tags", Spec::builder().tags(tiny_tags())),
    ]
}

/// The mode of most callers.
#[must_use]
pub fn lenient() -> ReadingMode {
    ReadingMode::new("lenient", Spec::builder())
}

/// Lenient JSON that holds back at most `bytes` bytes.
#[must_use]
pub fn capped(bytes: usize) -> ReadingMode {
    ReadingMode::new("capped", Spec::builder().caps(Caps::all(bytes)))
}

/// As [`capped`], without windows behind quotes.
#[must_use]
pub fn capped_without_windows(bytes: usize) -> ReadingMode {
    let caps = Caps { windows: 0, ..Caps::all(bytes) };
    ReadingMode::new("capped_without_windows", Spec::builder().caps(caps))
}

/// Lenient JSON in which the next visible byte decides about each quote. In the main mode, up to 64 characters
/// may, so that few inputs lead to one state. Here all inputs of some length can be visited.
#[must_use]
pub fn without_windows() -> ReadingMode {
    let caps = Caps { windows: 0, ..Caps::STANDARD };
    ReadingMode::new("without_windows", Spec::builder().caps(caps))
}

/// Strict RFC 8259.
#[must_use]
pub fn strict() -> ReadingMode {
    ReadingMode::new("strict", Spec::builder().strictness(Strictness::Strict))
}

/// A schema with a choice, and with the names that the corpus uses most.
#[must_use]
pub fn schema() -> Schema {
    let item = Schema::object().field("sku", str("").required()).field("n", int(""));
    Schema::object()
        .field("title", str("one line"))
        .field("tone", one_of(["calm", "urgent", "calmer"]))
        .field("a", any(""))
        .field("b", any(""))
        .field("n", number("").nullable())
        .field("ok", bool(""))
        .field("tags", list(one_of(["x", "y", "x y"])))
        .field("items", list(item))
        .into()
}

/// Families with the shortest possible markers, two of them in one group.
///
/// # Panics
/// Never: the markers differ.
#[must_use]
pub fn tiny_tags() -> TagSet {
    let named = |name: &str| Channel::Named(name.to_owned());
    TagSet::new(
        [
            Family::new("t", "<t>", "</t>", Channel::Reasoning).in_group("g"),
            Family::new("th", "<th>", "</th>", Channel::Reasoning).in_group("g"),
            Family::new("n", "<<N", "N>>", named("notes")),
        ]
        .map(|family| family.with_case(LetterCase::Fold)),
    )
    .expect("the markers differ")
}

/// Limits so low that inputs of a few bytes reach them.
#[must_use]
pub fn tight() -> Limits {
    Limits::default()
        .with(Limit::Depth, 3)
        .with(Limit::Key, 6)
        .with(Limit::Number, 5)
        .with(Limit::Held, 8)
        .with(Limit::Total, 60)
        .with(Limit::Nodes, 9)
        .with(Limit::Fields, 4)
        .with(Limit::Notices, 2)
}

fn few_slips() -> SpecBuilder {
    [Leniency::InnerQuotes, Leniency::MissingCommas, Leniency::UnquotedValues, Leniency::Comments]
        .into_iter()
        .fold(Spec::builder(), SpecBuilder::forbid)
}

/// Modes for the body of an element that is a tree.
#[must_use]
pub fn xml() -> Vec<ReadingMode> {
    let small = XmlCaps { tag: 12, attributes: 1, entity: 4, blanks: 3 };
    let tight = tight().with(Limit::Total, 4 << 10).with(Limit::Nodes, 40);
    vec![
        ReadingMode::new("any", body(XmlBody::any())),
        ReadingMode::new("known", body(XmlBody::known(XML_NAMES))),
        ReadingMode::new("schema", body(XmlBody::of_schema(xml_schema())).schema(xml_schema())),
        ReadingMode::new("typed", body(XmlBody::any().typed_by_content())),
        ReadingMode::new("whole", body(XmlBody::any().whole())),
        ReadingMode::new("attributes", body(XmlBody::any().whole().attributes([("id", "7")]))),
        ReadingMode::new("capped", body(XmlBody::any().caps(small))),
        ReadingMode::new("tight", body(XmlBody::any().limits(tight.clone())).limits(tight)),
        ReadingMode::new("without_value", body(XmlBody::any()).without_value()),
        ReadingMode::new(
            "schema_without_value",
            body(XmlBody::of_schema(xml_schema())).schema(xml_schema()).without_value(),
        ),
    ]
}

fn body(body: XmlBody) -> SpecBuilder {
    Spec::builder().without_tags().machine(body.machine())
}

/// The files of the corpus for bodies that are trees, each with its reading mode.
#[must_use]
pub fn xml_files() -> Vec<(&'static str, XmlBody, Option<Schema>)> {
    vec![
        ("any", XmlBody::any().whole(), None),
        ("review", XmlBody::any().whole(), None),
        ("typed", XmlBody::any().whole().typed_by_content(), None),
        ("known", XmlBody::known(XML_NAMES).whole(), None),
        ("schema", XmlBody::of_schema(xml_schema()).whole(), Some(xml_schema())),
    ]
}

/// A mode that reads a text as such a body.
///
/// # Panics
/// Never: the settings do not conflict.
#[must_use]
pub fn xml_spec(body: &XmlBody, schema: Option<Schema>) -> Spec {
    let builder = Spec::builder().without_tags().machine(body.machine());
    let builder = schema.into_iter().fold(builder, SpecBuilder::schema);
    builder.build().expect("the settings agree")
}

/// The names that the corpus uses, except one that it uses only in code.
pub const XML_NAMES: [&str; 24] = [
    "a",
    "ab",
    "abc",
    "c",
    "r",
    "x",
    "item",
    "findings",
    "issue",
    "type",
    "fix",
    "code",
    "summary",
    "response",
    "result",
    "metadata",
    "n",
    "v",
    "description",
    "references",
    "ref",
    "code_review",
    "metrics",
    "think",
];

/// A schema for the corpus.
#[must_use]
pub fn xml_schema() -> Schema {
    let issue = Schema::object()
        .field("_attributes", Schema::object().field("line", int("")))
        .field("type", one_of(["A", "B", "slow"]))
        .field("code", str(""));
    Schema::object()
        .field("a", str(""))
        .field("n", int("").nullable())
        .field("ok", bool(""))
        .field("any", any(""))
        .field("x", list(str("")))
        .field("findings", Schema::object().field("issue", list(issue)))
        .field("metrics", Schema::object().field("n", list(number(""))))
        .into()
}
