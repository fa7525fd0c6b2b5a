//! A list of objects as a table.

use crate::text;
use crate::watch::model::{Item, ItemBody, ItemId, Model};

/// How many items decide about the columns and their widths.
const LOOKED_AT: usize = 200;
/// The most columns, and the widest one.
const COLUMNS: usize = 12;
const WIDEST: usize = 32;
/// Columns between two columns.
const GAP: usize = 2;

/// The columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    columns: Vec<(Box<str>, usize)>,
}

impl Table {
    /// The table of a list; `None` if it holds something else than objects.
    pub(super) fn of(list: &Item, model: &Model) -> Option<Self> {
        if list.body != ItemBody::List || list.children.is_empty() {
            return None;
        }
        let mut columns: Vec<(Box<str>, usize)> = Vec::new();
        for id in list.children.iter().take(LOOKED_AT) {
            let item = model.item(*id);
            if !matches!(item.body, ItemBody::Object | ItemBody::Absent) {
                return None;
            }
            for child in &item.children {
                let member = model.item(*child);
                let width = text::columns(&cell(member)).clamp(1, WIDEST);
                match columns.iter().position(|(name, _)| *name == member.name) {
                    Some(at) => columns[at].1 = width.max(columns[at].1),
                    None if columns.len() < COLUMNS => {
                        let name = text::columns(&text::printable(&member.name));
                        columns.push((member.name.clone(), width.max(name)));
                    }
                    None => {}
                }
            }
        }
        (!columns.is_empty()).then_some(Self { columns })
    }

    /// The line with the names of the columns.
    pub(super) fn head(&self) -> String {
        self.line("#", text::printable)
    }

    /// The line of an item.
    pub(super) fn row(&self, number: usize, id: ItemId, model: &Model) -> String {
        let item = model.item(id);
        self.line(&number.to_string(), |name| {
            let member =
                item.children.iter().map(|id| model.item(*id)).find(|it| *it.name == *name);
            member.map(cell).unwrap_or_default()
        })
    }

    fn line(&self, number: &str, content: impl Fn(&str) -> String) -> String {
        let mut line = format!("{number:>3}");
        for (name, width) in &self.columns {
            let content = content(name);
            let shown = text::fit(&content, *width);
            line += &" ".repeat(GAP);
            line += &shown;
            line += &" ".repeat(width - text::columns(&shown));
        }
        line.trim_end().to_owned()
    }
}

/// A value in a cell: the first line of a text, JSON of a scalar, the size of what holds others.
fn cell(item: &Item) -> String {
    match &item.body {
        ItemBody::Absent => String::new(),
        ItemBody::Text(text) => text::printable(text.trim().lines().next().unwrap_or_default()),
        ItemBody::Scalar(_, json) => text::printable(json),
        ItemBody::List => format!("[{}]", item.children.len()),
        ItemBody::Object => format!("{{{}}}", item.children.len()),
    }
}
