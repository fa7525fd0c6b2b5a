//! Draws the rows of the form.

use std::borrow::Cow;

use patchwire::event::CloseReason;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::text;
use crate::watch::model::{Item, ItemBody, ItemRole, ItemState, Model};

use super::markdown::{self, MarkKind};
use super::numbers;
use super::row::Row;
use super::rows;
use super::screen::{self, Screen};
use super::text_block;

/// Columns of the selection bar and the mark, with a space after it.
const MARKS: usize = 3;
/// Columns between a label and a value.
const GAP: usize = 2;
/// The value column moves in steps of this size, so that it moves seldom.
const TAB: usize = 4;

/// Lays out all rows, scrolls, and draws the rows in view.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, screen: &mut Screen) {
    screen.height = area.height.into();
    lay_out(area, model, screen);
    look(model, screen);
    let seen = screen.scroll..screen.scroll + screen.height;
    let first = screen.rows.partition_point(|row| row.end() <= seen.start);
    let columns = Columns::of(area, screen);
    for row in screen.rows[first..].iter().take_while(|row| row.top < seen.end) {
        let drawn = Drawn { item: model.item(row.id), row, model, screen, columns };
        for line in row.top.max(seen.start)..row.end().min(seen.end) {
            let y = area.y + (line - seen.start) as u16;
            drawn.line(buffer, y, line - row.top);
        }
    }
}

fn lay_out(area: Rect, model: &Model, screen: &mut Screen) {
    let mut blocks = core::mem::take(&mut screen.blocks);
    let mut page = rows::lay_out(model, screen, &mut blocks, values(area, screen));
    let wanted = (MARKS + page.labels + GAP).next_multiple_of(TAB);
    let most = (usize::from(area.width) * 2 / 5).max(MARKS + GAP);
    if wanted.min(most) != screen.values_at && screen.values_at < wanted || screen.values_at > most
    {
        screen.values_at = wanted.min(most);
        page = rows::lay_out(model, screen, &mut blocks, values(area, screen));
    }
    screen.blocks = blocks;
    screen.rows = page.rows;
}

/// The width of the values. One column at the right stays free.
fn values(area: Rect, screen: &Screen) -> usize {
    usize::from(area.width).saturating_sub(screen.values_at + 1).max(1)
}

/// Scrolls to where something is written or was found, and never past the end.
fn look(model: &Model, screen: &mut Screen) {
    let end = screen.rows.last().map_or(0, Row::end);
    if core::mem::take(&mut screen.reveals) {
        let found = screen.selected.and_then(|id| nearest_row(model, screen, id));
        if let Some(row) = found.map(|at| &screen.rows[at]) {
            let (top, end) = (row.top, row.end().min(row.top + screen.height));
            screen.scroll = screen.scroll.min(top).max(end.saturating_sub(screen.height));
        }
    }
    if screen.follows {
        let last = model.last.and_then(|id| nearest_row(model, screen, id));
        if let Some(row) = last.map(|at| &screen.rows[at]) {
            let (top, end) = (row.top, row.end());
            if end > screen.scroll + screen.height {
                screen.scroll = end - screen.height;
            }
            if top < screen.scroll && end - top <= screen.height {
                screen.scroll = top;
            }
        }
    }
    screen.scroll = screen.scroll.min(end.saturating_sub(screen.height));
}

