//! Sections under headers of any style.
//!
//! A header is a line that is a declared name and what models put around it: marks, a number, emphasis, a
//! colon, the kind of the section; or a bold name with its value behind a colon; or a name that is
//! underlined. If headers of the first header's style find as many fields, no other style counts.

use std::collections::HashSet;

use super::drafts::{Quality, Settled};
use super::header_lines::{
    dash_label, html_heading, is_framed, label, plain, row, without_pictures, without_quotes,
};
use super::header_names::{EMPHASIS, html_emphasis, is_kind, named, without_marks, without_number};
use super::names::DeclaredNames;
use super::seen_names::SeenNames;
use super::{RawField, RawFields, Sure, beats, drafts, typed, without_layout};
use crate::codes::Code;
use crate::lex::fence_line::{FenceCloser, FenceOpener, FenceRun};
use crate::schema::Schema;
use crate::spec::Settings;

/// How a header is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Style {
    Marks {
        level: usize,
        is_indented: bool,
        /// Whether no whitespace stands behind the marks.
        is_tight: bool,
    },
    Bold {
        is_indented: bool,
    },
    /// In brackets, or between runs of `=`.
    Framed,
    Underlined,
    /// A name alone on its line, or before a colon.
    Plain {
        is_indented: bool,
    },
    /// The first cell in a row of a table; the value is in the second one.
    Row,
}

/// Which headers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Styles {
    /// Only headers in the style of the first header.
    One,
    /// Headers of every style but the plain one.
    Mixed,
    /// Only plain headers.
    Plain,
}

/// A header, and the content that begins on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header<'t, 's> {
    pub(super) name: &'s str,
    pub(super) style: Style,
    pub(super) rest: &'t str,
}

/// Reads sections. The reading in one style counts unless the mixture of styles has more fields.
pub(super) fn read<'t>(
    text: &'t str,
    settings: &Settings,
    schema: &Schema,
    is_own: bool,
) -> Option<RawFields<'t>> {
    let names = DeclaredNames::of(schema);
    let one = split(text, &names, Styles::One);
    let mixed = split(text, &names, Styles::Mixed);
    let settled = |found: Split<'t, '_>| found.settled(settings, schema);
    let (one, mixed) = (one.map(settled), mixed.map(settled));
    let (Some(one), Some(mixed)) = (one, mixed) else { return None };
    if one.fields == mixed.fields {
        return Some(one);
    }
    let value = |found: &RawFields<'t>| {
        let (fields, hidden) = (found.fields.clone(), found.hidden.clone());
        let copy = RawFields { fields, hidden, ..*found };
        typed(copy, settings, schema, is_own)
    };
    let new = super::Untidy { sure: Sure::No, ..value(&mixed) };
    let is_more = beats(&new, value(&one).document.value(), schema);
    Some(if is_more { mixed } else { one })
}

/// Reads sections under plain names, if there are at least two. Where a value is the header of a block text
/// the answer is YAML.
pub(super) fn read_plain<'t>(
    text: &'t str,
    settings: &Settings,
    schema: &Schema,
) -> Option<RawFields<'t>> {
    let names = DeclaredNames::of(schema);
    let found = split(text, &names, Styles::Plain)?;
    let is_yaml = |field: &RawField<'_>| field.text.starts_with(['|', '>', '&', '!']);
    let is_any_yaml = text.contains("```y") || text.contains("<<<");
    if found.fields.len() < 2 || is_any_yaml || found.fields.iter().any(is_yaml) {
        return None;
    }
    Some(found.settled(settings, schema))
}

/// The sections of a text in order.
struct Split<'t, 's> {
    fields: Vec<RawField<'t>>,
    /// Whether text was left out that the stream reads as content.
    has_layout: bool,
    /// The names in headers that a comment hides.
    hidden: Vec<&'s str>,
}

impl<'t> Split<'t, '_> {
    fn settled(self, settings: &Settings, schema: &Schema) -> RawFields<'t> {
        let (fields, settled) =
            drafts::settle(self.fields, |field| quality(field, settings, schema));
        let is_first = settled == Settled::First;
        let code = if is_first { Code::UntidyFields } else { Code::LaterDraft };
        let sure = match (is_first && self.hidden.is_empty(), self.has_layout) {
            (false, _) => Sure::Yes,
            (true, true) => Sure::OfCuts,
            (true, false) => Sure::No,
        };
        let there: HashSet<&str> = fields.iter().map(|field| &*field.name).collect();
        let hidden = self.hidden.into_iter().filter(|name| !there.contains(name));
        let hidden = hidden.map(str::to_owned).collect();
        RawFields { fields, code, sure, hidden }
    }
}

