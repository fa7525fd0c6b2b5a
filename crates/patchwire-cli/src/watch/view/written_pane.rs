//! What the model writes, beside the fields.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text::{self, Wrap};
use crate::watch::model::Model;

use super::screen::Screen;

/// From this width on, the text stands beside the fields.
const FROM: u16 = 100;
/// The most columns of the text: lines that are longer are hard to read.
const MOST: u16 = 80;
/// Columns between the text and the fields, with a line.
const GAP: u16 = 3;

/// The text as it was wrapped last.
pub(super) struct WrittenWrap {
    /// Which text it is: the attempt, and how often its beginning was dropped.
    of: (u32, u32),
    wrap: Wrap,
}

/// The area of the text; `None` if there is no room, no text, or the person hid it.
pub(super) fn room(body: Rect, model: &Model, screen: &Screen) -> Option<Rect> {
    let has_text = model.end.is_none() || !model.written.text().is_empty();
    let width = (body.width * 2 / 5).min(MOST);
    let is_shown = screen.written && has_text && body.width >= FROM;
    is_shown.then_some(Rect { width, ..body })
}

/// Draws the end of the text, and the line at its right.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, screen: &mut Screen) {
    let palette = screen.palette;
    let line = area.right() - GAP + 1;
    (area.y..area.bottom()).for_each(|y| buffer.set_string(line, y, "│", palette.faint));
    let columns = usize::from(area.width - GAP - 1);
    let text = model.written.text().trim_end_matches(['\n', '\r']);
    let of = (model.resets, model.written.turn);
    let known = screen.written_wrap.take();
    let known = known.filter(|known| known.of == of && known.wrap.columns() == columns);
    let mut known = known.unwrap_or_else(|| WrittenWrap { of, wrap: Wrap::new(columns) });
    known.wrap.grow(text, usize::MAX);
    let height = usize::from(area.height);
    let first = known.wrap.len().saturating_sub(height);
    let mut last = (0, 0);
    for (number, y) in (first..known.wrap.len()).zip(area.y..area.bottom()) {
        let shown = known.wrap.line(text, number);
        let shown = text::fit(&shown, columns);
        buffer.set_string(area.x + 1, y, &*shown, palette.faint);
        last = (text::columns(&shown), y);
    }
    if model.end.is_none() && last.0 < columns && !text.is_empty() {
        buffer.set_string(area.x + 1 + last.0 as u16, last.1, "▌", palette.writing);
    }
    screen.written_wrap = Some(known);
}