/// The row of an item, or of its nearest ancestor with a row.
fn nearest_row(
    model: &Model,
    screen: &Screen,
    mut id: crate::watch::model::ItemId,
) -> Option<usize> {
    loop {
        match screen.row_of(id) {
            Some(row) => return Some(row),
            None => id = model.item(id).parent?,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Columns {
    left: u16,
    labels: usize,
    values_at: u16,
    values: usize,
}

impl Columns {
    fn of(area: Rect, screen: &Screen) -> Self {
        Self {
            left: area.x,
            labels: screen.values_at.saturating_sub(MARKS + GAP).max(1),
            values_at: area.x + screen.values_at as u16,
            values: values(area, screen),
        }
    }
}

/// One row while it is drawn.
struct Drawn<'a> {
    item: &'a Item,
    row: &'a Row,
    model: &'a Model,
    screen: &'a Screen,
    columns: Columns,
}

impl Drawn<'_> {
    fn line(&self, buffer: &mut Buffer, y: u16, line: usize) {
        let is_selected = self.screen.selected == Some(self.row.id);
        if is_selected {
            buffer.set_string(self.columns.left, y, "▎", self.screen.palette.name);
        }
        if line == 0 {
            self.label(buffer, y, is_selected);
        }
        let (shown, style) = self.value(line);
        let shown = text::fit(&shown, self.columns.values);
        buffer.set_string(self.columns.values_at, y, &*shown, style);
        if let Some(begins) = self.markdown(line) {
            self.paint(buffer, y, &shown, begins);
        }
        let used = text::columns(&shown);
        if self.has_caret(line) && used < self.columns.values {
            let x = self.columns.values_at + used as u16;
            buffer.set_string(x, y, "▌", self.screen.palette.writing);
        }
        if line == 0 {
            self.tag(buffer, y, used);
        }
    }

    /// Whether a line of the row is text that may be Markdown, and if so, whether it begins a line of the text.
    fn markdown(&self, line: usize) -> Option<bool> {
        let block = &self.row.block;
        let text = text_block::visible(self.item)?;
        let is_text =
            matches!(self.item.role, ItemRole::Field | ItemRole::Document) || self.is_answer();
        let line = line.checked_sub(
            usize::from(block.above) + usize::from(rows::has_params_line(self.item)),
        )?;
        if !is_text || line >= block.shown || block.elided {
            return None;
        }
        let start = self.screen.blocks.start(self.row.id, block.first + line);
        Some(start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n'))
    }

    /// Draws the signs of Markdown faintly, and what they mark in its style.
    fn paint(&self, buffer: &mut Buffer, y: u16, shown: &str, begins: bool) {
        let palette = &self.screen.palette;
        for mark in markdown::marks(shown, begins) {
            let style = match mark.is {
                MarkKind::Heading => palette.title.patch(palette.name),
                MarkKind::Strong => palette.title,
                MarkKind::Emphasis => Style::new().add_modifier(Modifier::ITALIC),
                MarkKind::Code => palette.scalar,
                MarkKind::Sign => palette.faint,
            };
            let x = self.columns.values_at + text::columns(&shown[..mark.at.start]) as u16;
            let width = text::columns(&shown[mark.at]) as u16;
            buffer.set_style(Rect { x, y, width, height: 1 }, style);
        }
    }

    fn label(&self, buffer: &mut Buffer, y: u16, is_selected: bool) {
        let palette = &self.screen.palette;
        let (mark, style) = self.mark();
        let left = self.columns.left + 1;
        buffer.set_string(left, y, mark, style);
        let label = rows::label(self.item, self.row.index);
        let room = self.columns.labels;
        // On narrow screens, the name matters more than the indentation.
        let spare = room.saturating_sub(text::columns(&label));
        let indent = rows::indent(self.row.depth).min(spare.max(room / 4));
        let label = text::fit(&label, room - indent);
        let is_aside = matches!(self.item.role, ItemRole::Text) && !self.is_answer()
            || screen::is_reasoning(self.item);
        let style = match self.item.state() {
            _ if matches!(
                self.item.role,
                ItemRole::Attempt | ItemRole::Refusal | ItemRole::End
            ) =>
            {
                style
            }
            ItemState::Waiting => palette.faint,
            _ if is_aside => palette.faint,
            _ => palette.name,
        };
        let style = if is_selected { style.add_modifier(Modifier::BOLD) } else { style };
        buffer.set_string(left + 2 + indent as u16, y, &*label, style);
    }

    fn mark(&self) -> (&'static str, Style) {
        let palette = &self.screen.palette;
        match self.item.state() {
            _ if self.item.role == ItemRole::Attempt => ("↻", palette.note),
            _ if self.item.role == ItemRole::Refusal => ("✗", palette.error),
            ItemState::Waiting if self.model.end.is_some() => ("–", palette.faint),
            ItemState::Waiting => ("○", palette.faint),
            ItemState::Writing if self.model.end.is_some() => ("…", palette.note),
            ItemState::Writing => ("●", palette.writing),
            ItemState::Done if self.is_aside() => (" ", palette.faint),
            ItemState::Done => ("✓", palette.done),
            ItemState::Repaired => ("≈", palette.note),
            ItemState::Cut => ("…", palette.note),
            ItemState::Failed => ("✗", palette.error),
        }
    }

    fn is_answer(&self) -> bool {
        screen::is_answer(self.item, self.model)
    }

    /// Text around the answer, which is neither right nor wrong.
    fn is_aside(&self) -> bool {
        matches!(self.item.role, ItemRole::Text | ItemRole::Reasoning) && !self.is_answer()
    }

    /// What a line of the row shows, and its style.
    fn value(&self, line: usize) -> (Cow<'_, str>, Style) {
        let palette = &self.screen.palette;
        if rows::has_failure_line(self.item) && line + 1 == self.row.lines {
            return (self.failure(), palette.error);
        }
        let line = match (&self.item.role, rows::has_params_line(self.item)) {
            (ItemRole::Element { params, .. }, true) if line == 0 => {
                return (text::printable(params).into(), palette.faint);
            }
            (_, true) => line - 1,
            _ => line,
        };
        if let (Some(table), Some(line)) = (&self.row.table, line.checked_sub(1)) {
            return match line.checked_sub(1).map(|at| (at, self.item.children.get(at))) {
                None => (table.head().into(), palette.faint),
                Some((number, Some(id))) => {
                    (table.row(number, *id, self.model).into(), palette.plain)
                }
                Some((_, None)) => ("".into(), palette.faint),
            };
        }
        match &self.item.body {
            ItemBody::Absent => self.absent(),
            ItemBody::Scalar(_, json) => (text::printable(json).into(), palette.scalar),
            ItemBody::List | ItemBody::Object => (self.contents().into(), palette.faint),
            ItemBody::Text(_) => {
                self.text(text_block::visible(self.item).unwrap_or_default(), line)
            }
        }
    }

    fn failure(&self) -> Cow<'_, str> {
        text::printable(self.item.failure.as_deref().unwrap_or_default()).into()
    }

    /// What is shown for an item without a value.
    fn absent(&self) -> (Cow<'_, str>, Style) {
        let palette = &self.screen.palette;
        if self.item.state() == ItemState::Failed {
            return (self.failure(), palette.error);
        }
        if let Some(opener) = self.opener() {
            return (opener.into(), palette.faint);
        }
        let words = self.model.wanted(self.item).map(text::printable);
        let words = match (self.model.end.is_some(), words) {
            (false, words) => words.unwrap_or_default(),
            (true, Some(words)) => format!("not written · {words}"),
            (true, None) => "not written".to_owned(),
        };
        (words.into(), palette.faint)
    }

    /// For an element without text, and for a call: the fold mark, and its parameters or names.
    fn opener(&self) -> Option<String> {
        let said = match &self.item.role {
            ItemRole::Element { params, .. } => text::printable(params),
            ItemRole::Call { tool, id } if id.is_empty() => text::printable(tool),
            ItemRole::Call { tool, id } => {
                format!("{} · {}", text::printable(tool), text::printable(id))
            }
            _ => return None,
        };
        Some(self.fold().to_owned() + &said)
    }

    /// The size of a list or object, with the fold mark.
    fn contents(&self) -> String {
        let there = |id: &&_| self.model.item(**id).body != ItemBody::Absent;
        let is_list = self.item.body == ItemBody::List;
        let count = match is_list {
            true => self.item.children.len(),
            false => self.item.children.iter().filter(there).count(),
        };
        let things = numbers::things(count, if is_list { "item" } else { "field" });
        format!("{}{things}", self.fold())
    }

    fn fold(&self) -> &'static str {
        let is_empty = |id: &_| self.model.item(*id).children.is_empty();
        let is_bare = match self.item.role {
            ItemRole::Call { .. } => self.item.children.iter().all(is_empty),
            _ => self.item.children.is_empty(),
        };
        match (is_bare, self.screen.is_folded(self.row.id, self.item)) {
            (true, _) => "",
            (false, true) => "▸ ",
            (false, false) => "▾ ",
        }
    }

    /// A line of a text that may be shown in part.
    fn text<'t>(&self, text: &'t str, line: usize) -> (Cow<'t, str>, Style) {
        let (palette, block, id) = (&self.screen.palette, &self.row.block, self.row.id);
        let blocks = &self.screen.blocks;
        if let Some(opener) = self.opener().filter(|_| text.is_empty()) {
            return (opener.into(), palette.faint);
        }
        if text.is_empty() {
            let is_over = self.item.state().is_over();
            let is_blank = self.item.text().is_some_and(|text| !text.is_empty());
            let what = if is_blank { "blank" } else { "empty" };
            return (if is_over { what } else { "" }.into(), palette.faint);
        }
        if block.above && line == 0 {
            let hidden = blocks.start(id, block.first);
            return (format!("⋯ {} above", numbers::bytes(hidden as f64)).into(), palette.faint);
        }
        let number = block.first + line - usize::from(block.above);
        if number >= block.first + block.shown {
            let hidden = text.len() - blocks.start(id, number);
            return (format!("⋯ {} more", numbers::bytes(hidden as f64)).into(), palette.faint);
        }
        let is_aside = self.is_aside() || screen::is_reasoning(self.item);
        let style = match self.item.role {
            _ if is_aside => palette.faint,
            ItemRole::Attempt => palette.note,
            ItemRole::Refusal | ItemRole::End if self.item.state() != ItemState::Cut => {
                palette.error
            }
            ItemRole::End => palette.note,
            _ => palette.plain,
        };
        let shown = blocks.line(id, text, number);
        if block.elided {
            let room = self.columns.values.saturating_sub(1);
            return (format!("{}…", text::fit(&shown, room).trim_end_matches('…')).into(), style);
        }
        (shown.into(), style)
    }

    /// Whether the text that is being written ends on this line.
    fn has_caret(&self, line: usize) -> bool {
        let is_written = self.item.state() == ItemState::Writing && self.model.end.is_none();
        let is_last = self.model.last == Some(self.row.id);
        is_written && is_last && self.item.text().is_some() && line + 1 == self.row.lines
    }

    /// Draws the code of a repair or of an unusual close at the right edge, if there is room.
    fn tag(&self, buffer: &mut Buffer, y: u16, used: usize) {
        let tag = match (&self.item.role, self.item.code) {
            (_, Some(code)) => code.name(),
            (ItemRole::Element { closed: Some(reason), .. }, None)
                if *reason != CloseReason::Observed =>
            {
                reason.name()
            }
            _ => return,
        };
        if let Some(free) = self.columns.values.checked_sub(used + GAP + tag.len()) {
            let x = usize::from(self.columns.values_at) + used + GAP + free;
            buffer.set_string(x as u16, y, tag, self.screen.palette.faint);
        }
    }
}