/// How well the text of a field says a value of its type.
pub(super) fn quality(field: &RawField<'_>, settings: &Settings, schema: &Schema) -> Quality {
    let Some(id) = schema.member(schema.root(), &field.name) else { return Quality::Bad };
    if schema.is_text(id) {
        return if field.text.trim().is_empty() { Quality::Bad } else { Quality::Good };
    }
    match crate::finalize::fields::value::read(&field.name, &field.text, schema, id, settings) {
        Some((None, _)) => Quality::Good,
        Some(_) => Quality::Guessed,
        None => Quality::Bad,
    }
}

/// The scanner of lines.
struct Scan<'t, 's> {
    text: &'t str,
    names: &'s DeclaredNames<'s>,
    styles: Styles,
    /// The style of the first header.
    first: Option<Style>,
    /// The fence around the whole answer.
    outer: Option<FenceRun>,
    /// The name of the element around the whole answer.
    element: Option<&'t str>,
    fence: Option<FenceRun>,
    in_comment: bool,
    /// The name and the start of the open section, and whether its text begins on the header's line.
    open: Option<(&'s str, usize, bool)>,
    /// Whether the open section is the row of a table.
    in_row: bool,
    /// Where lines of the open section stand that may close the outer fence.
    closers: Vec<usize>,
    seen: SeenNames<'s>,
    fields: Vec<RawField<'t>>,
    /// Whether each of the fields ended in a rule that was cut.
    has_rules: Vec<bool>,
    has_layout: bool,
    hidden: Vec<&'s str>,
}

fn split<'t, 's>(
    text: &'t str,
    names: &'s DeclaredNames<'s>,
    styles: Styles,
) -> Option<Split<'t, 's>> {
    let mut scan = Scan {
        text,
        names,
        styles,
        first: None,
        outer: None,
        element: None,
        fence: None,
        in_comment: false,
        open: None,
        in_row: false,
        closers: Vec::new(),
        seen: SeenNames::default(),
        fields: Vec::new(),
        has_rules: Vec::new(),
        has_layout: false,
        hidden: Vec::new(),
    };
    let mut at = 0;
    while at < text.len() {
        at = scan.line(at);
    }
    scan.close(text.len(), true);
    scan.cut_dashes();
    let Scan { fields, has_layout, hidden, in_comment, .. } = scan;
    let hidden = if in_comment { Vec::new() } else { hidden };
    (!fields.is_empty()).then_some(Split { fields, has_layout, hidden })
}

impl<'t, 's> Scan<'t, 's> {
    /// Reads the line at a position. Returns where the next one begins.
    fn line(&mut self, at: usize) -> usize {
        let line = line_at(self.text, at);
        let end = at + line.len();
        let bare = line.trim_end_matches(['\n', '\r']);
        if self.is_hidden(bare, at) {
            return end;
        }
        if let Some(header) = self.header(bare).filter(|it| self.counts(it.name, it.style)) {
            self.begin(header, at, end);
            return end;
        }
        if let Some(name) = self.names.find(without_marks(bare)) {
            let below = line_at(self.text, end);
            if is_underline(below) && self.counts(name, Style::Underlined) {
                let header = Header { name, style: Style::Underlined, rest: "" };
                self.begin(header, at, end + below.len());
                return end + below.len();
            }
        }
        end
    }

