//! Draws the provider's facts at the right of the last line, after the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text;
use crate::watch::model::Model;

use super::numbers;
use super::screen::Screen;

/// Draws token counts and the stop reason, as much as fits after `keys` columns.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, keys: usize, model: &Model, screen: &Screen) {
    let facts = &model.facts;
    let count = |tokens: u64| numbers::count(tokens as f64);
    let tokens = match facts.tokens() {
        (Some(read), Some(written)) => {
            Some(format!("{} tokens in, {} out", count(read), count(written)))
        }
        (Some(read), None) => Some(format!("{} tokens in", count(read))),
        (None, Some(written)) => Some(format!("{} tokens out", count(written))),
        (None, None) => None,
    };
    let stop = facts.stop.as_deref().map(text::printable);
    let both = tokens.iter().zip(&stop).map(|(tokens, stop)| format!("{tokens} · {stop}"));
    let room = usize::from(area.width).saturating_sub(keys + 1);
    let all = both.chain(tokens.clone()).chain(stop.clone());
    if let Some(shown) = all.into_iter().find(|shown| text::columns(shown) <= room) {
        let x = area.right() - 1 - text::columns(&shown) as u16;
        buffer.set_string(x, area.y, shown, screen.palette.faint);
    }
}
