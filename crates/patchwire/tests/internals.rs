//! A new format and a new tag set come in without touching the engine: here a format of `key: value`
//! lines, and a pair of markers.

use patchwire::internals::{Input, Machine, Position, Region, Slice, Token, TokenKind};
use patchwire::{
    Error, Event, PatchOp, Spec, TagSet,
    tags::{Channel, Family},
};

/// Lines of `key: value`, read as an object of strings.
#[derive(Debug, Clone, PartialEq, Default)]
struct Lines {
    at: At,
    key: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum At {
    #[default]
    Start,
    Key,
    Opening,
    Value,
    Ended,
}

impl Lines {
    fn move_to(&mut self, at: At, what: TokenKind, end: u64) -> Option<Token> {
        self.at = at;
        Some(Token::new(what, end))
    }

    fn key_token(&self, end: u64) -> Token {
        let end_of_key = u32::try_from(self.key.len()).unwrap();
        Token::with(TokenKind::Key, Slice::Buffer { start: 0, end: end_of_key }, end)
    }
}

impl Machine for Lines {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        while let Some(char) = input.peek_char() {
            let (start, offset) = (input.pos, input.offset());
            if self.at == At::Start {
                return Ok(self.move_to(At::Key, TokenKind::ObjectOpen, offset));
            }
            if self.at == At::Opening {
                self.key.clear();
                return Ok(self.move_to(At::Value, TokenKind::StringOpen, offset));
            }
            input.pos += char.len_utf8();
            match (self.at, char) {
                (At::Key, ':') => {
                    self.at = At::Opening;
                    return Ok(Some(self.key_token(input.offset())));
                }
                (At::Key, '\n') => self.key.clear(),
                (At::Key, _) => self.key.push(char),
                (_, '\n') => {
                    return Ok(self.move_to(At::Key, TokenKind::StringClose, input.offset()));
                }
                _ => {
                    let slice = Slice::Input { start: start as u32, end: input.pos as u32 };
                    return Ok(Some(Token::with(TokenKind::StringText, slice, input.offset())));
                }
            }
        }
        Ok(None)
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        Ok(match self.at {
            At::Start | At::Ended => None,
            At::Value => self.move_to(At::Key, TokenKind::StringClose, end),
            At::Key | At::Opening => self.move_to(At::Ended, TokenKind::Close, end),
        })
    }

    fn buffer(&self) -> &str {
        &self.key
    }

    fn position(&self) -> Position {
        Position::at(if self.at == At::Value { Region::Payload } else { Region::Outside })
    }
}

fn spec() -> Spec {
    let aside = Family::new("aside", "[[", "]]", Channel::Reasoning);
    let tags = TagSet::new([aside]).unwrap();
    Spec::builder().machine(Box::new(Lines::default())).tags(tags).build().unwrap()
}

/// Deltas joined by path, completions in order, and the reasoning.
fn told(spec: &Spec, chunks: &[&[u8]]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    let mut parser = spec.parser();
    let mut tell = |event: Event<'_>| {
        let line = match event {
            Event::Patch(patch) if patch.op == PatchOp::Delta => {
                let prefix = format!("{} += ", patch.path);
                match told.last_mut().filter(|last| last.starts_with(&prefix)) {
                    Some(last) => return last.push_str(&patch.delta),
                    None => format!("{prefix}{}", patch.delta),
                }
            }
            Event::Patch(patch) => format!("{} {}", patch.path, patch.op.name()),
            Event::Reasoning(reasoning) => {
                match told.last_mut().filter(|l| l.starts_with("aside ")) {
                    Some(last) => return last.push_str(&reasoning.delta),
                    None => format!("aside {}", reasoning.delta),
                }
            }
            _ => return,
        };
        told.push(line);
    };
    for chunk in chunks {
        parser.feed(chunk, &mut tell).unwrap();
    }
    parser.finish(&mut tell).unwrap();
    told
}

#[test]
fn a_toy_format_and_two_markers_come_in_through_the_seam() {
    let spec = spec();
    let text = b"[[hm]]name: A[[da\nsize: 3\n[[so]]";
    let whole = told(&spec, &[text]);
    let lines = [" open", "name open", "name +=  A[[da", "name done", "size open", "size +=  3"];
    assert_eq!(whole[0], "aside hm");
    assert_eq!(whole[1..7], lines);
    for cut in 0..=text.len() {
        assert_eq!(told(&spec, &[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
    }
    let answer = spec.parse(text).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"name":" A[[da","size":" 3"}"#);
    assert_eq!(answer.reasoning(), "hmso");
}
