//! Draws a model: counters above, rows below, keys at the bottom.
//!
//! ```text
//! palette         colours
//! numbers         short forms of bytes, times and counts
//! screen          what the person did to the view
//! text_block      the part of a text that is shown
//! row, rows       the rows, and which items have one
//! form            the rows in view
//! header          name, state, counters
//! notices_panel   notices
//! written_pane    what the model writes, beside the fields
//! search          a query, and the items that it finds
//! table           a list of objects as a table
//! markdown        headings, emphasis and code in a text
//! help            the keys, in a line and on a page
//! facts_line      token counts and the stop reason, at the right of the keys
//! ```
//!
//! Each drawing lays out all rows, which costs a few additions for each, and wraps and writes only
//! those in view. Ten thousand fields, or one of a megabyte, therefore cost no more than a screen.

mod facts_line;
mod form;
mod header;
mod help;
mod markdown;
mod notices_panel;
mod numbers;
mod palette;
mod row;
mod rows;
mod screen;
mod search;
mod table;
#[cfg(test)]
pub(super) mod tests;
mod text_block;
mod written_pane;

use ratatui::Frame;
use ratatui::layout::Rect;

pub(super) use palette::Palette;
pub(super) use row::Row;
pub(super) use screen::{NoticesShown, Screen};
pub(super) use search::{Direction, Search};

use super::model::Model;

/// What is read, in words.
pub(super) struct StreamInfo {
    /// The name of the input or the model.
    pub(super) name: String,
    /// The name of the format.
    pub(super) format: String,
    /// How many bytes are held back, and why.
    pub(super) held: Option<(usize, &'static str)>,
}

/// From this height on, there is room for separators.
const ROOMY: u16 = 14;
/// From this width on, notices stand at the right of the form.
const WIDE: u16 = 120;

pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, screen: &mut Screen, info: &StreamInfo) {
    let area = frame.area();
    if area.width < 4 || area.height < 3 {
        return;
    }
    screen.keep_up(model);
    let parts = Parts::of(area, model, screen);
    let buffer = frame.buffer_mut();
    header::draw(buffer, parts.header, model, screen, info);
    if let Some(area) = parts.written {
        written_pane::draw(buffer, area, model, screen);
    }
    form::draw(buffer, parts.page, model, screen);
    if let Some(area) = parts.notes {
        notices_panel::draw(buffer, area, model, screen);
    }
    let left = facts_line::draw(buffer, parts.footer, model, screen);
    help::footer(buffer, left, screen, model.end.is_some());
    if screen.help {
        help::draw(buffer, area, screen);
    }
}

/// The areas of the screen.
struct Parts {
    header: Rect,
    /// What the model writes.
    written: Option<Rect>,
    page: Rect,
    notes: Option<Rect>,
    footer: Rect,
}

impl Parts {
    fn of(area: Rect, model: &Model, screen: &Screen) -> Self {
        let header_lines = if area.height >= ROOMY { 3 } else { 2 };
        let header = Rect { height: header_lines, ..area };
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        let rest = area.height.saturating_sub(header_lines + 1);
        let body = Rect { y: area.y + header_lines, height: rest, ..area };
        let written = written_pane::room(body, model, screen);
        let left = written.map_or(0, |written| written.width);
        let body = Rect { x: body.x + left, width: body.width - left, ..body };
        let notes = notices_panel::room(body, model, screen);
        let page = match notes {
            Some(notes) if notes.width < body.width => {
                Rect { width: body.width - notes.width, ..body }
            }
            Some(notes) => Rect { height: body.height - notes.height, ..body },
            None => body,
        };
        Self { header, written, page, notes, footer }
    }
}
