//! A sixth format comes in without touching the engine: a folder with a machine and a row. Here values
//! are lines of `key: value`. The tests show that the parser, tags, prompt and finalizer read the row.

mod machine;
mod row;

use patchwire::internals::FormatRow as _;
use patchwire::tags::{Channel, Family};
use patchwire::{Event, PatchOp, Schema, Spec, TagSet};

use machine::Lines;
use row::LinesRow;

static ROW: LinesRow = LinesRow;

fn aside() -> TagSet {
    TagSet::new([Family::new("aside", "[[", "]]", Channel::Reasoning)]).unwrap()
}

/// Deltas joined by path, completions in order, and the reasoning.
fn events(spec: &Spec, chunks: &[&[u8]]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut parser = spec.parser();
    let mut emit = |event: Event<'_>| {
        let (prefix, text) = match event {
            Event::Patch(patch) if patch.op == PatchOp::Delta => {
                (format!("{} += ", patch.path), patch.delta.to_string())
            }
            Event::Patch(patch) => {
                lines.push(format!("{} {}", patch.path, patch.op.name()));
                return;
            }
            Event::Reasoning(reasoning) => ("aside ".to_owned(), reasoning.delta.to_string()),
            _ => return,
        };
        match lines.last_mut().filter(|last| last.starts_with(&prefix)) {
            Some(last) => last.push_str(&text),
            None => lines.push(prefix + &text),
        }
    };
    for chunk in chunks {
        parser.feed(chunk, &mut emit).unwrap();
    }
    parser.finish(&mut emit).unwrap();
    lines
}

/// All events of `text` are equal at every cut in two.
fn events_at_every_cut(spec: &Spec, text: &[u8]) -> Vec<String> {
    let whole = events(spec, &[text]);
    for cut in 0..=text.len() {
        assert_eq!(events(spec, &[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
    }
    whole
}

#[test]
fn a_machine_alone_is_enough_to_read() {
    let spec = Spec::builder().machine(Box::new(Lines::default())).tags(aside()).build().unwrap();
    let text = b"[[hm]]name: A[[da\nsize: 3\n[[so]]";
    let whole = events_at_every_cut(&spec, text);
    let lines = [" open", "name open", "name +=  A[[da", "name done", "size open", "size +=  3"];
    assert_eq!(whole[0], "aside hm");
    assert_eq!(whole[1..7], lines);
    let answer = spec.parse(text).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"name":" A[[da","size":" 3"}"#);
    assert_eq!(answer.reasoning(), "hmso");
}

#[test]
fn a_row_brings_the_prompt_and_the_end_with_it() {
    let sample = ROW.sample();
    let schema = Schema::from_text(sample.schema.unwrap()).unwrap();
    let spec = Spec::builder().format_row(&ROW).schema(schema).build().unwrap();

    let prompt = spec.prompt();
    assert_eq!(prompt.skeleton(), "name: <text>\nsize: <text>");
    assert!(prompt.as_str().contains("Reply with these lines and nothing else."));
    assert!(prompt.as_str().ends_with("\nWrite each line once.\n"));

    // The stream emits text, and the finalizer gives `size` the type of the schema.
    let whole = events_at_every_cut(&spec, sample.text.as_bytes());
    assert!(whole.contains(&"size +=  3".to_owned()));
    assert!(whole.contains(&"size replace".to_owned()), "{whole:?}");
    assert_eq!(spec.parse(sample.text).unwrap().value().to_string(), r#"{"name":" Ada","size":3}"#);
}
