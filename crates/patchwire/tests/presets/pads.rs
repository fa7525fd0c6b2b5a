//! A scratch pad and an output, and the known errors of models with them.

use patchwire::{Answer, Outcome, Spec, TagSet};

use super::{check, shown, texts, uncut};

fn read(text: &str, answer: &str, reasoning: &str) -> Answer {
    shown(&TagSet::scratchpad(), text, answer, reasoning)
}

#[test]
fn a_pad_and_an_output() {
    let text = "<scratch_pad>\nTwo sources agree: use search, then sum up.\n</scratch_pad>\n<output>\n\
                ## Result\n\n- **12** trains a day\n</output>\n";
    let answer = check(
        &TagSet::scratchpad(),
        text,
        &[
            "<scratch_pad>",
            "reasoning: \nTwo sources agree: use search, then sum up.\n",
            "</scratch_pad>",
            "text: \n",
            "<output>",
            "answer: \n## Result\n\n- **12** trains a day\n",
            "</output>",
            "text: \n",
        ],
    );
    assert_eq!(answer.text(), "\n## Result\n\n- **12** trains a day\n");
    assert_eq!(answer.outcome(), Outcome::Complete);
}

/// Every pair of cuts inside a marker.
#[test]
fn markers_in_pieces() {
    let spec = super::spec(&TagSet::scratchpad());
    let text = "<scratch_pad>a</scratch_pad><output>b</output>";
    for first in 0..text.len() {
        for second in first..text.len() {
            let chunks = [&text[..first], &text[first..second], &text[second..]];
            let (_, answer) = super::emitted(&spec, &chunks.map(str::as_bytes));
            assert_eq!((answer.text(), answer.reasoning()), ("b", "a"), "{chunks:?}");
        }
    }
}

#[test]
fn an_output_opened_and_opened_again() {
    let text = "<output>First try<output>Second try</output>";
    let answer = read(text, "First trySecond try", "");
    assert_eq!(texts(&answer, "output"), ["First try", "Second try"]);
    assert!(answer.notices().iter().any(|notice| notice.code.name() == "unclosed_element"));
    read("<output>a<output>b</output>c</output>", "abc", "");
    let never = read("<scratch_pad>a</scratch_pad><output>One<output>Two", "OneTwo", "a");
    assert_eq!(never.outcome(), Outcome::Truncated);
}

#[test]
fn a_stray_closer_in_the_pad() {
    let text = "<scratch_pad>I close </output> too early.</scratch_pad><output>Yes.</output>";
    read(text, "Yes.", "I close  too early.");
    // And one at the very end.
    let answer = read("<output>Yes.</output></output> done", "Yes.", "");
    assert_eq!(answer.notice_count(), 1);
}

#[test]
fn reasoning_that_leaked() {
    read("<think>hm</think><output>Yes.</output>", "Yes.", "hm");
    read("<output>Yes<think>should I?</think>, do.</output>", "Yes, do.", "should I?");
    // Only the closer, or only the opener.
    read("so it is</think>\nYes.", "\nYes.", "so it is");
    let orphan = read("Yes.<think>but", "Yes.", "but");
    assert!(!orphan.elements().next().unwrap().is_complete());
    read("<scratch_pad>a<think>b</think>c</scratch_pad><output>d</output>", "d", "abc");
}

/// The text of the pad stays hidden, although it was never closed.
#[test]
fn a_crash_in_the_pad() {
    let answer = read("<scratch_pad>the key is 1234, so", "", "the key is 1234, so");
    assert_eq!(answer.outcome(), Outcome::NoAnswer);
    read("Hello.\n<scratch_pad>the key", "Hello.\n", "the key");
    read("<scratch_pad>still thinking\n<output>Yes.</output>", "Yes.", "still thinking\n");
    read("<scratch_pad>a</scratch_pad><output>Yes</out", "Yes</out", "a");
}

