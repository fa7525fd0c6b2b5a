//! Where the deltas are in the JSON of a provider: what a reader reads, and where its events are put.

use core::ops::Range;

use patchwire_async::sources::Protocol;

use crate::json_text::{self, Member};

/// The most choices that are read: as many as OpenAI gives.
const CHOICES: u32 = 128;

/// The form of requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// What one JSON text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// Deltas, maybe none.
    Deltas(Vec<Place>),
    /// An error in place of the rest.
    Failed,
    /// The end of the stream.
    Done,
}

/// One choice in a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) choice: u32,
    /// What its reader reads.
    pub(super) reads: Range<usize>,
    /// The object that gets the events.
    pub(super) target: Option<Target>,
    /// Whether the choice has ended.
    pub(super) ends: bool,
}

/// An object that gets members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// Where its last brace is.
    pub(super) end: usize,
    /// Whether it has no member.
    pub(super) is_empty: bool,
}

impl Dialect {
    pub(super) const fn protocol(self) -> Protocol {
        match self {
            Self::OpenAi => Protocol::OpenAiChat,
            Self::Anthropic => Protocol::Anthropic,
        }
    }

    /// What a place reads, as an event of a stream of its own.
    pub(super) fn event(self, json: &[u8]) -> Vec<u8> {
        match self {
            Self::OpenAi => [b"data: {\"choices\":[", json, b"]}\n\n"].concat(),
            Self::Anthropic => Self::closing(json),
        }
    }

    /// A whole JSON text as an event.
    pub(super) fn closing(json: &[u8]) -> Vec<u8> {
        [b"data: ", json, b"\n\n"].concat()
    }

    /// What an event of a stream is.
    pub(super) fn streamed(self, text: &str) -> Content {
        match self {
            _ if text.trim() == "[DONE]" => Content::Done,
            Self::OpenAi => choices(text, "delta"),
            Self::Anthropic => message_event(text),
        }
    }

    /// What a response is that is not streamed.
    pub(super) fn whole(self, text: &str) -> Content {
        match self {
            Self::OpenAi => match choices(text, "message") {
                Content::Deltas(mut places) => {
                    places.iter_mut().for_each(|place| place.ends = true);
                    Content::Deltas(places)
                }
                content => content,
            },
            Self::Anthropic => message(text),
        }
    }
}

/// The choices of OpenAI's form.
fn choices(text: &str, holder: &str) -> Content {
    let Some(members) = json_text::members(text) else { return Content::Deltas(Vec::new()) };
    if json_text::given(&members, "error").is_some() {
        return Content::Failed;
    }
    let choices = json_text::value(&members, "choices").and_then(json_text::items);
    let mut places = Vec::new();
    for choice in choices.into_iter().flatten() {
        places.extend(place(text, choice, holder));
    }
    Content::Deltas(places)
}

fn place(text: &str, choice: &str, holder: &str) -> Option<Place> {
    let members = json_text::members(choice)?;
    let index = json_text::value(&members, "index").and_then(|index| index.parse().ok());
    let begin = json_text::offset(choice, text);
    let reason = json_text::text(&members, "finish_reason");
    let place = Place {
        choice: index.unwrap_or(0),
        reads: begin..begin + choice.len(),
        target: target(text, &members, holder),
        ends: reason.is_some_and(|reason| !reason.is_empty()),
    };
    (place.choice < CHOICES).then_some(place)
}

