//! Blocks of Markdown that cannot break out of their place.

use std::borrow::Cow;

use super::fields::trimmed;
use crate::mermaid::Fences;

/// Blocks, separated by blank lines.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    text: String,
}

impl Blocks {
    /// Adds a block, unless it is empty.
    pub(super) fn push(&mut self, block: &str) {
        if block.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(block);
    }

    pub(super) fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}

/// Markdown that an agent wrote, with its last fence closed.
pub(super) fn with_closed_fence(text: &str) -> Cow<'_, str> {
    let text = trimmed(text);
    match Fences::new(text).last() {
        Some(fence) if !fence.is_closed => Cow::Owned(format!("{text}\n{}", fence.run)),
        _ => Cow::Borrowed(text),
    }
}

/// Any text as a fenced block, with a fence longer than every run of backticks in it.
pub(super) fn fenced(text: &str, info: &str) -> String {
    let run = "`".repeat((longest_run(text) + 1).max(3));
    format!("{run}{info}\n{text}\n{run}")
}

/// Any text of one line as a code span.
pub(super) fn code_span(text: &str) -> String {
    let run = "`".repeat(longest_run(text) + 1);
    let padding = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{run}{padding}{text}{padding}{run}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A block quote of all lines.
pub(super) fn quoted(text: &str) -> String {
    let lines = text.lines().map(|line| format!("> {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// Markdown that neither opens nor closes a `<details>` element around it.
pub(super) fn html_safe(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = &small[at..];
        if rest.starts_with("<details") || rest.starts_with("</details") {
            out.push_str("&lt;");
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_block() {
        assert_eq!(fenced("a\n```\nb", "x"), "````x\na\n```\nb\n````");
        assert_eq!(code_span("a"), "`a`");
        assert_eq!(code_span("`a``b"), "``` `a``b ```");
        assert_eq!(with_closed_fence("\na\n~~~~x\nb\n"), "a\n~~~~x\nb\n~~~~");
        assert_eq!(with_closed_fence("```\nb\n```"), "```\nb\n```");
        assert_eq!(quoted("a\n\n b"), "> a\n>\n>  b");
        assert_eq!(html_safe("<b></Details> <details>"), "<b>&lt;/Details> &lt;details>");
    }
}
