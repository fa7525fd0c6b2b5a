//! Texts of several lines: block scalars, and plain texts that YAML would cut.

use super::indent;
use super::writer::{Writer, is_marked, is_other_key, other_key};

impl Writer<'_, '_> {
    /// The lines of a block scalar. Lines without its indent get one, up to the next declared key. After lines with an
    /// indent, a line that looks like another key ends the scalar, if it may be one beside the declared ones. `stated`
    /// is the indent that the header says.
    pub(super) fn block(&mut self, lines: &[&str], stated: Option<usize>) {
        let filled = lines.iter().find(|line| !line.trim().is_empty());
        let first = stated.unwrap_or_else(|| filled.map_or(0, |it| indent(it)));
        let wide = " ".repeat(stated.unwrap_or(2));
        let ends = |line: &&str| {
            let is_layout = line.starts_with('#') || matches!(line.trim_end(), "..." | "---");
            let is_key = other_key(line).is_some_and(|key| self.is_like_declared(key));
            let ends_at_key = is_key && (first > 0 || self.is_well_formed);
            indent(line) == 0 && (ends_at_key || (self.is_well_formed && is_layout))
        };
        let len = lines.iter().position(ends);
        let (own, rest) = lines.split_at(len.unwrap_or(lines.len()));
        // Below a line without the indent, deeper ones belong to it: they keep all of theirs.
        let (mut is_outside, mut is_apart, mut in_fence) = (false, false, false);
        for line in own {
            let is_blank = line.trim().is_empty();
            let is_out = !is_blank && indent(line) == 0;
            self.is_sure |= is_out;
            self.takes_keys |= is_out && self.is_well_formed && line.contains(':');
            let goes_on = in_fence || indent(line) > first || !is_apart;
            is_outside = is_out || is_outside && (is_blank || goes_on);
            let is_fence = is_outside && line.trim_start().starts_with("```");
            in_fence ^= is_fence;
            is_apart = is_blank;
            let cut = if is_outside { 0 } else { indent(line).min(first) };
            let text = &line[cut..];
            let pad = if text.is_empty() { "" } else { &wide };
            self.line(&format!("{pad}{text}"));
            // What follows a fence has the indent of the text again.
            is_outside &= in_fence || !is_fence;
        }
        rest.iter().for_each(|line| self.other(line));
    }

    /// Whether a key may stand beside the declared ones: it is written as they are.
    fn is_like_declared(&self, key: &str) -> bool {
        self.has_capitals || !key.starts_with(char::is_uppercase)
    }

    /// A plain text of several lines that YAML would cut at a `#3`. Whether it is one.
    pub(super) fn folded(&mut self, key: &str, value: &str, lines: &[&str]) -> bool {
        let filled = || lines.iter().filter(|line| !line.trim().is_empty());
        let is_plain = value.starts_with(char::is_alphanumeric) && filled().count() > 0;
        let is_inside = filled().all(|line| indent(line) > 0 && !is_other_key(line.trim()));
        let is_cut = is_marked(value) || filled().any(|line| is_marked(line.trim()));
        if !is_plain || !is_inside || !is_cut {
            return false;
        }
        self.line(&format!("{key}: >-"));
        for line in core::iter::once(&value).chain(lines) {
            let line = line.trim();
            let pad = if line.is_empty() { "" } else { "  " };
            self.line(&format!("{pad}{line}"));
        }
        true
    }

    /// A plain text that goes on without an indent behind an empty line or as items. Whether it is one.
    pub(super) fn paragraphs(&mut self, key: &str, value: &str, lines: &[&str]) -> bool {
        let is_plain = !value.starts_with(['"', '\'', '[', '{', '&', '*', '!', '|', '>', '#']);
        let is_out = |line: &&str| !line.trim().is_empty() && indent(line) == 0;
        let is_item = |line: &str| line.starts_with("- ");
        let is_text = |line: &&str| !is_other_key(line) && !line.starts_with(['#', '-', '.']);
        let mut outer = lines.iter().copied().filter(is_out);
        let has_outer = outer.clone().next().is_some();
        let is_text = |line: &str| is_item(line) || is_text(&line);
        if self.is_well_formed || !is_plain || !has_outer || !outer.all(is_text) {
            return false;
        }
        self.is_sure = true;
        self.line(&format!("{key}: |-"));
        let mut is_outside = false;
        for line in core::iter::once(&value).chain(lines) {
            let bare = if is_outside { line.trim_end() } else { line.trim() };
            is_outside |= is_item(line);
            let pad = if bare.is_empty() { "" } else { "  " };
            self.line(&format!("{pad}{bare}"));
        }
        true
    }
}
