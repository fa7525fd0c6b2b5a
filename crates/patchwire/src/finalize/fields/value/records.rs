//! The records of a list that is no JSON: lines `key: value`, lines below headings, labels and what they label.

use std::collections::HashSet;

use super::words::without_marks;
use super::{ValueReader, line_member, lists};
use crate::document::Document;
use crate::schema::SchemaId;

impl ValueReader<'_> {
    /// Records under headings or bold items, which name their first member or only count them: `1. **Breath**`.
    pub(super) fn headed(&self, text: &str, item: SchemaId, depth: u8) -> Option<Document> {
        let first = self.schema.declared_keys(item).next().filter(|first| {
            self.schema.member(item, first).is_some_and(|id| self.schema.is_text(id))
        })?;
        let mut records: Vec<(&str, Vec<(&str, String)>)> = Vec::new();
        let mut seen = HashSet::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Some(head) = heading(line.trim()) {
                records.push((head, Vec::new()));
                seen.clear();
                continue;
            }
            let (_, members) = records.last_mut()?;
            let body = line.trim();
            let member = line_member(lists::bullet(body).unwrap_or(body));
            let named = member.and_then(|(key, value)| Some((self.member_name(item, key)?, value)));
            match (named.filter(|(name, _)| seen.insert(*name)), members.last_mut()) {
                (Some((name, value)), _) => members.push((name, value.to_owned())),
                (None, Some((_, text))) => {
                    text.push('\n');
                    text.push_str(body);
                }
                (None, None) => return None,
            }
        }
        if records.is_empty() || records.iter().any(|(_, members)| members.is_empty()) {
            return None;
        }
        self.items(records.into_iter().map(|(head, mut members)| {
            if members.iter().all(|(name, _)| *name != first) {
                members.insert(0, (first, head.to_owned()));
            }
            self.members(members.into_iter(), item, depth)
        }))
    }

    /// Records whose first member is a label: of the second member, or of members with their names.
    pub(super) fn pairs(&self, items: &[String], item: SchemaId, depth: u8) -> Option<Document> {
        let all = |split: fn(&str) -> Option<(&str, &str)>| {
            let pair = |text: &String| {
                let (label, rest) = split(text)?;
                self.pair(label, rest, item, depth)
            };
            self.items(items.iter().map(pair))
        };
        let detailed = || self.items(items.iter().map(|it| self.detailed(it, item, depth)));
        all(labelled).or_else(detailed).or_else(|| all(dashed))
    }

    /// A record of a label and members with their names: `Opening (due: May, cost: 5)`, `Opening - due: May`.
    fn detailed(&self, text: &str, item: SchemaId, depth: u8) -> Option<Document> {
        let first = self.schema.declared_keys(item).next()?;
        let in_brackets = || text.strip_suffix(')')?.rsplit_once(" (");
        let (label, details) = dashed(text).or_else(in_brackets)?;
        let one = || {
            let (key, value) = line_member(details)?;
            Some(vec![(self.member_name(item, key)?, value.to_owned())])
        };
        let mut members = self.one_line(details, item).or_else(one)?;
        let is_free = members.iter().all(|(name, _)| *name != first);
        members.insert(0, (first, without_marks(label).to_owned()));
        is_free.then(|| self.members(members.into_iter(), item, depth)).flatten()
    }

    /// A record of two members in their order, the first as the label of the second: `flour: 200 g`.
    fn pair(&self, label: &str, rest: &str, item: SchemaId, depth: u8) -> Option<Document> {
        let mut names = self.schema.declared_keys(item);
        let (first, second) = (names.next()?, names.next()?);
        let is_name = names.next().is_some() || self.member_name(item, label).is_some();
        let is_whole = !is_name && !label.is_empty() && !rest.is_empty();
        let members = [(first, label.to_owned()), (second, rest.to_owned())];
        is_whole.then(|| self.members(members.into_iter(), item, depth)).flatten()
    }

    /// Records whose members stand on lines of their own.
    pub(super) fn records(&self, text: &str, item: SchemaId, depth: u8) -> Option<Document> {
        let is_rule = |line: &str| line.len() > 2 && line.trim_matches('-').is_empty();
        let filled = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_rule(line));
        let member = |line| line_member(lists::bullet(line).unwrap_or(line));
        self.grouped(filled.map(member), item, depth)
    }

    /// Records whose members are elements that nothing encloses.
    pub(super) fn element_records(
        &self,
        elements: &[(&str, &str)],
        item: SchemaId,
        depth: u8,
    ) -> Option<Document> {
        self.grouped(elements.iter().copied().map(Some), item, depth)
    }

    /// The records of their members in order. A member that is repeated begins the next record.
    fn grouped<'t>(
        &self,
        members: impl Iterator<Item = Option<(&'t str, &'t str)>>,
        item: SchemaId,
        depth: u8,
    ) -> Option<Document> {
        let mut records: Vec<Vec<(&str, String)>> = Vec::new();
        let mut seen = HashSet::new();
        for member in members {
            let (key, value) = member?;
            let name = self.member_name(item, key)?;
            let is_new = seen.insert(name);
            match records.last_mut().filter(|_| is_new) {
                Some(record) => record.push((name, value.to_owned())),
                None => {
                    seen = HashSet::from([name]);
                    records.push(vec![(name, value.to_owned())]);
                }
            }
        }
        let is_flat = records.iter().all(|record| record.len() == 1);
        if is_flat {
            return None;
        }
        self.items(records.into_iter().map(|it| self.members(it.into_iter(), item, depth)))
    }
}

