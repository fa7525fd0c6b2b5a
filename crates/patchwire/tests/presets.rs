//! The tag sets that come with the engine, each with what it is for and with what goes wrong.

use patchwire::{Answer, Event, Format, Outcome, PatchOp, Spec, TagSet, event::CloseReason};

mod calls;
mod edits;
mod families;
mod harmony;
mod history;
mod markup;
mod pads;

fn spec(tags: &TagSet) -> Spec {
    Spec::builder().format(Format::Text).tags(tags.clone()).build().unwrap()
}

/// The events, one per line. Neighbouring texts are joined.
#[derive(Default)]
struct Emitted {
    names: Vec<String>,
    lines: Vec<String>,
}

impl Emitted {
    fn take(&mut self, event: Event<'_>) {
        let line = match event {
            Event::Text(text) => return self.grow(&format!("{}: ", text.channel), &text.delta),
            Event::Reasoning(text) => return self.grow("reasoning: ", &text.delta),
            Event::Patch(patch) if patch.op == PatchOp::Delta => {
                return self.grow(&format!("{} += ", patch.path), &patch.delta);
            }
            // The text as the value of the whole, at the end.
            Event::Patch(patch) if patch.op == PatchOp::Replace && patch.path.is_empty() => {
                return;
            }
            Event::Patch(patch) => match patch.op {
                PatchOp::Done if !patch.value.to_string().starts_with(['{', '[', '"']) => {
                    format!("{} = {}", patch.path, patch.value)
                }
                kind => format!("{} {}", patch.path, kind.name()),
            },
            Event::ElementOpen(open) => {
                self.names.resize(open.id.get() as usize - 1, String::new());
                self.names.push(open.name.to_owned());
                let params = open.params.iter().map(|(key, value)| format!(" {key}={value}"));
                format!("<{}{}>", open.name, params.collect::<String>())
            }
            Event::ElementClose { id, reason, .. } => {
                let name = &self.names[id.get() as usize - 1];
                match reason {
                    CloseReason::Observed => format!("</{name}>"),
                    reason => format!("</{name}> {}", reason.name()),
                }
            }
            Event::Stray { name, .. } => format!("stray {name}"),
            Event::Reclassify { from, to, channel } => format!("{from}..{to} is {channel}"),
            Event::Notice(notice) => format!("! {}", notice.code),
            _ => return,
        };
        self.lines.push(line);
    }

    fn grow(&mut self, prefix: &str, delta: &str) {
        match self.lines.last_mut().filter(|last| last.starts_with(prefix)) {
            Some(last) => last.push_str(delta),
            None => self.lines.push(format!("{prefix}{delta}")),
        }
    }
}

fn emitted(spec: &Spec, chunks: &[&[u8]]) -> (Vec<String>, Answer) {
    let mut emitted = Emitted::default();
    let mut parser = spec.parser();
    for chunk in chunks {
        parser.feed(chunk, |event: Event<'_>| emitted.take(event)).unwrap();
    }
    let answer = parser.finish(|event: Event<'_>| emitted.take(event)).unwrap();
    (emitted.lines, answer)
}

/// The same however it is cut in two, and byte by byte.
fn uncut(spec: &Spec, text: &str) -> (Vec<String>, Answer) {
    let bytes = text.as_bytes();
    let whole = emitted(spec, &[bytes]);
    for cut in 0..=bytes.len() {
        let (lines, answer) = emitted(spec, &[&bytes[..cut], &bytes[cut..]]);
        assert_eq!(lines, whole.0, "{text:?} cut at {cut}");
        assert!(answer == whole.1, "{text:?} cut at {cut}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(emitted(spec, &single).0, whole.0, "{text:?} byte by byte");
    whole
}

fn check(tags: &TagSet, text: &str, expected: &[&str]) -> Answer {
    let (lines, answer) = uncut(&spec(tags), text);
    assert_eq!(lines, expected, "{text:?}");
    answer
}

/// Text by channel, and nothing else in the answer.
fn shown(tags: &TagSet, text: &str, answer: &str, reasoning: &str) -> Answer {
    let (_, whole) = uncut(&spec(tags), text);
    assert_eq!((whole.text(), whole.reasoning()), (answer, reasoning), "{text:?}");
    whole
}

/// The texts of the elements of that name.
fn texts(answer: &Answer, name: &str) -> Vec<String> {
    let named = answer.elements().filter(|element| element.name() == name);
    named.map(|element| element.text().into_owned()).collect()
}

/// The documents of the elements of that name, as JSON.
fn values(answer: &Answer, name: &str) -> Vec<String> {
    let named = answer.elements().filter(|element| element.name() == name);
    named.filter_map(|element| Some(element.value()?.to_string())).collect()
}

#[test]
fn every_preset_compiles_and_has_its_name() {
    for name in TagSet::PRESETS {
        let set = TagSet::preset(name).unwrap();
        assert_eq!(set.name(), *name);
        assert!(set.max_held() < 4 << 10, "{name} holds up to {}", set.max_held());
    }
    assert!(TagSet::preset("none").is_none());
}

/// Markers are rare: plain text passes through every preset untouched, and nothing is held.
#[test]
fn plain_text_is_plain_in_all() {
    let text = "a < b, vec<T>, [1], `x`, {\"a\": 1}\n== x ==\n<<2 >> 1\n<b>bold</b> <| and |>";
    for name in TagSet::PRESETS {
        let spec = spec(&TagSet::preset(name).unwrap());
        let (lines, answer) = uncut(&spec, text);
        let custom = ["text: ".to_owned() + text];
        assert!(lines == custom || *name == "hermes", "{name}: {lines:?}");
        assert_eq!(answer.outcome(), Outcome::Complete, "{name}");
    }
}
