//! More questions about an answer than most readings ask: its values as types of every kind, its paths, and the prompt for it.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

use patchwire::{Answer, Spec, ValueRef};
use serde::Deserialize;

use super::damage::Random;

/// Names that are frequent in the corpus.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "printed by `Debug`")]
enum Named {
    A,
    Title(String),
    N { a: i32, b: Option<String> },
    Tags(u8, f32),
}

/// Members that are frequent in the corpus.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Frequent {
    title: Option<String>,
    name: String,
    a: Option<i64>,
    n: f64,
    tags: Vec<String>,
    items: Vec<BTreeMap<String, Option<char>>>,
}

/// Writes what the text means to a program with types.
pub(super) fn ask(spec: &Spec, text: &[u8], random: &mut Random, out: &mut String) {
    let Ok(answer) = spec.parse(text) else { return };
    match random.below(4) {
        0 => writeln!(out, "{} {:?}", spec.prompt(), spec.prompt().skeleton()).unwrap(),
        1 => ask_paths(&answer, out),
        _ => ask_types(&answer, answer.value(), out),
    }
}

fn ask_types(answer: &Answer, value: ValueRef<'_>, out: &mut String) {
    append::<Frequent>(value, out);
    append::<Vec<Frequent>>(value, out);
    append::<Named>(value, out);
    append::<Vec<Named>>(value, out);
    append::<(i8, u16, f32)>(value, out);
    append::<[u64; 2]>(value, out);
    append::<(bool, char)>(value, out);
    append::<BTreeMap<u8, Option<f32>>>(value, out);
    append::<BTreeMap<String, Vec<i64>>>(value, out);
    append::<BTreeMap<String, BTreeMap<String, Option<String>>>>(value, out);
    append::<Option<i128>>(value, out);
    append::<()>(value, out);
    for (_, member) in value.entries().take(8) {
        append::<f64>(member, out);
        append::<(u8, String)>(member, out);
        append::<bool>(member, out);
        append::<Named>(member, out);
        append::<Option<Vec<u32>>>(member, out);
    }
    let partial = answer.allow_partial().data::<Frequent>();
    writeln!(out, "{:?}", partial.map_err(|error| error.to_string())).unwrap();
}

fn append<'a, T: Deserialize<'a> + Debug>(value: ValueRef<'a>, out: &mut String) {
    match value.read::<T>() {
        Ok(read) => writeln!(out, "{read:?}").unwrap(),
        Err(error) => writeln!(out, "{error}").unwrap(),
    }
}

/// The value by paths and nodes, and beside its copies.
fn ask_paths(answer: &Answer, out: &mut String) {
    let value = answer.value();
    for path in ["a", "title", "n[0]", "[1]", "items[*].name", "a.b", "\"a\""] {
        let found = value.at(path);
        writeln!(out, "{path} {found:?} {}", answer.is_cut_at(path)).unwrap();
    }
    for root in answer.roots() {
        // Printing a value of serde_json would depend on its features, which other crates choose.
        let is_json = root.to_serde_json().is_ok();
        let is_equal = [root == value, root.to_value() == value.to_value(), is_json];
        writeln!(out, "{is_equal:?}").unwrap();
    }
    let mut last = value;
    for (key, member) in value.entries() {
        let found = member.node().and_then(|node| value.by_node(node));
        let is_equal = [found == Some(member), member == last, member.is_empty()];
        writeln!(out, "{key:?} {is_equal:?} {} {}", member.settled(), value.settled()).unwrap();
        last = member;
    }
    writeln!(out, "{:?} {:#}", value.item(1), value).unwrap();
}
