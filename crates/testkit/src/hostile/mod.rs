//! Costly inputs: each shape is a function from a size to bytes.
//!
//! A shape repeats its costly part, so that the costs at one size and at twice that size can be
//! compared. The shapes are grouped by what they abuse.

pub mod checks;
mod depth;
mod keys;
mod prose;
pub mod sections;
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
    /// An input of about so many bytes, never more than a few more or less.
    pub make: fn(usize) -> Vec<u8>,
}

/// All shapes.
#[must_use]
pub fn all() -> Vec<Shape> {
    [depth::SHAPES, strings::SHAPES, structure::SHAPES, keys::SHAPES, prose::SHAPES].concat()
}

/// Every way of reading with the shapes that are tried under it.
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

/// The shape of this name.
#[must_use]
pub fn named(name: &str) -> Option<Shape> {
    all().into_iter().find(|shape| shape.name == name)
}

/// The ways of reading that hostile inputs are tried under: the limits that would stop an input
/// early are as wide as they can be, so that it is the reading that has to bear it.
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

/// The way of reading of this name.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn way(name: &str) -> ReadingMode {
    let found = ways().into_iter().find(|way| way.name == name);
    found.unwrap_or_else(|| panic!("no way of reading is called {name}"))
}

/// No bound that nesting or size could reach. Those on keys, numbers and what is held stay.
#[must_use]
pub fn wide() -> Limits {
    [Limit::Depth, Limit::Total, Limit::Nodes, Limit::Fields]
        .into_iter()
        .fold(Limits::default(), |limits, limit| limits.with(limit, u64::MAX))
}

fn finish(builder: SpecBuilder) -> Spec {
    builder.build().expect("the settings agree")
}

/// `head`, as many of `unit` as make up `n` bytes, and `tail`.
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

/// `open` so often, and then `close`, that both make up `n` bytes; `core` between them.
fn nested(open: &str, core: &str, close: &str, n: usize) -> Vec<u8> {
    let levels = n.saturating_sub(core.len()) / (open.len() + close.len());
    [open.repeat(levels), core.to_owned(), close.repeat(levels)].concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{all, named};

    #[test]
    fn shapes_have_names_of_their_own_and_the_size_that_was_asked_for() {
        let names: BTreeSet<&str> = all().iter().map(|shape| shape.name).collect();
        assert_eq!(names.len(), all().len());
        for shape in all() {
            for n in [50_000, 100_000] {
                let len = (shape.make)(n).len();
                assert!(len.abs_diff(n) <= n / 10, "{} of {n} has {len} bytes", shape.name);
            }
            assert!(named(shape.name).is_some());
        }
    }
}