fn target(text: &str, members: &[Member<'_>], holder: &str) -> Option<Target> {
    let object = json_text::given(members, holder)?;
    target_of(text, object)
}

/// An object in the text that gets members.
fn target_of(text: &str, object: &str) -> Option<Target> {
    let is_empty = json_text::members(object)?.is_empty();
    Some(Target { end: json_text::offset(object, text) + object.len() - 1, is_empty })
}

/// An event of Anthropic's form.
fn message_event(text: &str) -> Content {
    let Some(members) = json_text::members(text) else { return Content::Deltas(Vec::new()) };
    let kind = json_text::text(&members, "type").unwrap_or_default();
    let has_delta = matches!(&*kind, "content_block_delta" | "message_delta");
    let reason = json_text::given(&members, "delta").and_then(json_text::members);
    let reason = reason.and_then(|delta| json_text::text(&delta, "stop_reason"));
    match &*kind {
        "error" => Content::Failed,
        "message_stop" => Content::Done,
        "ping" => Content::Deltas(Vec::new()),
        // No event of Anthropic's is without a type.
        "" if json_text::given(&members, "error").is_none() => Content::Deltas(Vec::new()),
        _ => Content::Deltas(vec![Place {
            choice: 0,
            reads: 0..text.len(),
            target: if has_delta { target(text, &members, "delta") } else { None },
            ends: kind == "message_delta" && reason.is_some_and(|reason| !reason.is_empty()),
        }]),
    }
}

/// A whole message of Anthropic's form.
fn message(text: &str) -> Content {
    let Some(members) = json_text::members(text) else { return Content::Deltas(Vec::new()) };
    match json_text::text(&members, "type").as_deref() {
        Some("error") => Content::Failed,
        Some("message") => Content::Deltas(vec![Place {
            choice: 0,
            reads: 0..text.len(),
            target: target_of(text, text.trim()),
            ends: true,
        }]),
        _ => Content::Deltas(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(content: Content) -> Vec<Place> {
        match content {
            Content::Deltas(places) => places,
            other => panic!("{other:?}"),
        }
    }

    /// The text with a mark where members would be added.
    fn marked(text: &str, places: &[Place]) -> String {
        let mut text = text.to_owned();
        for target in places.iter().rev().filter_map(|place| place.target) {
            text.insert_str(target.end, if target.is_empty { "#" } else { ",#" });
        }
        text
    }

    #[test]
    fn each_choice_has_its_place() {
        let text = r#"{"id":"x", "choices": [ {"delta" : { } , "index":1},{"index":0,"delta":{"content":"}"},"finish_reason":"stop"},{"index":200,"delta":{}},{"index":2,"delta":null,"finish_reason":null}]}"#;
        let found = places(Dialect::OpenAi.streamed(text));
        assert_eq!(
            found.iter().map(|it| (it.choice, it.ends)).collect::<Vec<_>>(),
            [(1, false), (0, true), (2, false)]
        );
        assert_eq!(&text[found[0].reads.clone()], r#"{"delta" : { } , "index":1}"#);
        assert_eq!(marked(text, &found), text.replace("{ }", "{ #}").replace("\"}\"}", "\"}\",#}"));
        let whole = r#"{"choices":[{"message":{"role":"assistant"}}]} "#;
        let found = places(Dialect::OpenAi.whole(whole));
        assert!(found[0].ends);
        assert_eq!(marked(whole, &found), r#"{"choices":[{"message":{"role":"assistant",#}}]} "#);
    }

    #[test]
    fn a_message_has_one_reader() {
        let text =
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
        let found = places(Dialect::Anthropic.streamed(text));
        assert_eq!(marked(text, &found), text.replace("\"a\"}", "\"a\",#}"));
        let end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#;
        assert!(places(Dialect::Anthropic.streamed(end))[0].ends);
        let start = r#"{"type":"content_block_start","index":0,"content_block":{}}"#;
        assert_eq!(places(Dialect::Anthropic.streamed(start))[0].target, None);
        let whole = " {\"type\":\"message\",\"content\":[]}\n";
        let found = places(Dialect::Anthropic.whole(whole));
        assert_eq!(marked(whole, &found), " {\"type\":\"message\",\"content\":[],#}\n");
    }

    #[test]
    fn ends_and_errors_are_known() {
        for (dialect, text, expected) in [
            (Dialect::OpenAi, " [DONE] ", Content::Done),
            (Dialect::OpenAi, r#"{"error":{"message":"no"}}"#, Content::Failed),
            (Dialect::Anthropic, r#"{"type":"error","error":{}}"#, Content::Failed),
            (Dialect::Anthropic, r#"{"type":"message_stop"}"#, Content::Done),
        ] {
            assert_eq!(dialect.streamed(text), expected, "{text}");
        }
        for text in
            ["", "1", "{}", "{\"choices\":null}", "{\"choices\":[1,{\"index\":-1,\"delta\":7}]}"]
        {
            let found = places(Dialect::OpenAi.streamed(text));
            assert!(found.iter().all(|place| place.target.is_none()), "{text}");
        }
    }
}
