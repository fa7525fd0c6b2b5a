//! The header: name and state, then counters.

use patchwire::Outcome;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::text;
use crate::watch::model::{Model, StreamEnd};

use super::numbers;
use super::screen::Screen;
use super::{Palette, StreamInfo};

pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    model: &Model,
    screen: &Screen,
    info: &StreamInfo,
) {
    let palette = &screen.palette;
    title(buffer, area, model, screen, info);
    counters(buffer, Rect { y: area.y + 1, ..area }, model, palette, info);
    if area.height > 2 {
        let rule = "─".repeat(area.width.into());
        buffer.set_string(area.x, area.y + 2, rule, palette.faint);
    }
}

/// The name at the left, the state at the right.
fn title(buffer: &mut Buffer, area: Rect, model: &Model, screen: &Screen, info: &StreamInfo) {
    let palette = &screen.palette;
    let width = usize::from(area.width);
    let (state, style) = state(model, screen);
    let state = text::fit(&state, width.saturating_sub(2)).into_owned();
    let state_columns = text::columns(&state);
    let right = width - state_columns - 1;
    buffer.set_string(area.x + right as u16, area.y, &state, style);

    let room = right.saturating_sub(3);
    let name = text::printable(&info.name);
    let name = text::fit(&name, room);
    buffer.set_string(area.x + 1, area.y, &*name, palette.title);
    let format = format!(" · {}", info.format);
    let used = text::columns(&name);
    if used + text::columns(&format) <= room {
        buffer.set_string(area.x + 1 + used as u16, area.y, format, palette.faint);
    }
}

fn state(model: &Model, screen: &Screen) -> (String, Style) {
    let (state, style) = state_of_attempt(model, screen);
    match model.attempt {
        Some(attempt) => (format!("attempt {attempt} · {state}"), style),
        None => (state, style),
    }
}

fn state_of_attempt(model: &Model, screen: &Screen) -> (String, Style) {
    let palette = &screen.palette;
    match &model.end {
        None if screen.pauses => ("‖ paused".to_owned(), palette.note),
        None if model.counters.chunks == 0 => ("○ waiting".to_owned(), palette.faint),
        None => ("● writing".to_owned(), palette.writing),
        Some(StreamEnd::Answer(outcome)) => of_outcome(*outcome, palette),
        Some(StreamEnd::NoAnswer(cause, _)) => (format!("✗ {}", cause.words()), palette.error),
        Some(StreamEnd::Error(error)) => {
            (format!("✗ {} at {}", error.kind, error.offset), palette.error)
        }
        Some(StreamEnd::Source) => ("✗ broken off".to_owned(), palette.error),
    }
}

fn of_outcome(outcome: Outcome, palette: &Palette) -> (String, Style) {
    let (mark, style) = match outcome {
        Outcome::Complete | Outcome::ToolCalls => ("✓", palette.done),
        Outcome::Repaired => ("≈", palette.note),
        Outcome::Truncated => ("…", palette.note),
        _ => ("✗", palette.error),
    };
    (format!("{mark} {}", outcome.name().replace('_', " ")), style)
}

/// Draws the counters. Those that do not fit are left out, the last first. Each keeps its width, so
/// that nothing moves.
fn counters(buffer: &mut Buffer, area: Rect, model: &Model, palette: &Palette, info: &StreamInfo) {
    let end = usize::from(area.right()).saturating_sub(1);
    let mut x = usize::from(area.x) + 1;
    x += fields(buffer, x, area, model, palette);
    let mut gap = if x > usize::from(area.x) + 1 { GAP } else { 0 };
    for Counter { before, number, columns, after } in numbers(model, info) {
        let number = format!("{number:>columns$}");
        // A number that is unknown at the end stays unknown.
        if number.trim() == NONE && model.end.is_some() {
            continue;
        }
        let next = x + gap + before.len() + text::columns(&number) + after.len();
        if next > end {
            break;
        }
        let mut at = (x + gap) as u16;
        for (shown, style) in
            [(before, palette.faint), (number.as_str(), palette.plain), (after, palette.faint)]
        {
            buffer.set_string(at, area.y, shown, style);
            at += text::columns(shown) as u16;
        }
        x = next;
        gap = GAP;
    }
}

/// Shown for an unknown number.
const NONE: &str = "–";
/// Columns between two counters.
const GAP: usize = 2;

/// A number, the width it keeps, and the words around it.
struct Counter {
    before: &'static str,
    number: String,
    columns: usize,
    after: &'static str,
}

impl Counter {
    const fn new(
        before: &'static str,
        number: String,
        columns: usize,
        after: &'static str,
    ) -> Self {
        Self { before, number, columns, after }
    }
}

fn numbers(model: &Model, info: &StreamInfo) -> Vec<Counter> {
    let counters = &model.counters;
    let or_none = |shown: Option<String>| shown.unwrap_or_else(|| NONE.to_owned());
    let speed = counters.speed();
    let bytes = or_none(speed.map(|(bytes, _)| format!("{}/s", numbers::bytes(bytes))));
    let chunks = or_none(speed.map(|(_, chunks)| format!("{}/s", numbers::count(chunks))));
    let first = or_none(counters.first_field.map(numbers::time));
    let mut all = vec![
        Counter::new("", numbers::bytes(counters.bytes as f64), 6, ""),
        Counter::new("", bytes, 8, ""),
        // As wide as the plural, so that nothing moves.
        Counter::new(
            "",
            numbers::count(counters.chunks as f64),
            4,
            if counters.chunks == 1 { " chunk " } else { " chunks" },
        ),
        Counter::new("", chunks, 5, ""),
        Counter::new("first ", first, 6, ""),
    ];
    // At the end of a stream nothing is held back.
    let held = info.held.filter(|(held, _)| *held > 0 && model.end.is_none());
    if let Some((held, why)) = held {
        all.push(Counter::new("held ", numbers::bytes(held as f64), 5, ""));
        all.push(Counter::new("", why.to_owned(), 0, ""));
    }
    all
}

/// Cells of the bar.
const BAR: usize = 10;
/// The least width for a bar.
const BAR_FROM: u16 = 70;

/// Draws how many fields are complete, with a bar if the schema says how many there are. Returns
/// the columns it took.
fn fields(buffer: &mut Buffer, x: usize, area: Rect, model: &Model, palette: &Palette) -> usize {
    let (done, all) = model.progress();
    let mut used = 0;
    let mut put = |shown: &str, style: Style| {
        let columns = text::columns(shown);
        if x + used + columns < usize::from(area.right()) {
            buffer.set_string((x + used) as u16, area.y, shown, style);
            used += columns;
        }
    };
    let Some(all) = all else {
        match model.elements_done().filter(|_| done == 0) {
            Some(elements) => {
                put(&format!("{elements:>2}"), palette.plain);
                put(if elements == 1 { " element " } else { " elements" }, palette.faint);
                return used;
            }
            None if done == 0 && model.is_text() => return 0,
            None => {}
        }
        put(&format!("{done:>2}"), palette.plain);
        put(if done == 1 { " field " } else { " fields" }, palette.faint);
        return used;
    };
    if area.width >= BAR_FROM {
        let filled = (done * BAR).checked_div(all).unwrap_or(0);
        put(&"━".repeat(filled), palette.done);
        put(&"─".repeat(BAR - filled), palette.faint);
        put(" ", palette.plain);
    }
    let columns = all.to_string().len();
    put(&format!("{done:>columns$}/{all}"), palette.plain);
    put(" fields", palette.faint);
    used
}
