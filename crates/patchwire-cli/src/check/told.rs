//! What a parser told, so that two tellings can be compared: neighbouring deltas are joined.

use core::fmt;

use patchwire::{DocId, ElementId, Error, Event, Kind, NodeId, OwnedEvent, Patch, PathBuf, Span};

/// What was told, in order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told(pub(crate) Vec<Step>);

/// An event, or neighbouring deltas as one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Text that grew.
    Grown { field: Field, text: String, span: Span },
    /// Any other event. `final` holds the answer, and compares it.
    Event(OwnedEvent),
    /// What ended the stream.
    Stopped(Error),
}

/// Which text grew.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Field {
    Patch { document: DocId, node: NodeId, path: PathBuf },
    Text { channel: String, element: Option<ElementId> },
    Reasoning { element: Option<ElementId> },
    Comment { element: Option<ElementId> },
}

impl Told {
    pub(crate) fn event(&mut self, event: Event<'_>) {
        let Some((text, span)) = delta_of(&event) else {
            return self.0.push(Step::Event(event.to_owned()));
        };
        if let Some(Step::Grown { field, text: before, span: from }) = self.0.last_mut()
            && field.is_of(&event)
        {
            before.push_str(text);
            from.end = span.end;
            return;
        }
        if let Some(field) = Field::of(&event) {
            self.0.push(Step::Grown { field, text: text.to_owned(), span });
        }
    }

    pub(crate) fn stopped(&mut self, error: Error) {
        self.0.push(Step::Stopped(error));
    }
}

fn delta_of<'a>(event: &Event<'a>) -> Option<(&'a str, Span)> {
    match event {
        Event::Patch(patch) if patch.kind == Kind::Delta => {
            Some((patch.delta.as_str(), patch.span))
        }
        Event::Text(text) => Some((text.delta.as_str(), text.span)),
        Event::Reasoning(text) => Some((text.delta.as_str(), text.span)),
        Event::Comment(text) if !text.is_complete => Some((text.delta.as_str(), text.span)),
        _ => None,
    }
}

impl Field {
    fn of(event: &Event<'_>) -> Option<Self> {
        match event {
            Event::Patch(Patch { document, node, path, .. }) => {
                Some(Self::Patch { document: *document, node: *node, path: path.to_path_buf() })
            }
            Event::Text(text) => {
                Some(Self::Text { channel: text.channel.to_owned(), element: text.element })
            }
            Event::Reasoning(text) => Some(Self::Reasoning { element: text.element }),
            Event::Comment(text) => Some(Self::Comment { element: text.element }),
            _ => None,
        }
    }

    fn is_of(&self, event: &Event<'_>) -> bool {
        match (self, event) {
            (Self::Patch { document, node, .. }, Event::Patch(patch)) => {
                (*document, *node) == (patch.document, patch.node)
            }
            (Self::Text { channel, element }, Event::Text(text)) => {
                channel == text.channel && *element == text.element
            }
            (Self::Reasoning { element }, Event::Reasoning(text)) => *element == text.element,
            (Self::Comment { element }, Event::Comment(text)) => *element == text.element,
            _ => false,
        }
    }
}

/// Nearly as on the wire.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grown { field, text, span } => {
                let text = serde_json::Value::from(text.as_str());
                write!(f, "{field} += {text}, bytes {}..{}", span.start, span.end)
            }
            Self::Event(event) => event.fmt(f),
            Self::Stopped(error) => error.wire().fmt(f),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Patch { path, .. } => write!(f, "`{path}`"),
            Self::Text { channel, .. } => f.write_str(channel),
            Self::Reasoning { .. } => f.write_str("reasoning"),
            Self::Comment { .. } => f.write_str("comment"),
        }
    }
}
