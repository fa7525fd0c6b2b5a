//! Several settings at once: bounds of look-ahead, limits, slips that are forbidden, paths that must exist, other names.

use patchwire::internals::Caps;
use patchwire::spec::{AnswerView, Roots, Strictness, Unwrap};
use patchwire::{Leniency, Limit, Limits, Schema, SpecBuilder, TagSet};

use super::damage::Random;

/// Limits, each with a value that most texts keep and some do not.
const LIMITS: [(Limit, usize); 10] = [
    (Limit::Depth, 6),
    (Limit::Key, 12),
    (Limit::Number, 9),
    (Limit::Held, 48),
    (Limit::Deferred, 40),
    (Limit::Aliases, 8),
    (Limit::Nodes, 24),
    (Limit::Fields, 6),
    (Limit::Repair, 160),
    (Limit::Notices, 4),
];

/// What may stand behind a name in a path.
const STEPS: [&str; 6] = ["", "", "[*]", "[0]", "[1]", "[*][*]"];

const TOOL: &str = r#"{"type":"object","properties":{"a":{"type":"integer"},"city":{"type":"string"},"days":{"type":"integer"},
    "deep":{"type":"object","properties":{"n":{"type":"number"}}},"list":{"type":"array","items":{"type":"boolean"}}}}"#;

/// Up to three settings of a text, with their names.
pub(super) fn vary_much(
    mut spec: SpecBuilder,
    text: &[u8],
    random: &mut Random,
) -> (String, SpecBuilder) {
    let words = words(text);
    let mut names = Vec::new();
    for _ in 0..random.below(4) {
        let name;
        (name, spec) = one(spec, &words, random);
        names.push(name);
    }
    (names.join(", "), spec)
}

/// The words of a text, which may be names of fields, tools and tags.
fn words(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let words = text.split(|char: char| !char.is_alphanumeric() && char != '_');
    let mut words: Vec<_> = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.extend(["a", "title", "weather"].map(str::to_owned));
    words
}

fn word(words: &[String], random: &mut Random) -> String {
    // Names stand at the beginning more often than at the end.
    let first = if random.below(3) == 0 { words.len() } else { words.len().min(12) };
    words[random.below(first)].clone()
}

/// One setting. Settings about the payload are more often than those that end the reading soon.
fn one(spec: SpecBuilder, words: &[String], random: &mut Random) -> (String, SpecBuilder) {
    match random.below(18) {
        0 | 1 => {
            let caps = caps(random);
            (format!("{caps:?}"), spec.caps(caps))
        }
        2..=4 => {
            let (limit, most) = random.pick(&LIMITS);
            let value = random.below(most + 1) as u64;
            (format!("{limit:?} {value}"), spec.limits(Limits::default().with(limit, value)))
        }
        5 | 6 => forbidding(spec, random),
        7 | 8 => {
            let path = format!("{}{}", word(words, random), random.pick(&STEPS));
            (format!("needs {path}"), spec.ensure(path))
        }
        9 => {
            let path = format!("{}.{}", word(words, random), word(words, random));
            (format!("has {path}"), spec.ensure_present(path))
        }
        10 | 11 => kept(spec, words, random),
        _ => named(spec, words, random),
    }
}

fn caps(random: &mut Random) -> Caps {
    let bytes = 1 + random.below(24);
    match random.below(4) {
        0 => Caps { windows: (bytes % 3) as u16, ..Caps::STANDARD },
        1 => Caps { window: bytes, ..Caps::STANDARD },
        _ => Caps::all(bytes),
    }
}

fn forbidding(mut spec: SpecBuilder, random: &mut Random) -> (String, SpecBuilder) {
    let mut name = String::from("without");
    for _ in 0..=random.below(6) {
        let leniency = random.pick(&Leniency::ALL);
        name = format!("{name} {}", leniency.name());
        spec = spec.forbid(leniency);
    }
    (name, spec)
}

/// What is kept of the answer, and which of several is meant.
fn kept(spec: SpecBuilder, words: &[String], random: &mut Random) -> (String, SpecBuilder) {
    match random.below(7) {
        0 => ("without value".into(), spec.without_value()),
        1 => ("without raw".into(), spec.without_raw()),
        2 => ("without alignment".into(), spec.without_alignment()),
        3 => {
            let views = [AnswerView::First, AnswerView::Last, AnswerView::FirstClosedElseLast];
            let view = random.pick(&views);
            (format!("{view:?}"), spec.view(view))
        }
        4 => {
            let all =
                [Roots::FirstFit, Roots::First, Roots::Last, Roots::Concatenated, Roots::Best];
            let roots = random.pick(&all);
            (format!("{roots:?}"), spec.roots(roots))
        }
        _ => {
            let unwrap = random.pick(&[Unwrap::Auto, Unwrap::Always, Unwrap::Never]);
            let field = word(words, random);
            let name = format!("{unwrap:?} of {field}");
            (name, spec.unwrap_fences(Unwrap::Auto).unwrap_fence_of(field, unwrap))
        }
    }
}

/// Names around the answer, its tags and its tools.
fn named(spec: SpecBuilder, words: &[String], random: &mut Random) -> (String, SpecBuilder) {
    let name = word(words, random);
    match random.below(7) {
        0 => (format!("in <{name}>"), spec.root_tag(name)),
        1 => (format!("document {name}"), spec.document_name(name)),
        2 => ("from reasoning".into(), spec.start_in("think")),
        3 => ("without tags".into(), spec.without_tags()),
        4 => {
            let preset = random.pick(TagSet::PRESETS);
            (preset.into(), spec.tags(TagSet::preset(preset).unwrap()))
        }
        5 => {
            let strictness = random.pick(&[Strictness::Strict, Strictness::Lenient]);
            (format!("{strictness:?}"), spec.strictness(strictness))
        }
        _ => (format!("tool {name}"), spec.tool(name, Schema::from_text(TOOL).unwrap())),
    }
}
