//! Draws the provider's facts at the right of the last line. They take what they need before the keys do, except
//! for the most important ones.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text;
use crate::watch::model::Model;

use super::numbers;
use super::screen::Screen;

/// Columns of the last line that the keys have anyway.
const KEYS: usize = 20;

/// Draws token counts and the stop reason, as much as fits. Returns the area that is left.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, screen: &Screen) -> Rect {
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
    let room = usize::from(area.width).saturating_sub(KEYS + 1);
    let all = both.chain(tokens.clone()).chain(stop.clone());
    let Some(shown) = all.into_iter().find(|shown| text::columns(shown) <= room) else {
        return area;
    };
    let columns = text::columns(&shown) as u16;
    buffer.set_string(area.right() - 1 - columns, area.y, shown, screen.palette.faint);
    Rect { width: area.width - columns - 1, ..area }
}
