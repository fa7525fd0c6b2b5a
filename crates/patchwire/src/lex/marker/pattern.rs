//! The grammar of one marker: literal text, parameters, blanks, attributes.

use super::bytes::ByteSet;

/// Blanks that may stand at one place of a marker, at most.
pub(crate) const MOST_BLANKS: u16 = 64;
/// Bytes of one list of attributes, at most.
pub(crate) const MOST_ATTRIBUTE_BYTES: u16 = 1 << 10;
/// Attributes of one marker, at most.
pub(crate) const MOST_ATTRIBUTES: usize = 64;
/// Bytes of a parameter, at most, if not said.
pub(crate) const PARAM_CAP: u16 = 128;

/// How a marker may vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Style {
    /// Letters match in either case.
    pub(crate) fold: bool,
    /// Blanks may stand inside the angle brackets.
    pub(crate) blanks: bool,
    /// Attributes may stand before the last `>`; whether a name alone is one.
    pub(crate) attributes: Option<bool>,
}

/// What a parameter may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamRule {
    pub(crate) name: String,
    pub(crate) allow: Option<ByteSet>,
    pub(crate) cap: u16,
}

/// A marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) fold: bool,
}

/// A part of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(Vec<u8>),
    /// One to `cap` bytes of a set that has not the byte behind it.
    Param {
        name: String,
        allow: ByteSet,
        cap: u16,
    },
    /// Blanks and tabs, or nothing.
    Blanks,
    /// Attributes, or nothing, and the slash of an element without content.
    Attributes {
        bare: bool,
    },
}

/// Why text is no marker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// It has no character.
    #[error("it is empty")]
    Empty,
    /// A brace that opens no parameter.
    #[error("a brace at byte {0} is not closed; write {{{{ for a brace that means itself")]
    Brace(usize),
    /// A parameter without a name, or with one that is taken.
    #[error("the parameter at byte {0} has no name of its own")]
    Name(usize),
    /// A parameter with nothing before it that shows where it begins, or nothing behind it that ends
    /// it.
    #[error("the parameter `{0}` has no text before it, or none behind it")]
    Bare(String),
    /// A parameter that may hold the byte that ends it.
    #[error("the parameter `{0}` may hold `{1}`, which ends it")]
    Terminator(String, char),
    /// A parameter that nothing fits, or too long a cap.
    #[error("no text fits the parameter `{0}`; its cap is 1 to 4096")]
    Unfit(String),
    /// Attributes stand before `>`.
    #[error("attributes need a marker that ends in `>`")]
    Attributes,
    /// It is longer than any model would write.
    #[error("it is longer than 1024 bytes")]
    Long,
}

const MOST_LITERAL: usize = 1024;
const MOST_CAP: u16 = 4096;
/// What no parameter has.
const NEVER: &[u8] = b"<>\n\r";

impl Pattern {
    /// Reads a marker as people write it.
    pub(crate) fn parse(
        text: &str,
        style: Style,
        rules: &[ParamRule],
    ) -> Result<Self, MarkerError> {
        if text.is_empty() {
            return Err(MarkerError::Empty);
        }
        if text.len() > MOST_LITERAL {
            return Err(MarkerError::Long);
        }
        let pieces = limit_params(split(text)?, rules, style.fold)?;
        let pieces = vary(pieces, style)?;
        Ok(Self { pieces, fold: style.fold })
    }

    /// Bytes of the longest text of this grammar.
    pub(crate) fn max_len(&self) -> usize {
        let len = |piece: &Piece| match piece {
            Piece::Literal(bytes) => bytes.len(),
            Piece::Param { cap, .. } => usize::from(*cap),
            Piece::Blanks => usize::from(MOST_BLANKS),
            // The slash of an element without content is none of theirs.
            Piece::Attributes { .. } => usize::from(MOST_ATTRIBUTE_BYTES) + 1,
        };
        self.pieces.iter().map(len).sum()
    }
}

/// Literal text and parameters. Escaped braces are literal.
fn split(text: &str) -> Result<Vec<Piece>, MarkerError> {
    let mut pieces = Vec::new();
    let mut literal = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'{', Some(b'{')) | (b'}', Some(b'}')) => {
                literal.push(bytes[at]);
                at += 2;
            }
            (b'}', _) => return Err(MarkerError::Brace(at)),
            (b'{', _) => {
                let len = text[at..].find('}').ok_or(MarkerError::Brace(at))?;
                let name = text[at + 1..at + len].to_owned();
                let taken =
                    pieces.iter().any(|p| matches!(p, Piece::Param { name: n, .. } if *n == name));
                if name.is_empty() || taken {
                    return Err(MarkerError::Name(at));
                }
                if literal.is_empty() {
                    return Err(MarkerError::Bare(name));
                }
                pieces.push(Piece::Literal(core::mem::take(&mut literal)));
                pieces.push(Piece::Param { name, allow: ByteSet::EMPTY, cap: 0 });
                at += len + 1;
            }
            (byte, _) => {
                literal.push(byte);
                at += 1;
            }
        }
    }
    match (literal.is_empty(), pieces.pop()) {
        (true, Some(Piece::Param { name, .. })) => Err(MarkerError::Bare(name)),
        (_, last) => {
            pieces.extend(last);
            pieces.push(Piece::Literal(literal));
            Ok(pieces)
        }
    }
}