    /// Whether a line is in a fence or a comment, or begins one.
    fn is_hidden(&mut self, line: &'t str, at: usize) -> bool {
        if self.in_comment {
            self.in_comment = !line.contains("-->");
            self.hidden.extend(self.header(line).map(|header| header.name));
            return true;
        }
        if let Some(fence) = self.fence {
            if closes(line, fence) {
                self.fence = None;
            }
            return true;
        }
        let is_closer = |name: &str| element(line, "</").is_some_and(|it| it == name);
        if self.outer.is_some_and(|outer| closes(line, outer)) {
            self.closers.push(at);
            return true;
        }
        if self.open.is_some() && self.element.is_some_and(is_closer) {
            self.close(at, false);
            self.has_layout = true;
            self.element = None;
            return true;
        }
        if self.open.is_none() {
            let is_closed = self.element.is_some_and(is_closer);
            let known = self.element.filter(|_| !is_closed);
            self.element = known.or_else(|| element(line, "<"));
        }
        let trimmed = line.trim_start();
        if line.len() - trimmed.len() <= 3 && trimmed.starts_with("<!--") {
            self.in_comment = !trimmed[4..].contains("-->");
            return self.in_comment;
        }
        let opened = line.chars().fold(FenceOpener::default(), FenceOpener::push).end();
        match opened {
            Some(fence) if self.open.is_none() => self.outer = Some(fence),
            Some(_) => self.fence = opened,
            None => return false,
        }
        true
    }

    fn header(&self, line: &'t str) -> Option<Header<'t, 's>> {
        let trimmed = line.trim_start_matches([' ', '\t']);
        // `- ### n`
        let marked = trimmed.strip_prefix("- ").or_else(|| trimmed.strip_prefix("* "));
        let marked = marked.filter(|it| it.starts_with('#') && line.len() == trimmed.len());
        let (line, trimmed) = marked.map_or((line, trimmed), |it| (it, it));
        let marks = trimmed.len() - trimmed.trim_start_matches('#').len();
        if marks > 6 || line.len() - trimmed.len() > 3 {
            return None;
        }
        if self.styles == Styles::Plain {
            let is_indented = trimmed.len() < line.len();
            return row(trimmed, self.names).or_else(|| plain(trimmed, is_indented, self.names));
        }
        if marks == 0 && is_framed(trimmed.trim_end()) {
            let name = named(trimmed.trim_end().trim_matches('='), self.names)?;
            return Some(Header { name, style: Style::Framed, rest: "" });
        }
        if let Some((name, rest)) = trimmed.strip_prefix('【').and_then(|it| it.split_once('】'))
        {
            let name = self.names.find(name.trim())?;
            let rest = rest.trim_start_matches([':', '：']).trim();
            return Some(Header { name, style: Style::Framed, rest });
        }
        let html = html_heading(trimmed).or_else(|| html_emphasis(trimmed.trim_end()));
        if let Some(name) = html.and_then(|text| named(text, self.names)) {
            return Some(Header { name, style: Style::Framed, rest: "" });
        }
        let is_indented = trimmed.len() < line.len();
        let trimmed = without_pictures(trimmed);
        let is_tight = !trimmed[marks..].starts_with([' ', '\t']);
        let style = match marks {
            0 => Style::Bold { is_indented },
            level => Style::Marks { level, is_indented, is_tight },
        };
        self.header_of(without_number(trimmed[marks..].trim()), style)
    }

    /// The header in a line without its marks and number.
    fn header_of(&self, body: &'t str, style: Style) -> Option<Header<'t, 's>> {
        let has_marks = !matches!(style, Style::Bold { .. });
        let item = || body.strip_prefix("- ").or_else(|| body.strip_prefix("* "));
        let bare = || without_pictures(item().unwrap_or(body));
        let body = if has_marks { body } else { bare() };
        let is_bold = body.starts_with("**") || body.starts_with("__");
        let is_italic = body.starts_with(['*', '_']) && !body[1..].starts_with(char::is_whitespace);
        if !has_marks && !is_italic {
            return None;
        }
        let signs = [':', '—', '–', ' '];
        let ends = |name: &str| has_marks || name.trim_end_matches(signs).ends_with(['*', '_']);
        if let Some(name) = named(body, self.names).filter(|_| ends(body)) {
            return Some(Header { name, style, rest: "" });
        }
        let is_inside = |(_, behind): (&str, &str)| behind.starts_with(['*', '_']);
        let is_label = is_bold
            || body.split_once([':', '：']).is_some_and(is_inside)
            || dash_label(body).is_some();
        if !has_marks && !is_label {
            return None;
        }
        let dashed = || self.dashed(body).filter(|_| has_marks);
        let (before, behind) = label(body, is_bold || is_italic).or_else(dashed)?;
        let name = named(before, self.names)?;
        if has_marks && is_kind(behind) {
            return Some(Header { name, style, rest: "" });
        }
        let rest = if has_marks && !is_bold { behind } else { behind.trim_start_matches(EMPHASIS) };
        // `：3`, `**n:**3`
        let is_wide = body[before.len()..].starts_with('：');
        let is_wide = is_wide || behind.starts_with("**") && body.starts_with("**");
        let rest = if is_wide { rest.trim() } else { rest.strip_prefix([' ', '\t'])?.trim() };
        (!rest.is_empty()).then_some(Header { name, style, rest })
    }

