//! The grammar of one marker: literal text, parameters, whitespace, attributes.

use super::bytes::ByteSet;

/// Most bytes of whitespace at one place of a marker.
pub(crate) const MOST_BLANKS: u16 = 64;
/// Most bytes of a list of attributes.
pub(crate) const MOST_ATTRIBUTE_BYTES: u16 = 1 << 10;
/// Most attributes of a marker.
pub(crate) const MOST_ATTRIBUTES: usize = 64;
/// Most bytes of whitespace at a gap that the marker declares.
pub(crate) const MOST_GAP: usize = 8;
/// What declares a gap in a marker.
const GAP: &str = "_";
/// Default of the most bytes of a parameter.
pub(crate) const PARAM_CAP: u16 = 128;

/// How the spelling of a marker may vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MarkerStyle {
    /// Letters match in either case.
    pub(crate) fold: bool,
    /// Whether whitespace is allowed inside the angle brackets.
    pub(crate) blanks: bool,
    /// Whether attributes are allowed before the last `>`, and if so, whether a name alone is one.
    pub(crate) attributes: Option<bool>,
}

/// The limits of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamRule {
    pub(crate) name: String,
    pub(crate) allow: Option<ByteSet>,
    pub(crate) cap: u16,
}

/// The grammar of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkerPattern {
    pub(crate) pieces: Vec<MarkerPart>,
    pub(crate) fold: bool,
}

/// A part of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MarkerPart {
    Literal(Vec<u8>),
    /// One to `cap` bytes of a set, which does not contain the byte after the parameter.
    Param {
        name: String,
        allow: ByteSet,
        cap: u16,
    },
    /// Optional spaces and tabs, at most [`MOST_BLANKS`].
    Blanks,
    /// Optional spaces and tabs, at most [`MOST_GAP`].
    Gap,
    /// Optional attributes, and the slash of an element without content.
    Attributes {
        bare: bool,
    },
}

/// Why a text cannot be a marker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkerError {
    /// The text is empty.
    #[error("it is empty")]
    Empty,
    /// A brace without its partner.
    #[error("a brace at byte {0} is not closed; write {{{{ for a literal brace")]
    Brace(usize),
    /// A parameter without a name, or with the name of another one.
    #[error("the parameter at byte {0} has no name of its own")]
    Name(usize),
    /// A parameter without literal text before it, or without literal text after it.
    #[error("the parameter `{0}` has no text before it, or none after it")]
    Bare(String),
    /// A parameter whose class contains the byte that ends it.
    #[error("the parameter `{0}` may hold `{1}`, which ends it")]
    Terminator(String, char),
    /// A parameter without a possible value, or with a cap out of range.
    #[error("no text fits the parameter `{0}`; its cap is 1 to 4096")]
    Unfit(String),
    /// Attributes in a marker that does not end in `>`.
    #[error("attributes need a marker that ends in `>`")]
    Attributes,
    /// More than 1024 bytes.
    #[error("it is longer than 1024 bytes")]
    Long,
}

/// The bytes of a gap.
pub(super) const BLANKS: &[u8] = b" \t";
const MOST_LITERAL: usize = 1024;
const MOST_CAP: u16 = 4096;
/// Bytes that no parameter may contain.
const NEVER: &[u8] = b"<>\n\r";

impl MarkerPattern {
    /// Parses a marker as a tag set declares it.
    pub(crate) fn parse(
        text: &str,
        style: MarkerStyle,
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
        let len = |piece: &MarkerPart| match piece {
            MarkerPart::Literal(bytes) => bytes.len(),
            MarkerPart::Param { cap, .. } => usize::from(*cap),
            MarkerPart::Blanks => usize::from(MOST_BLANKS),
            MarkerPart::Gap => MOST_GAP,
            // One byte more for the slash of an element without content.
            MarkerPart::Attributes { .. } => usize::from(MOST_ATTRIBUTE_BYTES) + 1,
        };
        self.pieces.iter().map(len).sum()
    }
}

