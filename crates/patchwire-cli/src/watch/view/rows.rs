//! Which items have a row, how tall it is, and where.

use crate::watch::model::{Item, ItemBody, ItemId, ItemRole, Model};

use super::row::Row;
use super::screen::Screen;
use super::table::Table;
use super::text_block::{self, TextBlock, TextBlocks};

/// All rows, and the width of their labels.
pub(super) struct RowLayout {
    pub(super) rows: Vec<Row>,
    /// Width of the widest label with its indentation.
    pub(super) labels: usize,
}

/// Columns of one level, and the deepest level that is indented.
const STEP: usize = 2;
const DEEPEST: usize = 8;

/// Columns before a label.
pub(super) const fn indent(depth: usize) -> usize {
    STEP * if depth < DEEPEST { depth } else { DEEPEST }
}

/// Lays out the rows of a model. `columns` is the width of the values.
pub(super) fn lay_out(
    model: &Model,
    screen: &Screen,
    blocks: &mut TextBlocks,
    columns: usize,
) -> RowLayout {
    let mut page = RowLayout { rows: Vec::new(), labels: 0 };
    let mut top = 0;
    // Nesting may be as deep as the limits allow, so this does not recurse.
    let mut open: Vec<(ItemId, usize, Option<usize>)> =
        model.top().iter().rev().map(|id| (*id, 0, None)).collect();
    while let Some((id, depth, index)) = open.pop() {
        let item = model.item(id);
        let mut inner = depth;
        if has_row(item, model) {
            inner += 1;
            let block = blocks.of(id, item, columns, screen.cap(id, item, model));
            let is_folded = screen.is_folded(id, item);
            let is_table = screen.tables.contains(&id) && !is_folded;
            let table = is_table.then(|| Table::of(item, model)).flatten();
            let table_lines = table.as_ref().map_or(0, |_| 1 + item.children.len());
            let lines = lines(item, &block) + table_lines;
            page.labels = page.labels.max(indent(depth) + label_columns(item, index));
            let is_closed = is_folded || table.is_some();
            page.rows.push(Row { id, depth, index, top, lines, block, table });
            top += lines;
            if is_closed {
                continue;
            }
        }
        let numbered = item.body == ItemBody::List;
        let children = item.children.iter().enumerate().rev();
        open.extend(children.map(|(at, id)| (*id, inner, numbered.then_some(at))));
    }
    page
}

/// A document's members have rows, but the document itself has none unless it is empty or fails a
/// check.
fn has_row(item: &Item, model: &Model) -> bool {
    match item.role {
        ItemRole::Document if item.body == ItemBody::Object && is_of_call(item, model) => false,
        ItemRole::Document => {
            item.children.is_empty() && item.body != ItemBody::Absent || item.failure.is_some()
        }
        _ => true,
    }
}

fn is_of_call(item: &Item, model: &Model) -> bool {
    item.parent.is_some_and(|parent| matches!(model.item(parent).role, ItemRole::Call { .. }))
}

/// The label of an item.
pub(super) fn label(item: &Item, index: Option<usize>) -> String {
    match (index, &item.role) {
        (Some(index), _) => format!("[{index}]"),
        (None, ItemRole::Document) => "value".to_owned(),
        (None, _) => crate::text::printable(&item.name),
    }
}

fn label_columns(item: &Item, index: Option<usize>) -> usize {
    match index {
        Some(index) => 3 + index.checked_ilog10().unwrap_or(0) as usize,
        None if item.name.is_ascii() => item.name.len(),
        None => crate::text::columns(&item.name),
    }
}

/// The height of a row: its value, its parameters, and its failed check.
fn lines(item: &Item, block: &TextBlock) -> usize {
    let value = if item.text().is_some() { block.lines() } else { 1 };
    value + usize::from(has_params_line(item)) + usize::from(has_failure_line(item))
}

/// Whether parameters have a line of their own, above a text.
pub(super) fn has_params_line(item: &Item) -> bool {
    matches!(&item.role, ItemRole::Element { params, .. } if !params.is_empty())
        && text_block::visible(item).is_some_and(|text| !text.is_empty())
}

/// Whether a failed check has a line of its own, below a value. Without a value, it takes the
/// value's place.
pub(super) fn has_failure_line(item: &Item) -> bool {
    item.failure.is_some() && item.body != ItemBody::Absent
}
