//! What one reading gives, as text: each event, the answer, and the answer in its second reading.

use core::fmt::Write;

use patchwire::spec::{AnswerView, Roots, Strictness, Unwrap};
use patchwire::wire::IncludeValues;
use patchwire::{Answer, Leniency, Limit, Limits, Spec, SpecBuilder};

use super::damage::Random;

/// Settings that change what is read, each with its name.
pub(super) fn vary(spec: SpecBuilder, random: &mut Random) -> (String, SpecBuilder) {
    match random.below(16) {
        0 => ("strict".into(), spec.strictness(Strictness::Strict)),
        1 | 2 => {
            let leniency = random.pick(&Leniency::ALL);
            (format!("without {}", leniency.name()), spec.forbid(leniency))
        }
        3 => ("without value".into(), spec.without_value()),
        4 => ("without raw".into(), spec.without_raw()),
        5 => ("without alignment".into(), spec.without_alignment()),
        6 => {
            let roots =
                random.pick(&[Roots::FirstFit, Roots::First, Roots::Last, Roots::Concatenated]);
            (format!("{roots:?} roots"), spec.roots(roots))
        }
        7 => {
            let unwrap = random.pick(&[Unwrap::Auto, Unwrap::Always]);
            (format!("unwraps {unwrap:?}"), spec.unwrap_fences(unwrap))
        }
        8 => {
            let views = [AnswerView::First, AnswerView::Last, AnswerView::FirstClosedElseLast];
            let view = random.pick(&views);
            (format!("{view:?} answer"), spec.view(view))
        }
        9 => {
            let limit = random.pick(&Limit::ALL);
            let most = random.below(40) as u64;
            let limits = Limits::default().with(limit, most);
            (format!("{} of {most}", limit.name()), spec.limits(limits))
        }
        _ => ("as it is".into(), spec),
    }
}

/// The wire form of all that a text gives in chunks of random lengths.
pub(super) fn read(spec: &Spec, text: &[u8], random: &mut Random) -> String {
    let mut out = String::new();
    let mut parser = spec.parser();
    let most = random.pick(&[1, 4, 16, 1 << 20]);
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, behind) = rest.split_at(rest.len().min(1 + random.below(most)));
        rest = behind;
        let fed = parser
            .feed(chunk, |event| writeln!(out, "{}", event.wire(IncludeValues::Done)).unwrap());
        if let Err(error) = fed {
            writeln!(out, "{}", error.wire()).unwrap();
            return out;
        }
    }
    match parser.finish(|event| writeln!(out, "{}", event.wire(IncludeValues::All)).unwrap()) {
        Ok(answer) => append_answer(&answer, &mut out),
        Err(error) => writeln!(out, "{}", error.wire()).unwrap(),
    }
    out
}

fn append_answer(answer: &Answer, out: &mut String) {
    let outcome = answer.outcome().name();
    let (text, reasoning) = (answer.text(), answer.reasoning());
    writeln!(out, "{outcome} {text:?} {reasoning:?} {}", answer.value()).unwrap();
    for element in answer.elements() {
        let (name, text) = (element.name(), element.text());
        writeln!(
            out,
            "<{name}> {:?} {text:?} {:?}",
            element.reason(),
            element.value().map(|it| it.to_string())
        )
        .unwrap();
    }
    for call in answer.calls() {
        writeln!(out, "call {} {} {}", call.name(), call.is_complete(), call.arguments()).unwrap();
    }
    for notice in answer.notices() {
        writeln!(out, "{} {} {:?}", notice.code.name(), notice.path, notice.span).unwrap();
    }
    if let Some(other) = answer.alternative() {
        append_answer(other, out);
    }
}
