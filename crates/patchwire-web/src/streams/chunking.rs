//! Cuts a built-in text into chunks.

use core::num::NonZeroUsize;

use crate::samples::tokens;

/// How a text is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Chunk {
    /// Like a model's tokens.
    Tokens,
    /// Into chunks of this many bytes.
    Bytes(NonZeroUsize),
    /// One chunk.
    All,
    /// At these offsets.
    At(Vec<usize>),
}

impl Chunk {
    /// Reads the query: `chunk=tokens`, `chunk=8`, `chunk=all`, or `cut=12,40`.
    pub(crate) fn read(chunk: Option<&str>, cut: Option<&str>) -> Result<Self, String> {
        match (chunk, cut) {
            (None, None) | (Some("tokens"), None) => Ok(Self::Tokens),
            (Some("all"), None) => Ok(Self::All),
            (Some(bytes), None) => bytes.parse().map(Self::Bytes).map_err(|_| {
                format!("`chunk` is tokens, all or a number of bytes from 1 on, not `{bytes}`")
            }),
            (None, Some(cut)) => offsets(cut).map(Self::At),
            (Some(_), Some(_)) => Err("`cut` says where to cut, `chunk` how; leave one out".into()),
        }
    }

    /// At these offsets, which must ascend. Without any, one chunk.
    pub(crate) fn at(cuts: Vec<usize>) -> Result<Self, String> {
        if cuts.is_sorted_by(|one, next| one < next) {
            Ok(Self::At(cuts))
        } else {
            Err("`cut` is byte offsets that rise, such as [12, 40]".to_owned())
        }
    }
}

fn offsets(cut: &str) -> Result<Vec<usize>, String> {
    let wrong = || format!("`cut` is byte offsets that rise, such as 12,40, and not `{cut}`");
    let offsets: Result<Vec<usize>, _> = cut.split(',').map(str::parse).collect();
    let offsets = offsets.map_err(|_| wrong())?;
    if offsets.is_sorted_by(|one, next| one < next) { Ok(offsets) } else { Err(wrong()) }
}

/// The chunks of a text, in order.
#[derive(Debug)]
pub(crate) struct Cuts {
    chunk: CutPlan,
    at: usize,
    len: usize,
}

#[derive(Debug)]
enum CutPlan {
    Every(usize),
    /// The remaining offsets, the next one last.
    At(Vec<usize>),
}

impl Cuts {
    /// The chunks of `text`. Errors say why it cannot be cut.
    pub(crate) fn new(chunk: Chunk, text: &[u8]) -> Result<Self, String> {
        let len = text.len();
        let chunk = match chunk {
            Chunk::All => CutPlan::Every(len.max(1)),
            Chunk::Bytes(bytes) => CutPlan::Every(bytes.get()),
            Chunk::Tokens => CutPlan::at(token_ends(text)),
            Chunk::At(cuts) if cuts.last().is_some_and(|last| *last > len) => {
                return Err(format!("the text has {len} bytes; cut it there at the latest"));
            }
            Chunk::At(cuts) => CutPlan::at(cuts),
        };
        Ok(Self { chunk, at: 0, len })
    }
}

impl CutPlan {
    fn at(mut cuts: Vec<usize>) -> Self {
        cuts.reverse();
        Self::At(cuts)
    }
}

impl Iterator for Cuts {
    type Item = core::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        self.at = match &mut self.chunk {
            CutPlan::Every(bytes) => start.saturating_add(*bytes).min(self.len),
            CutPlan::At(cuts) => cuts.pop().unwrap_or(self.len),
        };
        (start < self.len).then_some(start..self.at)
    }
}

fn token_ends(text: &[u8]) -> Vec<usize> {
    let lens = tokens(str::from_utf8(text).unwrap_or_default()).map(str::len);
    lens.scan(0, |end, len| {
        *end += len;
        Some(*end)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunk: Option<&str>, cut: Option<&str>) -> Result<Vec<&'static str>, String> {
        let text = "Hi, you there";
        Ok(Cuts::new(Chunk::read(chunk, cut)?, text.as_bytes())?
            .map(|range| &text[range])
            .collect())
    }

    #[test]
    fn a_text_is_cut_as_asked() {
        assert_eq!(cut(None, None).unwrap(), ["Hi", ",", " you", " there"]);
        assert_eq!(cut(Some("tokens"), None), cut(None, None));
        assert_eq!(cut(Some("5"), None).unwrap(), ["Hi, y", "ou th", "ere"]);
        assert_eq!(cut(Some("all"), None).unwrap(), ["Hi, you there"]);
        assert_eq!(cut(None, Some("2")).unwrap(), ["Hi", ", you there"]);
        assert_eq!(cut(None, Some("0,13")).unwrap(), ["", "Hi, you there"]);
        let usual = Chunk::Bytes(NonZeroUsize::MIN);
        assert_eq!(Cuts::new(usual, b"").unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (chunk, at, expected) in [
            (Some("0"), None, "from 1 on, not `0`"),
            (Some("few"), None, "not `few`"),
            (None, Some("3,2"), "that rise"),
            (None, Some("x"), "not `x`"),
            (None, Some("14"), "has 13 bytes"),
            (Some("2"), Some("2"), "leave one out"),
        ] {
            let error = cut(chunk, at).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
