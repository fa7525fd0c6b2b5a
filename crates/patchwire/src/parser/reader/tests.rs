//! Texts and their emissions on the general path, whole and cut at every character.

use super::Reader;
use crate::fold::EmissionKind;
use crate::lex::Input;
use crate::spec::{Format, Spec};

/// The name of an emission; a text that goes on gets one name.
fn name(kind: EmissionKind) -> String {
    match kind {
        EmissionKind::Patch(change) => change.op.name().to_owned(),
        EmissionKind::Text => "text".to_owned(),
        EmissionKind::ElementText => "inside".to_owned(),
        EmissionKind::Reasoning => "reasoning".to_owned(),
        EmissionKind::ReasoningDone => "reasoned".to_owned(),
        EmissionKind::ElementOpen(id) => format!("<{id}>"),
        EmissionKind::ElementClose(id, reason) => format!("</{id}:{}>", reason.name()),
        EmissionKind::Stray(_) => "stray".to_owned(),
        EmissionKind::Reclassify(from, to, _) => format!("reclassify:{from}-{to}"),
        EmissionKind::Notice(code, _) | EmissionKind::Repair(code, ..) => code.name().to_owned(),
        EmissionKind::Skipped(reason) => format!("skip:{}", reason.name()),
        EmissionKind::RootComplete => "root".to_owned(),
        EmissionKind::Comment | EmissionKind::CommentEnd | EmissionKind::Verdict(_) => {
            format!("{kind:?}")
        }
    }
}

/// The emissions of a text in parts, without those of its end. Texts of one name that follow each other
/// are joined.
fn emitted(spec: &Spec, parts: &[&str]) -> String {
    let mut reader = Reader::new(spec.clone());
    let mut all: Vec<(String, String)> = Vec::new();
    let mut base = 0;
    for part in parts {
        let mut input = Input::new(part, base);
        while let Some(emission) = reader.advance(&mut input).expect("no limit is near") {
            let (name, text) = (name(emission.kind), reader.text_of(emission.text, part));
            match all.last_mut().filter(|last| last.0 == name && !text.is_empty()) {
                Some(last) => last.1.push_str(text),
                None => all.push((name, text.to_owned())),
            }
        }
        reader.own_pending_text(part);
        reader.canonicalize();
        base += part.len() as u64;
    }
    let shown = |(name, text): &(String, String)| match text.as_str() {
        "" => name.clone(),
        text => format!("{name}({text})"),
    };
    all.iter().map(shown).collect::<Vec<_>>().join(" ")
}

fn check(spec: &Spec, table: &[(&str, &str)]) {
    for (text, want) in table {
        assert_eq!(emitted(spec, &[text]), *want, "{text:?}");
        for (cut, _) in text.char_indices() {
            let parts = [&text[..cut], &text[cut..]];
            assert_eq!(emitted(spec, &parts), *want, "{text:?}, cut at {cut}");
        }
    }
}

#[test]
fn payloads_among_text_and_elements() {
    check(
        &Spec::json(),
        &[
            ("Hi {", "text(Hi )"),
            ("{\"a\": \"<think>\"", "open open delta(<think>)"),
            ("[1, 2]!", "open done done done root text(!)"),
            ("<think>{\"a\": 1}</think>", "<1> reasoning({\"a\": 1}) </1:observed> reasoned"),
            ("a</think>b", "text(a) stray_closer stray reclassified reclassify:0-1 text(b)"),
            ("{\"a\": \"</think>", "open open delta(</think>)"),
        ],
    );
}

#[test]
fn text_with_elements() {
    let spec = Spec::builder().format(Format::Text).build().expect("a spec");
    check(
        &spec,
        &[
            ("a<think>b</think>c", "text(a) <1> reasoning(b) </1:observed> reasoned text(c)"),
            ("a <thin", "text(a )"),
            ("a <thin b", "text(a <thin b)"),
            ("`<think>` b", "text(`<think>` b)"),
            ("<think>a<think>b</think>", "<1> reasoning(a<think>b) </1:observed> reasoned"),
        ],
    );
}

#[test]
fn reading_is_over_where_no_emission_can_come() {
    let text = Spec::builder().format(Format::Text).build().expect("a spec");
    for (spec, fed, over) in [
        (&text, "a", true),
        (&text, "a <thin", true),
        (&Spec::json(), "{\"a\": \"x", true),
        (&Spec::json(), "[1, 2]", false),
    ] {
        let mut reader = Reader::new(spec.clone());
        let mut input = Input::new(fed, 0);
        assert!(!reader.is_read_up(&input), "{fed:?} before it is read");
        while reader.advance(&mut input).expect("no limit is near").is_some() {}
        assert_eq!(reader.is_read_up(&input), over, "{fed:?}");
    }
}
