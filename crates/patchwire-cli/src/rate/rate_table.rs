//! The table that `rate` prints: one row for each group, and the repairs in each.

use std::io::{self, Write};

use patchwire::Outcome;

use super::group::Groups;
use super::share::Share;
use super::tally::Tally;
use crate::{output, style};

/// The least and the greatest width of the name column.
const NAME: (usize, usize) = (5, 30);
/// A column: its title, and what it counts.
type Column = (&'static str, fn(&Tally) -> u64);

const COLUMNS: [Column; 4] = [
    ("parsed", |tally| tally.parsed),
    ("complete", |tally| tally.outcomes.of(Outcome::Complete)),
    ("repaired", |tally| tally.outcomes.of(Outcome::Repaired)),
    ("truncated", |tally| tally.outcomes.of(Outcome::Truncated)),
];
/// The columns that need a schema.
const OF_SCHEMA: [Column; 2] = [
    ("required", |tally| tally.required_present.unwrap_or(0)),
    ("types", |tally| tally.types_right.unwrap_or(0)),
];

pub(crate) struct RateTable<'g, W> {
    out: W,
    groups: &'g Groups,
    all: Tally,
    columns: Vec<Column>,
    /// Width of the name column.
    width: usize,
}

impl<'g, W: Write> RateTable<'g, W> {
    pub(crate) fn new(out: W, groups: &'g Groups) -> Self {
        let all = groups.all();
        let of_schema = all.required_present.map(|_| OF_SCHEMA);
        let columns: Vec<Column> =
            COLUMNS.into_iter().chain(of_schema.into_iter().flatten()).collect();
        let taken: usize = columns.iter().map(|(title, _)| title.len() + 2).sum();
        let room = output::width().saturating_sub(taken + "streams".len() + 2);
        let names = groups.tallies.keys().map(|name| name_of(groups, name.as_deref()));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let width = longest.clamp(NAME.0, room.clamp(NAME.0, NAME.1));
        Self { out, groups, all, columns, width }
    }

    /// Prints everything. `files` is the number of files, `format` the name of their format.
    pub(crate) fn print(mut self, files: usize, format: &str) -> io::Result<()> {
        self.head()?;
        for (name, tally) in &self.groups.tallies {
            self.row(name_of(self.groups, name.as_deref()), tally)?;
        }
        if self.groups.tallies.len() > 1 {
            self.row("all", &self.all.clone())?;
        }
        for (name, tally) in &self.groups.tallies {
            self.repairs(name.as_deref(), tally)?;
        }
        self.end(files, format)
    }

    fn head(&mut self) -> io::Result<()> {
        let (width, title) = (self.width, style::TITLE);
        write!(self.out, "{title}{:width$}  streams", "group")?;
        for (title, _) in &self.columns {
            write!(self.out, "  {title}")?;
        }
        writeln!(self.out, "{title:#}")
    }

    fn row(&mut self, name: &str, tally: &Tally) -> io::Result<()> {
        let (name, width) = (output::shorten(name, self.width), self.width);
        write!(self.out, "{name:width$}  {:>7}", tally.streams)?;
        for (title, count) in &self.columns {
            let share = Share { count: count(tally), of: tally.streams };
            let (width, style) =
                (title.len(), if share.count == 0 { style::FAINT } else { style::PLAIN });
            write!(self.out, "  {style}{share:>width$}{style:#}")?;
        }
        writeln!(self.out)
    }

    /// Prints what was repaired or lost in a group, and in how many outputs.
    fn repairs(&mut self, name: Option<&str>, tally: &Tally) -> io::Result<()> {
        let repairs = tally.repairs();
        if repairs.is_empty() {
            return Ok(());
        }
        let title = style::TITLE;
        let of = if self.groups.are_named() {
            format!("{}: repaired or lost", name_of(self.groups, name))
        } else {
            "repaired or lost".to_owned()
        };
        writeln!(self.out, "\n{title}{of}{title:#}")?;
        let longest = repairs.iter().map(|(code, _)| code.name().len()).max().unwrap_or(0);
        let digits = repairs.iter().map(|(_, count)| count.to_string().len()).max().unwrap_or(0);
        for (code, count) in repairs {
            let share = Share { count, of: tally.streams };
            let (name, style) = (code.name(), style::NAME);
            let room = output::width().saturating_sub(longest + digits + 12);
            let message = output::cut(code.message(), room);
            writeln!(
                self.out,
                "  {style}{name:longest$}{style:#}  {count:>digits$}  {share:>4}  {message}"
            )?;
        }
        Ok(())
    }

    /// Prints the line below the table: what was read, and counts that are usually 0 and have no
    /// column.
    fn end(&mut self, files: usize, format: &str) -> io::Result<()> {
        let is = |number: u64| if number == 1 { "" } else { "s" };
        let (streams, ends) = (self.all.streams, is(files as u64));
        write!(
            self.out,
            "\n{streams} stream{} of {files} file{ends}, read as {format}",
            is(streams)
        )?;
        let (calls, stopped) =
            (self.all.outcomes.of(Outcome::ToolCalls), self.all.outcomes.stopped());
        if calls > 0 {
            write!(self.out, "; {calls} only tool calls")?;
        }
        if stopped > 0 {
            write!(self.out, "; {stopped} stopped by an error")?;
        }
        writeln!(self.out)
    }
}

/// The name of a group in the table.
fn name_of<'n>(groups: &Groups, name: Option<&'n str>) -> &'n str {
    match name {
        Some(name) => name,
        None if groups.are_named() => "(none)",
        None => "all",
    }
}