/// Literal text, parameters and gaps. Escaped braces are literal.
fn split(text: &str) -> Result<Vec<MarkerPart>, MarkerError> {
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
                push_literal(&mut pieces, &mut literal);
                let part = part_in_braces(&text[at + 1..at + len], at, &pieces)?;
                pieces.push(part);
                at += len + 1;
            }
            (byte, _) => {
                literal.push(byte);
                at += 1;
            }
        }
    }
    push_literal(&mut pieces, &mut literal);
    match pieces.last() {
        Some(MarkerPart::Param { name, .. }) => Err(MarkerError::Bare(name.clone())),
        Some(MarkerPart::Gap) => Err(MarkerError::Bare(GAP.to_owned())),
        _ => Ok(pieces),
    }
}

/// A gap, or a parameter without its limits. Literal text comes before either; a gap may also follow a parameter, and a
/// parameter a gap.
fn part_in_braces(name: &str, at: usize, before: &[MarkerPart]) -> Result<MarkerPart, MarkerError> {
    let is_gap = name == GAP;
    let is_misplaced = match before {
        [] | [.., MarkerPart::Param { .. }, MarkerPart::Gap] => true,
        [.., MarkerPart::Param { .. }] => !is_gap,
        [.., MarkerPart::Gap] => is_gap,
        _ => false,
    };
    if is_misplaced {
        return Err(MarkerError::Bare(name.to_owned()));
    }
    let is_taken =
        |part: &MarkerPart| matches!(part, MarkerPart::Param { name: other, .. } if other == name);
    if name.is_empty() || before.iter().any(is_taken) {
        return Err(MarkerError::Name(at));
    }
    let param = MarkerPart::Param { name: name.to_owned(), allow: ByteSet::EMPTY, cap: 0 };
    Ok(if is_gap { MarkerPart::Gap } else { param })
}

fn push_literal(pieces: &mut Vec<MarkerPart>, literal: &mut Vec<u8>) {
    if !literal.is_empty() {
        pieces.push(MarkerPart::Literal(core::mem::take(literal)));
    }
}

/// Sets the bytes of each parameter: those of its rule, without the bytes that end it.
fn limit_params(
    mut pieces: Vec<MarkerPart>,
    rules: &[ParamRule],
    fold: bool,
) -> Result<Vec<MarkerPart>, MarkerError> {
    for at in 0..pieces.len() {
        let (before, after) = pieces.split_at_mut(at + 1);
        let Some(MarkerPart::Param { name, allow, cap }) = before.last_mut() else { continue };
        let gap = matches!(after.first(), Some(MarkerPart::Gap));
        let Some(MarkerPart::Literal(next)) = after.get(usize::from(gap)) else {
            return Err(MarkerError::Bare(name.clone()));
        };
        let rule = rules.iter().find(|rule| rule.name == *name);
        let end = next[0];
        let ends = ByteSet::letter(end, fold);
        let ends = if gap { BLANKS.iter().fold(ends, |set, &byte| set.with(byte)) } else { ends };
        *cap = rule.map_or(PARAM_CAP, |rule| rule.cap);
        *allow = match rule.and_then(|rule| rule.allow) {
            Some(set) if set.contains(end) => {
                return Err(MarkerError::Terminator(name.clone(), char::from(end)));
            }
            Some(set) => set.minus(ends),
            None => ByteSet::except(NEVER).minus(ends),
        };
        if allow.is_empty() || !(1..=MOST_CAP).contains(cap) {
            return Err(MarkerError::Unfit(name.clone()));
        }
    }
    Ok(pieces)
}

