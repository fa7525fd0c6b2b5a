//! Sections under headers, compared with the oracle.

use std::collections::BTreeSet;

use patchwire::Completion;

use crate::event_log::{Recorded, Run};
use crate::field_agreement;
use crate::fold::Folded;
use crate::oracle::Json;
use crate::oracle::fields::{Field, FieldsReading};

/// The streamed fields, without corrections of the finalizer.
///
/// # Panics
/// If a patch does not fit the patches before it.
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

/// The notices in the oracle's words. The oracle has none about spelling, about levels, and about repeated
/// members.
#[must_use]
pub fn notices(run: &Run) -> BTreeSet<&'static str> {
    let code = |event: &Recorded| match event {
        Recorded::Notice { code, .. } => Some(code.name()),
        _ => None,
    };
    // Notices after the root come from the finalizer, which the oracle does not predict, but for what is
    // missing.
    let is_root = |event: &Recorded| matches!(event, Recorded::RootComplete { .. });
    let streamed = run.events.iter().take_while(|event| !is_root(event));
    let missing = run.events.iter().filter_map(code).filter(|code| *code == "missing_field");
    let codes = streamed.filter_map(code).chain(missing).map(|code| match code {
        "echoed_header" | "scaffold_comment" => "scaffold_echo",
        code => code,
    });
    let unspoken = ["header_spelling", "header_level", "duplicate_key", "bom"];
    let said = |code: &&str| !unspoken.contains(code) && !field_agreement::FINAL.contains(code);
    codes.filter(said).collect()
}

/// The first difference between the oracle and the stream, if there is one.
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
    let is_emitted = |code: &&str| *code != "missing_field" || !field_agreement::finds_fields(run);
    let noticed: BTreeSet<&str> = notices(run).into_iter().filter(is_emitted).collect();
    let wanted: BTreeSet<&str> = reading.notices.iter().copied().filter(is_emitted).collect();
    // Where the stream found no field, the finalizer reads the text again, and tells what it passed over.
    let is_found_late = want.is_empty() && field_agreement::finds_fields(run);
    (sure && !is_found_late && noticed != wanted)
        .then(|| format!("notices {noticed:?}\n  {reading:?}"))
}