/// The label of an item, which is bold or stands before a colon, and the text behind it.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let bold = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let Some((label, rest)) = bold else {
        return text.split_once(": ").map(|(label, rest)| (label.trim(), rest.trim()));
    };
    if let Some(label) = label.strip_suffix(':') {
        return Some((label.trim(), rest.trim()));
    }
    // One mark alone: a dash before a number is its sign.
    let behind = rest.trim_start().strip_prefix([':', '-', '–', '—'])?;
    behind.starts_with(' ').then(|| (label.trim(), behind.trim()))
}

/// The parts of an item around its only dash: `09:00 - Welcome`.
fn dashed(text: &str) -> Option<(&str, &str)> {
    let mut dashes = [" - ", " – ", " — "].into_iter().flat_map(|dash| text.match_indices(dash));
    let (at, dash) = dashes.next()?;
    let is_one = dashes.next().is_none() && !text.contains('\n');
    is_one.then(|| (text[..at].trim(), text[at + dash.len()..].trim()))
}

/// The text of a heading, or of a line that is bold as a whole, perhaps as an item.
pub(super) fn heading(line: &str) -> Option<&str> {
    let marked = line.trim_start_matches('#');
    if marked.len() < line.len() {
        let text = marked.strip_prefix(' ').filter(|_| line.len() - marked.len() < 7)?;
        return Some(without_marks(text).trim_end_matches(':').trim());
    }
    let body = lists::bullet(line).unwrap_or(line);
    let inner = body.trim_end_matches(':').strip_prefix("**")?.strip_suffix("**")?;
    let text = inner.trim_end_matches(':').trim();
    // `**1. Breath**`
    let counted = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let named = counted.strip_prefix(['.', ')']).and_then(|rest| rest.strip_prefix(' '));
    let named = named.filter(|_| counted.len() < text.len());
    (!inner.contains("**")).then(|| named.map_or(text, str::trim))
}

#[cfg(test)]
mod tests {
    use super::{dashed, heading, labelled};

    #[test]
    fn labels_of_items() {
        for (text, want) in [
            ("flour: 200 g", Some(("flour", "200 g"))),
            ("9: -2", Some(("9", "-2"))),
            ("**10:02** – alert", Some(("10:02", "alert"))),
            ("**a:** b", Some(("a", "b"))),
            ("**a**: b", Some(("a", "b"))),
            ("**a** b", None),
            ("**a** -2", None),
            ("a b", None),
        ] {
            assert_eq!(labelled(text), want, "{text}");
        }
    }

    #[test]
    fn parts_around_a_dash() {
        for (text, want) in [
            ("09:00 - Welcome", Some(("09:00", "Welcome"))),
            ("Ana Silva — Mayor", Some(("Ana Silva", "Mayor"))),
            ("a - b - c", None),
            ("a - b – c", None),
            ("a-b", None),
            ("a - b\nc", None),
            ("a", None),
        ] {
            assert_eq!(dashed(text), want, "{text}");
        }
    }

    #[test]
    fn headings_of_records() {
        for (text, want) in [
            ("#### Breath", Some("Breath")),
            ("###### Breath", Some("Breath")),
            ("####### Breath", None),
            ("1. **Breath**", Some("Breath")),
            ("- **Breath:**", Some("Breath")),
            ("**Breath**:", Some("Breath")),
            ("### **Breath**", Some("Breath")),
            ("**1. Breath**", Some("Breath")),
            ("**a** and **b**", None),
            ("**Breath** – 300", None),
            ("Breath", None),
            ("#tag", None),
        ] {
            assert_eq!(heading(text), want, "{text}");
        }
    }
}