/// Inserts the parts for whitespace and attributes.
fn vary(mut pieces: Vec<MarkerPart>, style: MarkerStyle) -> Result<Vec<MarkerPart>, MarkerError> {
    let Some(MarkerPart::Literal(last)) = pieces.last_mut() else { return Ok(pieces) };
    let closes = last.last() == Some(&b'>');
    match style.attributes {
        Some(_) if !closes => return Err(MarkerError::Attributes),
        Some(bare) => {
            last.pop();
            pieces.push(MarkerPart::Attributes { bare });
            pieces.push(MarkerPart::Literal(b">".to_vec()));
        }
        None if style.blanks && closes => {
            last.pop();
            pieces.push(MarkerPart::Blanks);
            pieces.push(MarkerPart::Literal(b">".to_vec()));
        }
        None => {}
    }
    if style.blanks && matches!(&pieces[0], MarkerPart::Literal(first) if first.starts_with(b"<")) {
        let MarkerPart::Literal(mut name) = pieces.remove(0) else { return Ok(pieces) };
        let slash = name.get(1) == Some(&b'/');
        name.drain(..if slash { 2 } else { 1 });
        let head: &[&[u8]] = if slash { &[b"<", b"/"] } else { &[b"<"] };
        let head =
            head.iter().flat_map(|part| [MarkerPart::Literal(part.to_vec()), MarkerPart::Blanks]);
        pieces.splice(0..0, head.chain([MarkerPart::Literal(name)]));
    }
    pieces.retain(|piece| !matches!(piece, MarkerPart::Literal(bytes) if bytes.is_empty()));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::{
        ByteSet, MOST_CAP, MarkerError, MarkerPart, MarkerPattern, MarkerStyle, ParamRule,
    };

    fn pieces(text: &str, style: MarkerStyle) -> String {
        let pattern = MarkerPattern::parse(text, style, &[]).expect("a marker");
        let show = |piece: &MarkerPart| match piece {
            MarkerPart::Literal(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            MarkerPart::Param { name, cap, .. } => format!("[{name} {cap}]"),
            MarkerPart::Blanks => "_".to_owned(),
            MarkerPart::Gap => "[gap]".to_owned(),
            MarkerPart::Attributes { bare } => format!("[attributes {bare}]"),
        };
        pattern.pieces.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn markers_are_read_as_people_write_them() {
        let plain = MarkerStyle::default();
        assert_eq!(pieces("<think>", plain), "<think>");
        assert_eq!(pieces("<<T/{name}:{id}>>", plain), "<<T/ [name 128] : [id 128] >>");
        assert_eq!(pieces("{{{{think}}", plain), "{{think}");
        assert_eq!(pieces("<a{_}to={n}{_}>", plain), "<a [gap] to= [n 128] [gap] >");
        let loose = MarkerStyle { blanks: true, ..plain };
        assert_eq!(pieces("</think>", loose), "< _ / _ think _ >");
        let with = MarkerStyle { attributes: Some(true), ..loose };
        assert_eq!(pieces("<think>", with), "< _ think [attributes true] >");
    }

    #[test]
    fn a_parameter_needs_room_and_a_byte_that_fits() {
        let read = |allow, cap| {
            let rule = ParamRule { name: "x".to_owned(), allow, cap };
            MarkerPattern::parse("a{x}b", MarkerStyle::default(), &[rule]).map(|_| ())
        };
        let unfit = Err(MarkerError::Unfit("x".to_owned()));
        assert_eq!(read(None, 1), Ok(()));
        assert_eq!(read(None, MOST_CAP), Ok(()));
        assert_eq!(read(None, 0), unfit);
        assert_eq!(read(None, MOST_CAP + 1), unfit);
        assert_eq!(read(Some(ByteSet::EMPTY), 1), unfit);
        assert_eq!(read(Some(ByteSet::EMPTY.with(b'c')), 1), Ok(()));
    }

    #[test]
    fn what_is_no_marker_says_why() {
        let why =
            |text| MarkerPattern::parse(text, MarkerStyle::default(), &[]).expect_err("no marker");
        assert_eq!(why(""), MarkerError::Empty);
        assert_eq!(why("a{b"), MarkerError::Brace(1));
        assert_eq!(why("a}b"), MarkerError::Brace(1));
        assert_eq!(why("a{}b"), MarkerError::Name(1));
        assert_eq!(why("a{x}b{x}c"), MarkerError::Name(5));
        assert_eq!(why("{x}b"), MarkerError::Bare("x".to_owned()));
        assert_eq!(why("a{x}"), MarkerError::Bare("x".to_owned()));
        assert_eq!(why("a{x}{y}b"), MarkerError::Bare("y".to_owned()));
        assert_eq!(why("a{x}{_}{y}b"), MarkerError::Bare("y".to_owned()));
        for text in ["{_}b", "a{_}", "a{_}{_}b"] {
            assert_eq!(why(text), MarkerError::Bare("_".to_owned()), "{text}");
        }
    }
}
