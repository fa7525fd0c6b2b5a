//! Fenced code in a text (CommonMark 0.31, section 4.5).

/// A fence and its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence<'t> {
    /// The offset of its first line.
    pub(crate) at: usize,
    /// The info string after the opening run.
    pub(crate) info: &'t str,
    /// The code, without its last line break.
    pub(crate) code: String,
    /// Whether there is a closing line.
    pub(crate) is_closed: bool,
    /// The opening run. A run of the same characters, at least as long, closes the fence.
    pub(crate) run: &'t str,
}

/// The opening line of a fence.
#[derive(Debug, Clone, Copy)]
struct Opener<'t> {
    indent: usize,
    run: &'t str,
    info: &'t str,
}

/// Every fence of a text, in order. Fences inside a fence are code.
#[derive(Debug, Clone)]
pub(crate) struct Fences<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Fences<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    fn line(&mut self) -> Option<&'t str> {
        let rest = &self.text[self.at..];
        let line = rest.split_inclusive('\n').next()?;
        self.at += line.len();
        Some(line)
    }

    /// The code of a fence that was just opened, and whether the fence is closed.
    fn code(&mut self, opener: Opener<'t>) -> (String, bool) {
        let mut code = String::new();
        let mut is_closed = false;
        while let Some(line) = self.line() {
            if opener.is_closed_by(line) {
                is_closed = true;
                break;
            }
            code.push_str(unindented(line, opener.indent));
        }
        let len = code.strip_suffix('\n').map(|code| code.strip_suffix('\r').unwrap_or(code).len());
        code.truncate(len.unwrap_or(code.len()));
        (code, is_closed)
    }
}

impl<'t> Iterator for Fences<'t> {
    type Item = Fence<'t>;

    fn next(&mut self) -> Option<Fence<'t>> {
        loop {
            let at = self.at;
            let Some(opener) = Opener::read(self.line()?) else { continue };
            let (code, is_closed) = self.code(opener);
            return Some(Fence { at, info: opener.info, code, is_closed, run: opener.run });
        }
    }
}

impl<'t> Opener<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let (indent, run, rest) = run(line)?;
        let info = rest.trim();
        (run.starts_with('~') || !info.contains('`')).then_some(Self { indent, run, info })
    }

    fn is_closed_by(self, line: &str) -> bool {
        run(line).is_some_and(|(_, closing, rest)| {
            closing.starts_with(self.run) && rest.trim().is_empty()
        })
    }
}

/// The indent, the run and the rest of a line that may open or close a fence: at most three spaces, then three
/// or more backticks or tildes.
fn run(line: &str) -> Option<(usize, &str, &str)> {
    let body = line.trim_start_matches(' ');
    let indent = line.len() - body.len();
    let first = body.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let len = body.len() - body.trim_start_matches(first).len();
    (indent <= 3 && len >= 3).then(|| (indent, &body[..len], &body[len..]))
}

/// A line without up to `indent` of its leading spaces.
fn unindented(line: &str, indent: usize) -> &str {
    let spaces = line.bytes().take(indent).take_while(|&byte| byte == b' ').count();
    &line[spaces..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |fence: Fence<'_>| {
            let end = if fence.is_closed { "" } else { " …" };
            format!("{}|{}|{}{end}", fence.at, fence.info, fence.code)
        };
        Fences::new(text).map(show).collect()
    }

    #[test]
    fn both_characters_and_their_closers() {
        assert_eq!(shown("a\n```x y\n1\n\n2\n```\nb"), ["2|x y|1\n\n2"]);
        assert_eq!(shown("~~~ a`b\n1\n~~\n```\n~~~~  \n"), ["0|a`b|1\n~~\n```"]);
        assert_eq!(shown("````\n```\n```\n````"), ["0||```\n```"]);
        assert_eq!(shown("```\n1\n``` x\n2\n    ```\n   ```"), ["0||1\n``` x\n2\n    ```"]);
    }

    #[test]
    fn lines_that_open_no_fence() {
        for text in ["``\n1\n``", "    ```\n1\n    ```", "x ```\n1", "``` a`b\n1", "\t```\n1"] {
            assert_eq!(shown(text), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn the_indent_of_the_fence_is_not_code() {
        assert_eq!(shown("  ```\n    1\n  2\n 3\n\n  ```"), ["0||  1\n2\n3\n"]);
    }

    #[test]
    fn line_breaks_of_two_bytes_and_the_end() {
        assert_eq!(shown("```m\r\n1\r\n2\r\n```\r\n"), ["0|m|1\r\n2"]);
        assert_eq!(shown("```m"), ["0|m| …"]);
        assert_eq!(shown("```m\n1\n"), ["0|m|1 …"]);
        assert_eq!(shown("```m\n1\n``"), ["0|m|1\n`` …"]);
    }
}
