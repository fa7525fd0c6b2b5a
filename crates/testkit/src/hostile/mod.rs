//! Costly inputs: each shape is a function from a size to bytes.
//!
//! A shape repeats its costly part, so that the cost at a size and at twice that size can be compared. The
//! shapes are grouped by the mechanism that they stress.

pub mod checks;
mod depth;
mod keys;
mod prose;
pub mod sections;
pub mod settings;
mod strings;
mod structure;
pub mod tags;
pub mod xml;
pub mod xml_field;
pub mod yaml;

use patchwire::{Limit, Limits, Spec, SpecBuilder, Strictness, spec::Roots};

use crate::reading_modes::{ReadingMode, schema};

/// A family of inputs of any size.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Its name, unique.
    pub name: &'static str,
    /// Makes an input of about this many bytes.
    pub make: fn(usize) -> Vec<u8>,
}

/// All shapes.
#[must_use]
pub fn all() -> Vec<Shape> {
    [depth::SHAPES, strings::SHAPES, structure::SHAPES, keys::SHAPES, prose::SHAPES].concat()
}

/// Every reading mode, and the shapes that are tried in it.
#[must_use]
pub fn tried() -> Vec<(ReadingMode, Vec<Shape>)> {
    let json = ways().into_iter().map(|way| (way, all()));
    let xml = xml::ways().into_iter().map(|way| (way, xml::SHAPES.to_vec()));
    let tags = tags::ways().into_iter().map(|way| (way, tags::SHAPES.to_vec()));
    let sections = sections::ways().into_iter().map(|way| (way, sections::SHAPES.to_vec()));
    let yaml = yaml::ways().into_iter().map(|way| (way, yaml::SHAPES.to_vec()));
    let fields = xml_field::ways().into_iter().map(|way| (way, xml_field::SHAPES.to_vec()));
    let checked = checks::ways().into_iter().map(|way| (way, checks::SHAPES.to_vec()));
    json.chain(checked).chain(xml).chain(tags).chain(sections).chain(yaml).chain(fields).collect()
}

/// The shape with this name.
#[must_use]
pub fn named(name: &str) -> Option<Shape> {
    all().into_iter().find(|shape| shape.name == name)
}

/// The reading modes for hostile inputs. Their limits are as wide as possible, so that no limit ends the
/// work early.
#[must_use]
pub fn ways() -> Vec<ReadingMode> {
    let builders = [
        ("lenient", Spec::builder()),
        ("strict", Spec::builder().strictness(Strictness::Strict)),
        ("schema", Spec::builder().schema(schema())),
        ("concatenated", Spec::builder().roots(Roots::Concatenated)),
        ("bare", Spec::builder().without_value().without_raw()),
    ];
    builders
        .map(|(name, builder)| ReadingMode { name, spec: finish(builder.limits(wide())) })
        .to_vec()
}

/// The reading mode with this name.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn way(name: &str) -> ReadingMode {
    let found = ways().into_iter().find(|way| way.name == name);
    found.unwrap_or_else(|| panic!("no way of reading is called {name}"))
}

/// Limits without bounds on nesting and size. Those on keys, numbers and held bytes stay.
#[must_use]
pub fn wide() -> Limits {
    [Limit::Depth, Limit::Total, Limit::Nodes, Limit::Fields]
        .into_iter()
        .fold(Limits::default(), |limits, limit| limits.with(limit, u64::MAX))
}

fn finish(builder: SpecBuilder) -> Spec {
    builder.build().expect("the settings agree")
}

/// `head`, copies of `unit` up to `n` bytes in total, and `tail`.
fn around(head: &str, unit: impl AsRef<[u8]>, tail: &str, n: usize) -> Vec<u8> {
    let unit = unit.as_ref();
    let count = n.saturating_sub(head.len() + tail.len()) / unit.len();
    [head.as_bytes(), &unit.repeat(count), tail.as_bytes()].concat()
}

/// `head`, `unit(0)`, `unit(1)` and so on up to `n` bytes, and `tail`.
fn numbered(head: &str, unit: impl Fn(usize) -> String, tail: &str, n: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    for at in 0.. {
        if text.len() + tail.len() >= n {
            break;
        }
        text.push_str(&unit(at));
    }
    text.push_str(tail);
    text.into_bytes()
}

/// Copies of `open`, then `core`, then as many copies of `close`; `n` bytes in total.
fn nested(open: &str, core: &str, close: &str, n: usize) -> Vec<u8> {
    let levels = n.saturating_sub(core.len()) / (open.len() + close.len());
    [open.repeat(levels), core.to_owned(), close.repeat(levels)].concat().into_bytes()
}
