//! Sections under headers, beside what the oracle reads.

use std::collections::BTreeSet;

use patchwire::Completion;

use crate::event_log::{Recorded, Run};
use crate::field_agreement;
use crate::fold::Folded;
use crate::oracle::Json;
use crate::oracle::fields::{Field, FieldsReading};

/// The fields that the stream gives, without what the finalizer puts right.
///
/// # Panics
/// If patches do not fit what came before.
#[must_use]
pub fn fields(run: &Run) -> Vec<(String, Json)> {
    let streamed = run.patches().filter(|patch| patch.completion != Some(Completion::Reconciled));
    let folded = Folded::of(streamed).expect("patches that fit");
    match folded.document(0).map(field_agreement::json) {
        Some(Json::Object(members)) => members,
        None => Vec::new(),
        Some(other) => panic!("no object: {other}"),
    }
}

/// What was noticed, as the oracle calls it. It says nothing of spelling, of levels, and of what the
/// last of two members is.
#[must_use]
pub fn notices(run: &Run) -> BTreeSet<&'static str> {
    let code = |event: &Recorded| match event {
        Recorded::Notice { code, .. } => Some(code.name()),
        _ => None,
    };
    // What comes behind the root is of the finalizer, of which the oracle says nothing.
    let streamed =
        run.events.iter().take_while(|event| !matches!(event, Recorded::RootComplete { .. }));
    let codes = streamed.filter_map(code).map(|code| match code {
        "echoed_header" | "scaffold_comment" => "scaffold_echo",
        code => code,
    });
    let unspoken = ["header_spelling", "header_level", "duplicate_key", "bom"];
    let said = |code: &&str| !unspoken.contains(code) && !field_agreement::FINAL.contains(code);
    codes.filter(said).collect()
}

/// What the oracle and the stream say otherwise, if anything.
#[must_use]
pub fn difference(run: &Run, reading: &FieldsReading) -> Option<String> {
    let (got, want) = (fields(run), reading.sure());
    let same = |(got, want): (&(String, Json), &Field)| {
        got.0 == want.name && Some(&got.1) == want.value.known()
    };
    let agree = got.len() >= want.len() && got.iter().zip(want).all(same);
    let sure = reading.is_sure();
    if !agree || sure && got.len() != want.len() {
        return Some(format!("fields {got:?}\n  {reading:?}"));
    }
    let noticed = notices(run);
    (sure && noticed != reading.notices).then(|| format!("notices {noticed:?}\n  {reading:?}"))
}
