//! Every policy for closers that close nothing, at every kind of place: all events and the answer, at every
//! cut in two and byte by byte.

use testkit::cuts::{Cuts, in_two};
use testkit::event_log::{Recorded, RecordedPatch, Run, Summary, run_cut};
use testkit::stray_closers::{POLICIES, StrayPlace, places};

/// All events of a run, one per line, and the answer.
fn lines(run: &Run) -> Vec<String> {
    let mut names = Vec::new();
    run.events.iter().map(|event| line(event, &mut names)).collect()
}

fn line(event: &Recorded, names: &mut Vec<String>) -> String {
    let at = event.span().map_or(String::new(), |span| format!(" {}..{}", span.start, span.end));
    match event {
        Recorded::ElementOpen { name, .. } => {
            names.push(name.clone());
            format!("open {name}{at}")
        }
        Recorded::ElementClose { reason, .. } => {
            let name = names.pop().unwrap_or_else(|| "what the prompt opened".to_owned());
            format!("close {name}, {}{at}", reason.name())
        }
        Recorded::Text { channel, delta, .. } => format!("{channel} {delta:?}{at}"),
        Recorded::Reasoning { delta, .. } => format!("reasoning {delta:?}{at}"),
        Recorded::ReasoningDone { .. } => format!("reasoning ends{at}"),
        Recorded::Stray { name, .. } => format!("stray {name}{at}"),
        Recorded::Skipped { reason, .. } => format!("skipped {}{at}", reason.name()),
        Recorded::Reclassify { from, to, channel } => format!("{from}..{to} is {channel}"),
        Recorded::Notice { code, span, .. } => {
            format!("notice {code} {}..{}", span.start, span.end)
        }
        Recorded::RootComplete { document, offset } => {
            format!("root of document {} ends {offset}", document.index())
        }
        Recorded::Patch(patch) => format!("{}{at}", patch_line(patch)),
        Recorded::Verdict(failure) => format!("verdict {failure}"),
        Recorded::Final(summary) => answer(summary),
        Recorded::Comment { .. } => panic!("the set has no comments"),
    }
}

fn patch_line(patch: &RecordedPatch) -> String {
    let RecordedPatch { op, path, delta, value, completion, .. } = patch;
    let mut line = format!("{} {path:?}", op.name());
    if !delta.is_empty() {
        line += &format!(" {delta:?}");
    }
    if let Some(value) = value {
        line += &format!(" {value:?}");
    }
    if let Some(completion) = completion {
        line += &format!(" {}", completion.name());
    }
    line
}

fn answer(summary: &Summary) -> String {
    let Summary { outcome, value, text, reasoning, .. } = summary;
    let value = value.as_ref().map_or_else(|| "no value".to_owned(), |value| format!("{value:?}"));
    format!("{outcome}: {value}, text {text:?}, reasoning {reasoning:?}")
}

#[test]
fn a_stray_closer_is_what_the_policy_says_wherever_it_stands() {
    let mut wrong = Vec::new();
    for place in places() {
        for policy in POLICIES {
            if let Err(why) = check(&place, policy) {
                wrong.push(format!("{}, {policy}: {:?}{why}", place.place, place.input));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(place: &StrayPlace, policy: &str) -> Result<(), String> {
    let (spec, input) = (place.spec(policy), place.input.as_bytes());
    let want = place.emitted(policy);
    let cuts = in_two(input.len()).chain([Cuts::none(), Cuts::bytewise(input.len())]);
    for cuts in cuts {
        let got = lines(&run_cut(&spec, input, &cuts));
        if got != want {
            let (want, got) = (want.join("\n    "), got.join("\n    "));
            return Err(format!(", {cuts}\n  want\n    {want}\n  got\n    {got}"));
        }
    }
    Ok(())
}

/// Nothing is lost: the spans of the events tile the input, in order.
#[test]
fn every_byte_around_a_stray_closer_is_emitted_once() {
    for place in places() {
        for policy in POLICIES {
            let run = run_cut(&place.spec(policy), place.input.as_bytes(), &Cuts::none());
            let mut end = 0;
            for span in run.events.iter().filter_map(Recorded::span) {
                assert_eq!(span.start, end, "{}, {policy}", place.place);
                end = span.end;
            }
            assert_eq!(end, place.input.len() as u64, "{}, {policy}", place.place);
        }
    }
}
