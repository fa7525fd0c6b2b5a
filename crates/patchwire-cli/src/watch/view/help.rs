//! The keys: the most important in the last line, all of them on a page.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget as _};

use crate::text;

use super::screen::Screen;

/// Keys and what they do, the most important first.
const LINE: [(&str, &str); 9] = [
    ("q", "quit"),
    ("?", "help"),
    ("space", "pause"),
    ("↑↓", "move"),
    ("⏎", "fold"),
    ("f", "follow"),
    ("/", "search"),
    ("y", "copy"),
    ("n", "notices"),
];

const KEYS: [(&str, &str); 13] = [
    ("q  Esc", "quit, and print the value"),
    ("space  p", "pause, go on"),
    ("↑ ↓  k j", "move; through a long text line by line"),
    ("PgUp PgDn", "a screen up or down"),
    ("g G", "to the beginning, to the end"),
    ("⏎  ← →", "fold or open; show a text in full"),
    ("f", "follow what is being written"),
    ("/  m M", "search; the next match, the one before"),
    ("y Y", "copy the field, the whole value"),
    ("t  w", "a list as a table; the text beside fields"),
    ("r", "reasoning in full"),
    ("n", "notices: more, none, few"),
    ("?", "this page"),
];

/// The marks of a field. They stand in two columns.
const MARKS: [(&str, &str); 7] = [
    ("○", "not written yet"),
    ("●", "being written"),
    ("✓", "complete"),
    ("≈", "complete, repaired"),
    ("…", "cut off"),
    ("✗", "fails a check"),
    ("↻", "asked again"),
];

/// Draws the last line. Keys that do not fit are left out, the least important first.
pub(super) fn footer(buffer: &mut Buffer, area: Rect, screen: &Screen, is_over: bool) {
    let palette = &screen.palette;
    if let Some(shown) = said(screen) {
        let shown = text::fit(&shown, usize::from(area.width.saturating_sub(2))).into_owned();
        buffer.set_string(area.x + 1, area.y, &shown, palette.note);
        return;
    }
    let mut x = 1;
    for (key, does) in LINE {
        if is_over && matches!(key, "space" | "f") {
            continue;
        }
        let does = match (key, screen.pauses, screen.follows) {
            ("space", true, _) => "go on",
            ("f", _, true) => "follows",
            _ => does,
        };
        let width = text::columns(key) + 1 + text::columns(does);
        if x + width >= usize::from(area.width) {
            break;
        }
        buffer.set_string(area.x + x as u16, area.y, key, palette.name);
        let at = area.x + (x + text::columns(key) + 1) as u16;
        buffer.set_string(at, area.y, does, palette.faint);
        x += width + 2;
    }
}

/// What stands in place of the keys: the query while it is typed, or what the last key did.
fn said(screen: &Screen) -> Option<String> {
    if let Some(message) = &screen.message {
        return Some(message.clone());
    }
    let search = &screen.search;
    let found = match search.found {
        None if !search.is_open => return None,
        None => String::new(),
        Some((0, _)) => "  not found".to_owned(),
        Some((number, all)) => format!("  {number} of {all}"),
    };
    let query = text::printable(&search.query);
    Some(if search.is_open {
        format!("/{query}▌{found}  ⏎ done  esc cancel")
    } else {
        format!("/{query}{found}  m next  M before  esc close")
    })
}

/// Width of the page, of the keys on it, and of a column of marks.
const WIDTH: u16 = 58;
const KEY: u16 = 12;
const MARK: u16 = 26;

/// Draws all keys and marks, as many as fit, in place of what is below them.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, screen: &Screen) {
    let palette = &screen.palette;
    let room = area.height.saturating_sub(1);
    let lines = KEYS.len() + MARKS.len().div_ceil(2);
    // Where it fits, a blank line stands between keys and marks.
    let height = u16::try_from(lines + 3).unwrap_or(u16::MAX).min(room);
    let width = WIDTH.min(area.width);
    let page = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (room - height) / 2,
        width,
        height,
    };
    Clear.render(Rect { height: room, ..area }, buffer);
    ratatui::widgets::Block::bordered()
        .border_style(palette.faint)
        .title(" Keys ")
        .title_style(palette.title)
        .render(page, buffer);
    let inner = page.inner(ratatui::layout::Margin::new(2, 1));
    let gap = u16::from(usize::from(inner.height) > lines);
    for ((key, does), y) in KEYS.iter().zip(inner.y..inner.bottom()) {
        let line = Rect { y, height: 1, ..inner };
        pair(buffer, line, (key, palette.name, KEY), (does, palette.faint));
    }
    let marks_at = inner.y + KEYS.len() as u16 + gap;
    for (marks, y) in MARKS.chunks(2).zip(marks_at..inner.bottom()) {
        for ((mark, means), column) in marks.iter().zip([0, MARK]) {
            let x = inner.x + column.min(inner.width);
            let line = Rect { x, y, width: inner.right() - x, height: 1 };
            pair(buffer, line, (mark, palette.plain, 3), (means, palette.faint));
        }
    }
}

/// Draws a key or a mark, and behind its column what it means, as far as it fits.
fn pair(
    buffer: &mut Buffer,
    line: Rect,
    (name, name_style, column): (&str, Style, u16),
    (means, style): (&str, Style),
) {
    buffer.set_stringn(line.x, line.y, name, line.width.into(), name_style);
    let means = text::fit(means, usize::from(line.width.saturating_sub(column)));
    buffer.set_string(line.x + column.min(line.width), line.y, &*means, style);
}