    /// The parts of a line before and behind a dash, if no header has the name before it.
    fn dashed(&self, body: &'t str) -> Option<(&'t str, &'t str)> {
        let at = [" - ", " – ", " — "].iter().find_map(|dash| body.find(dash))?;
        let (before, behind) = (&body[..at], body[at + 1..].trim_start_matches(['-', '–', '—']));
        let name = self.names.find(before.trim());
        name.filter(|name| self.seen.style_of(name).is_none()).map(|_| (before, behind))
    }

    /// Whether a header counts: an unseen name in any style if styles are mixed; otherwise only the style
    /// of the first header.
    fn counts(&self, name: &str, style: Style) -> bool {
        let is_first_style = self.first.is_none_or(|first| first == style);
        match self.seen.style_of(name) {
            Some(first) => first == style || self.is_heading_above(name, style),
            None => is_first_style || self.styles == Styles::Mixed,
        }
    }

    /// Whether the first header of a name was only a title above all sections: nothing stands below it, and another
    /// name has the style of the header at hand.
    fn is_heading_above(&self, name: &str, style: Style) -> bool {
        let is_empty = |field: &RawField<'_>| field.name == name && field.text.trim().is_empty();
        self.fields.first().is_some_and(is_empty) && self.seen.has_other(name, style)
    }

    fn begin(&mut self, header: Header<'t, 's>, at: usize, end: usize) {
        // A header that is written twice before its content.
        if let Some((name, start, false)) = self.open
            && name == header.name
            && without_form(&self.text[start..at]).trim().is_empty()
        {
            self.open = Some((name, end, false));
            return;
        }
        self.close(at, false);
        self.first = self.first.or(Some(header.style));
        self.seen.add(header.name, header.style);
        let start = if header.rest.is_empty() {
            end
        } else {
            header.rest.as_ptr() as usize - self.text.as_ptr() as usize
        };
        self.open = Some((header.name, start, !header.rest.is_empty()));
        self.in_row = header.style == Style::Row;
    }

    /// Ends the open section.
    fn close(&mut self, end: usize, is_last: bool) {
        let closers = core::mem::take(&mut self.closers);
        let Some((name, start, on_line)) = self.open.take() else { return };
        let mut end = end;
        if is_last && let Some(last) = closers.last().filter(|_| closers.len() % 2 == 1) {
            end = *last;
            self.has_layout = true;
        }
        let content = without_form(&self.text[start..end.max(start)]);
        let mut text = without_layout(content, on_line);
        if let Some(below) = below_remark(&self.text[..start], text) {
            text = below;
        }
        let is_front_matter = self.text.trim_start().starts_with("---\n");
        let dashes = before_dashes(text).filter(|_| is_last && is_front_matter);
        if is_last && let Some(before) = dashes.or_else(|| before_comment(text)) {
            text = without_layout(before, on_line);
            self.has_layout = true;
        }
        let rule = before_rule(text).filter(|_| !is_last);
        let has_rule = rule.is_some();
        if let Some(before) = rule {
            text = without_layout(before, on_line);
            self.has_layout = true;
        }
        if self.in_row {
            let row = text.lines().next().unwrap_or("").trim_end();
            text = row.strip_suffix('|').unwrap_or(row).trim_end();
        }
        if on_line && self.styles == Styles::Plain {
            text = without_quotes(text);
        }
        // `**name: value**`
        if on_line && text.matches("**").count() == 1 {
            text = text.strip_suffix("**").unwrap_or(text);
        }
        self.fields.push(RawField { name: name.to_owned(), text: text.into() });
        self.has_rules.push(has_rule);
    }