/// What each parameter may hold: what its rule says, but never what ends it.
fn limit_params(
    mut pieces: Vec<Piece>,
    rules: &[ParamRule],
    fold: bool,
) -> Result<Vec<Piece>, MarkerError> {
    for at in 1..pieces.len() {
        let [Piece::Param { name, allow, cap }, Piece::Literal(next)] = &mut pieces[at - 1..=at]
        else {
            continue;
        };
        let rule = rules.iter().find(|rule| rule.name == *name);
        let end = next[0];
        *cap = rule.map_or(PARAM_CAP, |rule| rule.cap);
        *allow = match rule.and_then(|rule| rule.allow) {
            Some(set) if set.contains(end) => {
                return Err(MarkerError::Terminator(name.clone(), char::from(end)));
            }
            Some(set) => set.minus(ByteSet::letter(end, fold)),
            None => ByteSet::except(NEVER).minus(ByteSet::letter(end, fold)),
        };
        if allow.is_empty() || !(1..=MOST_CAP).contains(cap) {
            return Err(MarkerError::Unfit(name.clone()));
        }
    }
    Ok(pieces)
}

/// Puts in where blanks and attributes may stand.
fn vary(mut pieces: Vec<Piece>, style: Style) -> Result<Vec<Piece>, MarkerError> {
    let Some(Piece::Literal(last)) = pieces.last_mut() else { return Ok(pieces) };
    let closes = last.last() == Some(&b'>');
    match style.attributes {
        Some(_) if !closes => return Err(MarkerError::Attributes),
        Some(bare) => {
            last.pop();
            pieces.push(Piece::Attributes { bare });
            pieces.push(Piece::Literal(b">".to_vec()));
        }
        None if style.blanks && closes => {
            last.pop();
            pieces.push(Piece::Blanks);
            pieces.push(Piece::Literal(b">".to_vec()));
        }
        None => {}
    }
    if style.blanks && matches!(&pieces[0], Piece::Literal(first) if first.starts_with(b"<")) {
        let Piece::Literal(mut name) = pieces.remove(0) else { return Ok(pieces) };
        let slash = name.get(1) == Some(&b'/');
        name.drain(..if slash { 2 } else { 1 });
        let head: &[&[u8]] = if slash { &[b"<", b"/"] } else { &[b"<"] };
        let head = head.iter().flat_map(|part| [Piece::Literal(part.to_vec()), Piece::Blanks]);
        pieces.splice(0..0, head.chain([Piece::Literal(name)]));
    }
    pieces.retain(|piece| !matches!(piece, Piece::Literal(bytes) if bytes.is_empty()));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::{MarkerError, Pattern, Piece, Style};

    fn pieces(text: &str, style: Style) -> String {
        let pattern = Pattern::parse(text, style, &[]).expect("a marker");
        let show = |piece: &Piece| match piece {
            Piece::Literal(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Piece::Param { name, cap, .. } => format!("[{name} {cap}]"),
            Piece::Blanks => "_".to_owned(),
            Piece::Attributes { bare } => format!("[attributes {bare}]"),
        };
        pattern.pieces.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn markers_are_read_as_people_write_them() {
        let plain = Style::default();
        assert_eq!(pieces("<think>", plain), "<think>");
        assert_eq!(pieces("<<T/{name}:{id}>>", plain), "<<T/ [name 128] : [id 128] >>");
        assert_eq!(pieces("{{{{think}}", plain), "{{think}");
        let loose = Style { blanks: true, ..plain };
        assert_eq!(pieces("</think>", loose), "< _ / _ think _ >");
        let with = Style { attributes: Some(true), ..loose };
        assert_eq!(pieces("<think>", with), "< _ think [attributes true] >");
    }

    #[test]
    fn what_is_no_marker_says_why() {
        let why = |text| Pattern::parse(text, Style::default(), &[]).expect_err("no marker");
        assert_eq!(why(""), MarkerError::Empty);
        assert_eq!(why("a{b"), MarkerError::Brace(1));
        assert_eq!(why("a}b"), MarkerError::Brace(1));
        assert_eq!(why("a{}b"), MarkerError::Name(1));
        assert_eq!(why("a{x}b{x}c"), MarkerError::Name(5));
        assert_eq!(why("{x}b"), MarkerError::Bare("x".to_owned()));
        assert_eq!(why("a{x}"), MarkerError::Bare("x".to_owned()));
        assert_eq!(why("a{x}{y}b"), MarkerError::Bare("y".to_owned()));
    }
}
