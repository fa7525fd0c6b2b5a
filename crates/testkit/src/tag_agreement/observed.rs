//! The engine's events for a text with elements, as rows of cases.

use patchwire::{Event, Parser, Spec, event::CloseReason, held::HeldBy, notice::Code};
use serde_json::{Value, json};

/// The events as rows of cases, and the output of each chunk.
#[derive(Debug, Default)]
pub struct Emitted {
    names: Vec<String>,
    /// Steps, as rows of a case.
    pub rows: Vec<Value>,
    /// Notices of unclosed elements and stray closers.
    pub notices: Vec<String>,
    /// The first reclassification: `[from, to, channel]`.
    pub reclassify: Option<Value>,
    /// The text that each chunk emitted, as `[channel, text]`; the text of the end comes last.
    pub pushes: Vec<Vec<(String, String)>>,
    touching: bool,
    /// Whether the last notice was of an opener that the prompt wrote already.
    repeated: bool,
}

impl Emitted {
    fn take(&mut self, event: &Event<'_>) {
        let touching = std::mem::take(&mut self.touching);
        match event {
            Event::Text(text) => self.text(text.channel, &text.delta, touching),
            Event::Reasoning(text) => self.text("reasoning", &text.delta, touching),
            Event::ElementOpen(open) => {
                self.names.resize(open.id.get() as usize - 1, String::new());
                self.names.push(open.name.to_owned());
                let params: Vec<_> = open.params.iter().collect();
                self.rows.push(match params.is_empty() {
                    true => json!(["open", open.name]),
                    false => json!(["open", open.name, params]),
                });
            }
            Event::ElementClose { id, reason, .. } => {
                let name = self.name(id.get());
                self.rows.push(json!(["close", name, reason.name()]));
                let observed = matches!(reason, CloseReason::Observed | CloseReason::Mismatched);
                if !observed {
                    self.notices.push(format!("unclosed_element:{name}"));
                }
            }
            Event::Stray { name, .. } => {
                if !std::mem::take(&mut self.repeated) {
                    self.notices.push(format!("stray_closer:{name}"));
                }
                self.rows.push(json!(["stray", name]));
            }
            Event::Comment(comment) => {
                self.touching = !comment.is_complete;
                match self.rows.last_mut() {
                    Some(Value::Array(row)) if row[0] == "comment" && touching => {
                        row[1] = json!(format!(
                            "{}{}",
                            row[1].as_str().unwrap_or_default(),
                            &*comment.delta
                        ));
                    }
                    _ => self.rows.push(json!(["comment", &*comment.delta])),
                }
            }
            Event::Reclassify { from, to, channel } => {
                self.reclassify.get_or_insert_with(|| json!([from, to, channel]));
                self.rows.push(json!(["reclassify", from, to, channel]));
            }
            Event::Notice(notice) => {
                self.repeated = notice.code == Code::RepeatedOpener;
                self.touching = touching;
            }
            Event::ReasoningDone { .. } => self.touching = touching,
            _ => {}
        }
    }

    fn name(&self, id: u32) -> String {
        self.names.get(id as usize - 1).cloned().unwrap_or_default()
    }

    fn text(&mut self, channel: &str, delta: &str, touching: bool) {
        self.touching = true;
        match self.rows.last_mut() {
            Some(Value::Array(row)) if touching && row[0] == "text" && row[1] == channel => {
                row[2] = json!(format!("{}{delta}", row[2].as_str().unwrap_or_default()));
            }
            _ => self.rows.push(json!(["text", channel, delta])),
        }
        let push = self.pushes.last_mut().expect("a chunk");
        match push.last_mut() {
            Some((last, text)) if last == channel => text.push_str(delta),
            _ => push.push((channel.to_owned(), delta.to_owned())),
        }
    }
}

/// Feeds the chunks, finishes, and asserts that the held bytes stay within the set's bound.
///
/// # Panics
/// If more bytes are held, or if the input reaches a limit.
pub fn feed<'c>(
    spec: &Spec,
    start_in: Option<&str>,
    chunks: impl IntoIterator<Item = &'c [u8]>,
) -> (Emitted, Parser) {
    let mut emitted =
        Emitted { names: start_in.map(str::to_owned).into_iter().collect(), ..Emitted::default() };
    let mut parser = spec.parser();
    for chunk in chunks {
        emitted.pushes.push(Vec::new());
        parser.feed(chunk, |event| emitted.take(&event)).expect("no limit is near");
        let marker = parser.held().into_iter().find(|held| held.by == HeldBy::Marker);
        let held = marker.map_or(0, |held| held.bytes.len());
        assert!(held <= parser.max_held(), "{:?}", parser.held());
    }
    emitted.pushes.push(Vec::new());
    parser.finish(|event| emitted.take(&event)).expect("no limit is near");
    (emitted, parser)
}