    /// Removes the line of dashes at the end of each section, if at least two sections, and all but perhaps the last, have
    /// one.
    fn cut_dashes(&mut self) {
        let inner = self.fields.len().saturating_sub(1);
        let has_dashes = |at: &usize| before_dashes(&self.fields[*at].text).is_some();
        let is_ruled = (0..inner).all(|at| self.has_rules[at] || has_dashes(&at));
        if !is_ruled || (0..inner).filter(has_dashes).count() < 2 {
            return;
        }
        for field in &mut self.fields {
            if let Some(text) = before_dashes(&field.text).map(str::to_owned) {
                field.text = text.into();
            }
        }
        self.has_layout = true;
    }
}

/// The text below a remark behind the dash of a header: `### n — what it is`. `before` is all that stands before the
/// remark. None if nothing stands below: then what is behind the dash is the value.
fn below_remark<'t>(before: &str, text: &'t str) -> Option<&'t str> {
    let line = before.rsplit('\n').next()?;
    let marked = line.trim_start_matches([' ', '\t', '-', '*']);
    let is_dashed = line.trim_end().ends_with(['-', '–', '—']) && marked.starts_with('#');
    let (_, below) = text.split_once('\n').filter(|_| is_dashed)?;
    Some(without_layout(below, false))
}

/// A text before a comment on its last line.
fn before_comment(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once('\n')?;
    let inner = last.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    (!inner.contains("-->") && !before.trim().is_empty()).then_some(before)
}

/// A text before a last line of three dashes or more.
fn before_dashes(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once('\n')?;
    let rule = last.trim_end();
    let is_rule = rule.len() > 2 && rule.trim_matches('-').is_empty();
    (is_rule && !before.trim().is_empty()).then(|| before.trim_end())
}

/// A text without the lines at its start that are copied from the prompt.
fn without_form(text: &str) -> &str {
    let mut rest = text;
    loop {
        let blank = rest.len() - rest.trim_start_matches(crate::text::WHITESPACE).len();
        let from = rest[..blank].rfind('\n').map_or(0, |at| at + 1);
        let line = line_at(rest, from);
        let bare = line.trim();
        let comment = bare.strip_prefix("<!--").and_then(|inner| inner.strip_suffix("-->"));
        let is_comment = comment.is_some_and(|inner| {
            let inner = inner.trim_start();
            (inner.starts_with("(text)") || inner.starts_with("(json)")) && !inner.contains("-->")
        });
        if bare.is_empty() || !(is_comment || bare == "(your content here)") {
            return rest;
        }
        rest = &rest[from + line.len()..];
    }
}

/// The name of the tag that is all of a line.
fn element<'t>(line: &'t str, opener: &str) -> Option<&'t str> {
    let name = line.trim().strip_prefix(opener)?.strip_suffix('>')?;
    let is_name = |name: &str| name.chars().all(|it| it.is_alphanumeric() || "_-".contains(it));
    (!name.is_empty() && is_name(name)).then_some(name)
}

fn line_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    memchr::memchr(b'\n', rest.as_bytes()).map_or(rest, |end| &rest[..=end])
}

fn closes(line: &str, fence: FenceRun) -> bool {
    line.chars().fold(FenceCloser::default(), |closer, char| closer.push(char, fence)).end(fence)
}

/// A line below a name that makes it a heading (CommonMark 0.31, section 4.3).
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let rule = line.trim_start_matches(' ');
    let is_run = |mark: &str| rule.len() > 1 && rule.trim_start_matches(mark).is_empty();
    line.len() - rule.len() <= 3 && (is_run("=") || is_run("-"))
}

/// The text before a thematic break that ends it (CommonMark 0.31, section 4.1). Dashes right below a line
/// of text make a heading of it.
pub(in crate::finalize::fields) fn before_rule(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let rule: String = last.chars().filter(|char| !matches!(char, ' ' | '\t' | '\r')).collect();
    let indent = last.len() - last.trim_start_matches(' ').len();
    let mark = rule.chars().next().filter(|mark| matches!(mark, '-' | '*' | '_'))?;
    let is_rule = indent <= 3 && rule.len() >= 3 && rule.chars().all(|char| char == mark);
    let above = before.rsplit('\n').next().unwrap_or("");
    let is_heading = mark == '-' && !above.trim().is_empty() && !last.trim().contains([' ', '\t']);
    (is_rule && !is_heading && !before.trim().is_empty()).then_some(before)
}

#[cfg(test)]
mod tests;
