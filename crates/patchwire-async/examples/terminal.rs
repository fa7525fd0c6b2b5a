//! A form that fills in while a model writes it: ticks, keys and the response in one loop, drawn from the
//! borrowed value. `q` leaves, and leaving drops the response, which cancels the request.
//!
//! `cargo run -p patchwire-async --example terminal`; into a pipe it prints the form once, filled in.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::time::Duration;

use futures_util::Stream;
use patchwire::{Spec, ValueKind, ValueRef};
use patchwire_async::{Request, Response, Split, TokenStreamExt as _};
use ratatui::crossterm::event::{self, Event, KeyCode};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::widgets::{Block, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

/// What a model might write, with the manners of one.
const WRITTEN: &str = r#"Of course! Here is the ticket:

```json
{
  "subject": "Invoice 2291 was charged twice",
  "customer": {"name": "Ada Minh", "plan": "team"},
  "urgency": "high",
  "summary": "The card was charged on the 3rd and again on the 5th for the same invoice. Support confirmed the first payment, the second is \"pending\".\nShe asks for the money back before the end of the month.",
  "next_steps": ["Refund the second payment", "Check invoice 2290 too", "Write to Ada"],
  "confidence": 0.92,
}
```
Anything else?"#;

/// One field of the form: what it is called, and where it lies.
struct Field {
    label: &'static str,
    path: &'static str,
}

const fn field(label: &'static str, path: &'static str) -> Field {
    Field { label, path }
}

/// The form, row by row: how many lines of text, and the fields beside one another.
const FORM: [(u16, &[Field]); 4] = [
    (1, &[field("Subject", "subject")]),
    (
        1,
        &[
            field("Customer", "customer.name"),
            field("Plan", "customer.plan"),
            field("Urgency", "urgency"),
            field("Confidence", "confidence"),
        ],
    ),
    (5, &[field("Summary", "summary")]),
    (3, &[field("Next steps", "next_steps")]),
];

/// What a person reads of a value: lists one item a line.
fn text(value: ValueRef<'_>) -> String {
    match value.kind() {
        ValueKind::String => value.as_str().unwrap_or_default().to_owned(),
        ValueKind::List => {
            let items = value.entries().map(|(_, item)| format!("• {}", text(item)));
            items.collect::<Vec<_>>().join("\n")
        }
        _ => value.to_string(),
    }
}

fn draw(frame: &mut Frame<'_>, value: ValueRef<'_>, ended: bool) {
    let heights = FORM.map(|(lines, _)| Constraint::Length(lines + 2));
    let rows = Layout::vertical(heights).split(frame.area());
    for ((_, fields), row) in FORM.iter().zip(rows.iter()) {
        let parts = fields.iter().map(|_| Constraint::Fill(1));
        for (field, part) in fields.iter().zip(Layout::horizontal(parts).split(*row).iter()) {
            draw_field(frame, *part, field, value.at(field.path));
        }
    }
    let help = if ended { " written · q leaves " } else { " being written · q cancels " };
    let area = frame.area();
    let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    frame.render_widget(Paragraph::new(help).dark_gray().right_aligned(), last);
}

fn draw_field(frame: &mut Frame<'_>, area: Rect, field: &Field, value: Option<ValueRef<'_>>) {
    let (mark, color) = match value {
        None => ("·", Color::DarkGray),
        Some(value) if value.is_complete() => ("✓", Color::Green),
        Some(_) => ("…", Color::Yellow),
    };
    let block = Block::bordered()
        .title(format!(" {} {mark} ", field.label))
        .border_style(Style::new().fg(color));
    let mut shown = value.map(text).unwrap_or_default();
    if value.is_some_and(|value| !value.is_complete()) {
        shown.push('▍');
    }
    frame.render_widget(Paragraph::new(shown).wrap(Wrap { trim: true }).block(block), area);
}

/// Whether somebody pressed `q`.
fn wants_to_leave() -> io::Result<bool> {
    while event::poll(Duration::ZERO)? {
        if let Event::Key(key) = event::read()?
            && key.code == KeyCode::Char('q')
        {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn show<R: Request, X: Split<R::Item>>(
    terminal: &mut DefaultTerminal,
    mut response: Response<R, X>,
) -> anyhow::Result<()>
where
    R::Error: Display,
{
    let mut tick = tokio::time::interval(Duration::from_millis(33));
    let (mut ended, mut dirty) = (false, true);
    loop {
        tokio::select! {
            event = response.next(), if !ended => match event {
                Some(event) => {
                    event.map_err(|error| anyhow::anyhow!("{error}"))?;
                    dirty = true;
                }
                None => (ended, dirty) = (true, true),
            },
            _ = tick.tick() => {
                if wants_to_leave()? {
                    return Ok(());
                }
                // However fast the model is, a screen is drawn thirty times a second at most.
                if std::mem::take(&mut dirty) {
                    terminal.draw(|frame| draw(frame, response.value(), ended))?;
                }
            }
        }
    }
}

/// A model's tokens, a few letters at a time.
fn tokens(pause: Duration) -> impl Stream<Item = Result<String, io::Error>> {
    async_stream::stream! {
        let letters: Vec<char> = WRITTEN.chars().collect();
        for token in letters.chunks(4) {
            tokio::time::sleep(pause).await;
            yield Ok(token.iter().collect());
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    if io::stdout().is_terminal() {
        let mut terminal = ratatui::init();
        let shown =
            show(&mut terminal, tokens(Duration::from_millis(40)).fields(Spec::json())).await;
        ratatui::restore();
        return shown;
    }
    let answer = tokens(Duration::ZERO).fields(Spec::json()).answer().await?;
    for Field { label, path } in FORM.iter().flat_map(|(_, fields)| *fields) {
        println!("{label}: {}", answer.value().at(path).map(text).unwrap_or_default());
    }
    Ok(())
}
