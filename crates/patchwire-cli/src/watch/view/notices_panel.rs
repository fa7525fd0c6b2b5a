//! Notices: below the form, or at its right on wide screens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text;
use crate::watch::model::{Model, NoticeEntry};

use super::numbers;
use super::screen::{NoticesShown, Screen};
use super::{ROOMY, WIDE};

/// Lines below the form, with the title.
const FEW: u16 = 4;
/// Columns at the right of the form.
const BESIDE: u16 = 52;

/// The area of the notices.
pub(super) fn room(body: Rect, model: &Model, screen: &Screen) -> Option<Rect> {
    let count = u16::try_from(model.notes.kept.len()).unwrap_or(u16::MAX);
    if screen.notes == NoticesShown::Hidden {
        return None;
    }
    // The area exists before the first notice, so that the form need not be wrapped again.
    if body.width >= WIDE {
        return Some(Rect { x: body.right() - BESIDE, width: BESIDE, ..body });
    }
    if count == 0 {
        return None;
    }
    let most = match screen.notes {
        NoticesShown::Many => body.height / 2,
        _ if body.height + 4 < ROOMY => return None,
        _ => FEW,
    };
    let height = most.min(count + 1);
    (height > 1).then(|| Rect { y: body.bottom() - height, height, ..body })
}

/// Draws the last notices, under a title with their number.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, model: &Model, screen: &Screen) {
    let palette = &screen.palette;
    let beside = area.width == BESIDE;
    let count = model.notes.count;
    let title = match count {
        0 => "─ no notices ".to_owned(),
        count => format!("─ {} ", numbers::things(count, "notice")),
    };
    let columns = usize::from(area.width);
    let rest = columns.saturating_sub(text::columns(&title));
    let rule = if beside { String::new() } else { "─".repeat(rest) };
    let left = area.x + if beside { 2 } else { 0 };
    if beside {
        (area.y..area.bottom()).for_each(|y| buffer.set_string(area.x, y, "│", palette.faint));
        buffer.set_string(left, area.y, title.trim_start_matches("─ "), palette.title);
    } else {
        buffer.set_string(left, area.y, text::fit(&(title + &rule), columns), palette.faint);
    }
    let each = if beside { 3 } else { 1 };
    let room = usize::from(area.height - 1) / each;
    let kept = &model.notes.kept;
    let mut y = area.y + 1;
    for note in &kept[kept.len().saturating_sub(room)..] {
        let line = Rect { x: left, y, width: area.right() - left, height: each as u16 };
        if beside {
            card(buffer, line, note, screen)
        } else {
            row(buffer, line, note, screen)
        }
        y += each as u16;
    }
}

/// A notice on one line.
fn row(buffer: &mut Buffer, area: Rect, note: &NoticeEntry, screen: &Screen) {
    let palette = &screen.palette;
    let code = if note.is_loss { palette.error } else { palette.note };
    let path = text::printable(&note.path);
    let path = if path.is_empty() { String::new() } else { format!("{path}  ") };
    let at = note.at.map(|at| at.to_string()).unwrap_or_default();
    let parts = [
        (format!(" {:<20} ", text::printable(&note.code)), code),
        (format!("{at:>6}  "), palette.faint),
        (path, palette.name),
        (text::printable(&note.message), palette.faint),
    ];
    let mut x = 0;
    for (shown, style) in parts {
        let room = usize::from(area.width).saturating_sub(x + 1);
        let shown = text::fit(&shown, room);
        buffer.set_string(area.x + x as u16, area.y, &*shown, style);
        x += text::columns(&shown);
    }
}

/// A notice on two lines, with an empty line after it.
fn card(buffer: &mut Buffer, area: Rect, note: &NoticeEntry, screen: &Screen) {
    let palette = &screen.palette;
    let room = usize::from(area.width).saturating_sub(1);
    let code = text::printable(&note.code);
    let code = text::fit(&code, room);
    let style = if note.is_loss { palette.error } else { palette.note };
    buffer.set_string(area.x, area.y, &*code, style);
    let mut x = text::columns(&code);
    for (shown, style) in [
        (note.at.map(|at| format!("  at {at}")).unwrap_or_default(), palette.faint),
        (format!("  {}", text::printable(&note.path)), palette.name),
    ] {
        let shown = text::fit(&shown, room.saturating_sub(x)).into_owned();
        buffer.set_string(area.x + x as u16, area.y, &shown, style);
        x += text::columns(&shown);
    }
    let message = text::printable(&note.message);
    buffer.set_string(area.x, area.y + 1, text::fit(&message, room), palette.faint);
}