#[test]
fn no_protocol_at_all() {
    for text in ["Which city do you mean?", "a < b <outputs> </ outputs>", "", "`<output>`"] {
        read(text, text, "");
    }
    read("<scratch_pad>which?</scratch_pad>\nWhich city?", "\nWhich city?", "which?");
}

/// The text of the protocol in code is text.
#[test]
fn an_answer_about_the_protocol() {
    let text = "<output>Wrap it:\n```\n<output>\n…\n</output>\n```\nOr `</output>`.</output>";
    let expected = "Wrap it:\n```\n<output>\n…\n</output>\n```\nOr `</output>`.";
    read(text, expected, "");
}

/// A whole text at once gives what the stream gave.
#[test]
fn the_same_at_once() {
    let text = "<think>x</think><scratch_pad>a</scratch_pad>b<output>c<output>d";
    let spec: Spec = super::spec(&TagSet::scratchpad());
    let (_, streamed) = uncut(&spec, text);
    assert!(spec.parse(text).unwrap() == streamed);
}

/// An opener that the pad only mentions: the pad's closer shows it, if another output follows.
#[test]
fn an_output_that_is_mentioned_in_the_pad() {
    for (text, answer, reasoning) in [
        ("<scratch_pad>in <output> next.</scratch_pad><output>x</output>", "x", "in  next."),
        // Before a noun it is a mention at once.
        ("<scratch_pad>in <output> tags</scratch_pad><output>x</output>", "x", "in <output> tags"),
        ("<scratch_pad>a <output> b\n</scratch_pad>\n<output>x</output>", "x", "a  b\n\n"),
        ("<think>an <output> now</think><output>x</output>", "x", "an  now"),
        (
            "<scratch_pad>a <output> b</scratch_pad><output>x</output><output>y</output>",
            "xy",
            "a  b",
        ),
        ("<scratch_pad>a <output> b</scratch_pad>c<output>x</output>", "x", "a  bc"),
        // No other output: the first is the answer.
        ("<scratch_pad>a<output>b</scratch_pad>", "b", "a"),
        ("<scratch_pad>a<output>b</scratch_pad> c", "b c", "a"),
        // The output was closed: it is one.
        ("<scratch_pad>a<output>b</output></scratch_pad><output>c</output>", "bc", "a"),
        // The closer is not that of the pad.
        ("<scratch_pad>a<output>b</think><output>c</output>", "bc", "a"),
        ("<scratch_pad>a</scratch_pad><output>b</scratch_pad>c<output>d</output>", "bcd", "a"),
        // Another pad came behind the output: the closer is not that of the first.
        (
            "<scratch_pad>a<output>b</output><scratch_pad>c</scratch_pad>d</scratch_pad>\
             <output>e</output>",
            "be",
            "ac",
        ),
    ] {
        read(text, answer, reasoning);
    }
    let told =
        read("<scratch_pad>in <output> next.</scratch_pad><output>x</output>", "x", "in  next.");
    let reclassified = told.notices().iter().find(|it| it.code.name() == "reclassified").unwrap();
    assert_eq!((reclassified.span.start, reclassified.span.end), (24, 44));
}

#[test]
fn an_output_that_prose_mentions() {
    for text in [
        "See the element (<output>).",
        "What goes into <output>? All.",
        "It ends with the word <output>. Then",
        "It stands between <output> and </output>",
    ] {
        check(&TagSet::scratchpad(), text, &[&format!("text: {text}")]);
    }
}

/// An output that is closed is the answer, even if it is empty.
#[test]
fn an_empty_output() {
    for text in ["<output></output>", "<scratch_pad>a</scratch_pad><output></output>"] {
        let answer = super::spec(&TagSet::scratchpad()).parse(text).unwrap();
        assert_eq!((answer.value().as_str(), answer.outcome()), (Some(""), Outcome::Complete));
    }
    let open = super::spec(&TagSet::scratchpad()).parse("<output>").unwrap();
    assert_eq!(open.outcome(), Outcome::Empty);
}
