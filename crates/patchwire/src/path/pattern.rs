//! Patterns over paths: `items[*].sku`.

use core::fmt;
use core::str::FromStr;

use super::{Path, PathBuf, Segment, print};

/// A path with wildcards. `[*]` matches any list index and any key.
///
/// ```
/// use patchwire::Pattern;
///
/// let pattern: Pattern = "items[*].sku".parse()?;
/// assert_eq!(pattern.to_string(), "items[*].sku");
/// # Ok::<(), patchwire::path::PatternError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    steps: Vec<PatternStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PatternStep {
    Key(Box<str>),
    Index(u32),
    Any,
}

impl PatternStep {
    fn segment(&self) -> Option<Segment<'_>> {
        match self {
            Self::Key(key) => Some(Segment::Key(key)),
            Self::Index(index) => Some(Segment::Index(*index)),
            Self::Any => None,
        }
    }

    fn is(&self, segment: Segment<'_>) -> bool {
        match (self, segment) {
            (Self::Any, _) => true,
            (Self::Key(key), Segment::Key(name)) => **key == *name,
            (Self::Index(index), Segment::Index(at)) => *index == at,
            _ => false,
        }
    }
}

impl Pattern {
    /// Number of steps; 0 for the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether this is the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps; none for a wildcard.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Option<Segment<'_>>> {
        self.steps.iter().map(PatternStep::segment)
    }

    /// The steps, if none is a wildcard.
    pub(crate) fn exact(&self) -> Option<Vec<Segment<'_>>> {
        self.steps.iter().map(PatternStep::segment).collect()
    }

    /// The first `count` steps, and one more with this key.
    pub(crate) fn up_to(&self, count: usize, key: Option<&str>) -> Self {
        let mut steps: Vec<PatternStep> = self.steps.iter().take(count).cloned().collect();
        steps.extend(key.map(|key| PatternStep::Key(key.into())));
        Self { steps }
    }

    /// Whether the pattern matches `path` as a whole.
    #[must_use]
    pub fn matches(&self, path: Path<'_>) -> bool {
        self.steps.len() == path.len()
            && self.steps.iter().zip(path.segments()).all(|(step, segment)| step.is(segment))
    }

    /// Whether an owned path matches.
    #[must_use]
    pub fn matches_owned(&self, path: &PathBuf) -> bool {
        self.steps.len() == path.len()
            && self.steps.iter().rev().zip(path.up()).all(|(step, segment)| step.is(segment))
    }
}

/// Why a text is not a valid pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a path at byte {offset}: write `a.b[0]`, `a[*].b` or `[\"odd key\"]`")]
pub struct PatternError {
    /// The position of the error, in bytes from the start of the text.
    pub offset: usize,
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let offset = text.len() - rest.len();
            let (step, after) = step(rest, offset == 0).ok_or(PatternError { offset })?;
            steps.push(step);
            rest = after;
        }
        Ok(Self { steps })
    }
}

fn step(text: &str, first: bool) -> Option<(PatternStep, &str)> {
    if let Some(inner) = text.strip_prefix("[\"") {
        let end = closing_quote(inner)?;
        let key: String = serde_json::from_str(&text[1..end + 3]).ok()?;
        return Some((PatternStep::Key(key.into()), inner[end + 1..].strip_prefix(']')?));
    }
    if let Some(inner) = text.strip_prefix('[') {
        let (index, rest) = inner.split_once(']')?;
        let step =
            if index == "*" { PatternStep::Any } else { PatternStep::Index(index.parse().ok()?) };
        return Some((step, rest));
    }
    let name = if first { text } else { text.strip_prefix('.')? };
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (key, rest) = name.split_at(end);
    match key {
        "" => None,
        "*" => Some((PatternStep::Any, rest)),
        key => Some((PatternStep::Key(key.into()), rest)),
    }
}

/// The position of the quote that closes a JSON string whose opening quote came before `text`.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                PatternStep::Any => f.write_str("[*]")?,
                PatternStep::Index(index) => write!(f, "[{index}]")?,
                PatternStep::Key(key) if print::is_bare(key) => {
                    f.write_str(if at > 0 { "." } else { "" })?;
                    f.write_str(key)?;
                }
                PatternStep::Key(key) => {
                    f.write_str("[\"")?;
                    crate::text::escape::write(f, key)?;
                    f.write_str("\"]")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn a_quote_in_a_key_is_escaped_and_a_backslash_too() {
        for (text, keys) in [
            (r#"["a\"b"].c"#, &["a\"b", "c"][..]),
            (r#"["a\\"].c"#, &["a\\", "c"]),
            (r#"["a\\\"]"].c"#, &["a\\\"]", "c"]),
        ] {
            let pattern: Pattern = text.parse().unwrap();
            let mut path = super::super::PathBuf::root();
            for key in keys {
                path = path.child(super::Segment::Key(key));
            }
            assert!(pattern.matches_owned(&path), "{text}");
            assert_eq!(pattern.to_string(), text);
        }
    }
}
