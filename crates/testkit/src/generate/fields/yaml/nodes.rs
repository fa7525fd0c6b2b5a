//! Collections and scalars in YAML.

use super::strings::{self, StringPlace};
use super::{Rng, YamlShape};
use crate::oracle::Json;
use crate::oracle::fields::Type;

/// Writes a document.
#[derive(Debug)]
pub struct Writer<'r> {
    /// The source of all choices.
    pub rng: &'r mut Rng,
    /// The allowed notations.
    pub shape: YamlShape,
    /// The text so far.
    pub out: String,
    /// The anchors, their values, and the declared types of these.
    pub anchors: Vec<(String, Json, Type)>,
    /// The declared type of the current field.
    pub declared: Type,
}

impl Writer<'_> {
    /// Writes blank lines and comments, which have no meaning between members of the root.
    pub fn between(&mut self, indent: usize) {
        let spaces = " ".repeat(indent);
        match self.rng.below(8) {
            0 => self.out.push_str(&format!("{spaces}# note: x\n\n")),
            1 if self.is_over() => self.out.push('\n'),
            _ => {}
        }
    }

    /// Whether blank lines at this position belong to no block scalar.
    fn is_over(&self) -> bool {
        self.out.is_empty()
    }

    /// Writes an undeclared member.
    pub fn unknown(&mut self, indent: usize) {
        let spaces = " ".repeat(indent);
        self.out.push_str(&format!("{spaces}nobody: |\n{spaces}  a: no\n"));
    }

    /// Writes a member of the root, and returns its value.
    pub fn entry(&mut self, name: &str, value: Json, indent: usize) -> Json {
        self.key(name, indent);
        let typed = self.declared == Type::Str;
        if self.shape.references && self.rng.once_in(3) {
            return self.reference(value, StringPlace { parent: indent, flow: false, typed });
        }
        self.value(&value, StringPlace { parent: indent, flow: false, typed });
        value
    }

    fn key(&mut self, name: &str, indent: usize) {
        self.out.push_str(&" ".repeat(indent));
        self.bare_key(name);
    }

    fn bare_key(&mut self, name: &str) {
        let needs = ["x: y", "# z", "- n", "<<< e"].contains(&name);
        match self.rng.below(if needs { 2 } else { 6 }) {
            0 => self.out.push_str(&format!("'{}'", name.replace('\'', "''"))),
            1 => self.out.push_str(&format!("\"{name}\"")),
            _ => self.out.push_str(name),
        }
        self.out.push_str(self.rng.pick(&[":", ":", " :"]));
    }

    /// Writes a value after `:` or `-`, including the end of its last line.
    fn value(&mut self, value: &Json, place: StringPlace) {
        match value {
            Json::List(_) | Json::Object(_) if self.in_brackets(value) => self.flow(value, place),
            Json::List(_) | Json::Object(_) => self.block(value, place.parent),
            scalar => {
                let gap = self.rng.pick(&[" ", " ", "  "]);
                let written = self.scalar(scalar, place);
                let blank = written.starts_with('\n');
                self.out.push_str(if blank { "" } else { gap });
                self.out.push_str(&written);
            }
        }
    }

    /// Whether to write a collection in brackets. One without children needs them.
    fn in_brackets(&mut self, value: &Json) -> bool {
        let empty = match value {
            Json::List(items) => items.is_empty(),
            Json::Object(members) => members.is_empty(),
            _ => false,
        };
        empty || self.shape.flow && self.rng.once_in(3)
    }

    fn scalar(&mut self, scalar: &Json, place: StringPlace) -> String {
        let end = if place.flow { "" } else { "\n" };
        match scalar {
            Json::String(text) => strings::written(self.rng, text, place),
            Json::Null if !place.flow => self.rng.pick(&["null\n", "~\n", "NULL\n", "\n"]).into(),
            Json::Bool(true) => format!("{}{end}", self.rng.pick(&["true", "True", "TRUE"])),
            other => format!("{other}{end}"),
        }
    }

    /// Writes a block collection.
    fn block(&mut self, value: &Json, parent: usize) {
        let comment = self.rng.pick(&["\n", "\n", "  # note\n", "\n\n", "\n# far left\n"]);
        self.out.push_str(comment);
        match value {
            Json::List(items) => {
                let indent = parent + self.rng.pick(&[0, 2, 3]);
                // A list under a key needs no more indent.
                self.items(items, indent);
            }
            Json::Object(members) => {
                let indent = parent + 1 + self.rng.below(3);
                self.members(members, indent);
            }
            _ => {}
        }
    }

    fn members(&mut self, members: &[(String, Json)], indent: usize) {
        for (key, value) in members {
            self.key(key, indent);
            self.value(value, StringPlace { parent: indent, flow: false, typed: false });
        }
    }

    fn items(&mut self, items: &[Json], indent: usize) {
        for item in items {
            self.out.push_str(&format!("{}-", " ".repeat(indent)));
            let place = StringPlace { parent: indent, flow: false, typed: false };
            match item {
                Json::List(_) | Json::Object(_) if self.in_brackets(item) => self.flow(item, place),
                Json::Object(members) => self.compact(members, indent),
                Json::List(inner) => {
                    self.out.push('\n');
                    self.items(inner, indent + 2);
                }
                scalar => self.value(scalar, place),
            }
        }
    }

    /// Writes a mapping whose first key follows the `-` of its item.
    fn compact(&mut self, members: &[(String, Json)], indent: usize) {
        let gap = 1 + self.rng.below(2);
        let inner = indent + 1 + gap;
        for (at, (key, value)) in members.iter().enumerate() {
            self.out.push_str(&" ".repeat(if at == 0 { gap } else { inner }));
            self.bare_key(key);
            self.value(value, StringPlace { parent: inner, flow: false, typed: false });
        }
    }

    // Collections in brackets.

    fn flow(&mut self, value: &Json, place: StringPlace) {
        self.out.push(' ');
        let inner = StringPlace { flow: true, typed: false, ..place };
        let text = self.flow_text(value, inner);
        self.out.push_str(&text);
        self.out.push_str(self.rng.pick(&["\n", "\n", " # note\n"]));
    }

    fn flow_text(&mut self, value: &Json, place: StringPlace) -> String {
        let gaps = [String::new(), " ".to_owned(), format!("\n{}", " ".repeat(place.parent + 2))];
        let gap = gaps[self.rng.below(3)].clone();
        match value {
            Json::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.flow_text(item, place)).collect();
                format!("[{gap}{}{gap}]", items.join(&format!(",{gap}")))
            }
            Json::Object(members) => {
                let member = |(key, value): &(String, Json)| {
                    format!("'{}': {}", key.replace('\'', "''"), self.flow_text(value, place))
                };
                let members: Vec<_> = members.iter().map(member).collect();
                format!("{{{gap}{}{gap}}}", members.join(&format!(" ,{gap}")))
            }
            scalar => self.scalar(scalar, place),
        }
    }

    // Anchors, aliases and tags.

    /// Writes a value with an anchor or a tag, or an alias of an earlier value.
    fn reference(&mut self, value: Json, place: StringPlace) -> Json {
        let typed = place.typed;
        let kind = self.declared;
        let known = self.anchors.iter().find(|(_, _, known)| *known == kind).cloned();
        match (self.rng.below(3), known) {
            (0, Some((name, value, _))) => {
                self.out.push_str(&format!(" *{name}\n"));
                value
            }
            (1, _) if typed => {
                let number = self.rng.pick(&["123", "null", "true", "~"]);
                let tag = self.rng.pick(&["!!str", "!", "!<tag:yaml.org,2002:str>"]);
                self.out.push_str(&format!(" {tag} {number}\n"));
                Json::String(number.to_owned())
            }
            (1, _) if kind == Type::Any => {
                self.out.push_str(" !!int \"12\"\n");
                Json::Number("12".to_owned())
            }
            _ => {
                let name = format!("n{}", self.anchors.len());
                self.out.push_str(&format!(" &{name}"));
                self.value(&value, place);
                self.anchors.push((name, value.clone(), kind));
                value
            }
        }
    }
}
