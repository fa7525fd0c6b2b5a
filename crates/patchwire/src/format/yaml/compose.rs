//! What has to be read whole, read by a parser of all of YAML 1.2.

#[cfg(feature = "yaml")]
use core::ops::Range;
#[cfg(feature = "yaml")]
use std::collections::HashMap;

use super::teller::{Teller, Want};
use crate::codes::Code;
use crate::error::Error;
use crate::span::Span;

/// One thing that the text says.
#[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "nothing reads it then"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Open {
        list: bool,
        /// In lines of its own, and without an anchor or tag.
        bare: bool,
        /// As it is written, if that is in brackets, and those in none.
        source: Option<String>,
    },
    Close,
    /// A scalar; whether it is what the core schema makes of it, and whether a tag says that.
    Scalar {
        text: String,
        plain: bool,
        tagged: bool,
    },
    /// The name of the value that came before, or opened.
    Anchor(String),
    Alias(String),
}

/// Why there is no value.
#[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "nothing reads it then"))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// YAML does not allow it, or no value can say it.
    Bad,
    /// It is nested too deep.
    Depth,
}

/// What the first document of a text says, keys and values in turn.
#[cfg(feature = "yaml")]
pub(super) fn read(text: &str, depth: usize) -> Result<Vec<Said>, Refused> {
    use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};

    let mut options = granit_parser::Options::default();
    options.emit_unresolved_aliases = true;
    options.emit_anchor_events = true;
    options.flow_nesting_limit = depth.saturating_add(1);
    options.block_nesting_limit = depth.saturating_add(1);
    options.set_emit_comments(false);
    let (mut all, mut names) = (Reading::default(), HashMap::new());
    for event in Parser::new_from_str_with_options(text, options) {
        let refused = if all.open.len() >= depth { Refused::Depth } else { Refused::Bad };
        let (event, span) = event.map_err(|_| refused)?;
        match event {
            Event::SequenceStart(style, ..) => {
                all.open(true, false)?;
                all.begin_source(style == StructureStyle::Flow, span.byte_range());
            }
            Event::MappingStart(style, anchor, tag) => {
                let bare = style == StructureStyle::Block && anchor == 0 && tag.is_none();
                all.open(false, bare)?;
                all.begin_source(style == StructureStyle::Flow, span.byte_range());
            }
            Event::SequenceEnd | Event::MappingEnd => {
                all.close();
                all.end_source(text, span.byte_range());
            }
            Event::Scalar(text, style, _, tag) => {
                let (plain, tagged) = (is_plain(style, tag.as_deref()), tag.is_some());
                // What is not there is emitted as `~`.
                let absent = style == ScalarStyle::Plain && span.is_empty();
                let text = if absent { String::new() } else { text.into_owned() };
                all.value(Said::Scalar { text, plain, tagged }, true)?;
            }
            Event::Anchor(id, name) => {
                let text = match all.said.last() {
                    Some(Said::Scalar { text, .. }) => Some(text.clone()),
                    _ => None,
                };
                names.insert(id, (name.clone().into_owned(), text));
                all.said.push(Said::Anchor(name.into_owned()));
            }
            Event::Alias(id) => {
                let (name, text) = names.get(&id).cloned().unwrap_or_default();
                all.alias(name, text)?;
            }
            Event::UnresolvedAlias(name) => {
                all.value(Said::Alias(name.into_owned()), true)?;
            }
            _ => {}
        }
    }
    Ok(all.said)
}

/// Without a parser of all of YAML nothing that has to be read whole has a value.
#[cfg(not(feature = "yaml"))]
pub(super) fn read(_text: &str, _depth: usize) -> Result<Vec<Said>, Refused> {
    Err(Refused::Bad)
}

/// Whether a scalar is what the core schema makes of its text.
#[cfg(feature = "yaml")]
fn is_plain(style: granit_parser::ScalarStyle, tag: Option<&granit_parser::Tag>) -> bool {
    let plain = style == granit_parser::ScalarStyle::Plain;
    match tag {
        None => plain,
        Some(tag) => match tag.core_suffix() {
            Some("str") => false,
            Some(_) => true,
            None => false,
        },
    }
}

/// What was said so far, and where that stands.
#[cfg(feature = "yaml")]
#[derive(Default)]
struct Reading {
    said: Vec<Said>,
    /// Open collections; of a mapping, whether a key comes next.
    open: Vec<Option<bool>>,
    /// The outermost collection in brackets: what was said before it, how much was open in it, and
    /// where it begins.
    brackets: Option<(usize, usize, usize)>,
}

#[cfg(feature = "yaml")]
impl Reading {
    /// A key or value begins; whether it may be a key.
    fn value(&mut self, said: Said, may_be_key: bool) -> Result<(), Refused> {
        if let Some(Some(key)) = self.open.last_mut() {
            if *key && !may_be_key {
                return Err(Refused::Bad);
            }
            *key = !*key;
        }
        self.said.push(said);
        Ok(())
    }

    /// An alias; as a key it is the text that it stands for.
    fn alias(&mut self, name: String, text: Option<String>) -> Result<(), Refused> {
        match (self.open.last(), text) {
            (Some(Some(true)), Some(text)) => {
                self.value(Said::Scalar { text, plain: true, tagged: false }, true)
            }
            _ => self.value(Said::Alias(name), false),
        }
    }

    fn open(&mut self, list: bool, bare: bool) -> Result<(), Refused> {
        self.value(Said::Open { list, bare, source: None }, false)?;
        self.open.push(if list { None } else { Some(true) });
        Ok(())
    }

    fn close(&mut self) {
        self.open.pop();
        self.said.push(Said::Close);
    }

    /// A collection opened, maybe in brackets.
    fn begin_source(&mut self, in_brackets: bool, at: Option<Range<usize>>) {
        if let (true, None, Some(at)) = (in_brackets, self.brackets, at) {
            self.brackets = Some((self.said.len() - 1, self.open.len(), at.start));
        }
    }

    /// A collection closed, maybe that in brackets.
    fn end_source(&mut self, text: &str, at: Option<Range<usize>>) {
        let Some((said, depth, start)) = self.brackets else { return };
        if self.open.len() + 1 != depth {
            return;
        }
        self.brackets = None;
        if let (Some(Said::Open { source, .. }), Some(at)) = (self.said.get_mut(said), at) {
            *source = text.get(start..at.end).map(str::to_owned);
        }
    }
}

/// The one value in a mapping or list that was put round it.
pub(super) fn single(said: Vec<Said>, list: bool) -> Result<Vec<Said>, Refused> {
    let first = if list { 1 } else { 2 };
    let (mut depth, mut values) = (0_usize, 0);
    for what in said.get(first..said.len().saturating_sub(1)).unwrap_or_default() {
        match what {
            Said::Anchor(_) => continue,
            Said::Open { .. } => depth += 1,
            Said::Close => depth = depth.saturating_sub(1),
            Said::Scalar { .. } | Said::Alias(_) => {}
        }
        values += usize::from(depth == 0);
    }
    if values != 1 {
        return Err(Refused::Bad);
    }
    Ok(said[first..said.len() - 1].to_vec())
}

/// The keys and values of a mapping in lines of its own.
pub(super) fn members(said: Vec<Said>) -> Result<Vec<Said>, Refused> {
    match said.first() {
        Some(Said::Open { list: false, bare: true, .. }) => Ok(said[1..said.len() - 1].to_vec()),
        _ => Err(Refused::Bad),
    }
}

/// Tells what was said: a value, or the keys and values of the innermost object that is open.
pub(super) fn emit(
    said: &[Said],
    members: bool,
    teller: &mut Teller,
    end: u64,
) -> Result<(), Error> {
    let mut open = Vec::new();
    open.extend(members.then_some(Some(true)));
    // Closers until the end of what is emitted as text.
    let mut passed = 0_usize;
    for (at, what) in said.iter().enumerate() {
        if passed > 0 {
            passed += usize::from(matches!(what, Said::Open { .. }));
            passed -= usize::from(*what == Said::Close);
            continue;
        }
        if matches!(what, Said::Anchor(_)) {
            continue;
        }
        let mut is_key = false;
        if let (Some(Some(key)), true) = (open.last_mut(), *what != Said::Close) {
            is_key = *key;
            *key = !is_key;
        }
        if let (Some(Said::Anchor(name)), false) = (said.get(at + 1), is_key) {
            teller.anchor(name);
        }
        // What is declared a string is one in brackets, too.
        if let Said::Open { source: Some(source), .. } = what
            && !is_key
            && teller.want() != Want::Any
        {
            teller.notice_of_next(Code::TypeMismatch, Span::at(end));
            teller.string(source, false, end);
            passed = 1;
            continue;
        }
        match what {
            Said::Open { list, .. } => open.push(if *list { None } else { Some(true) }),
            Said::Close => drop(open.pop()),
            _ => {}
        }
        emit_one(what, is_key, teller, end)?;
        if let (Some(Said::Anchor(name)), true, Said::Scalar { text, .. }) =
            (said.get(at + 1), is_key, what)
        {
            teller.name_key(name, text);
        }
        if is_key && members && open.len() == 1 {
            teller.defer();
        }
    }
    Ok(())
}

fn emit_one(what: &Said, is_key: bool, teller: &mut Teller, end: u64) -> Result<(), Error> {
    match what {
        Said::Open { list, .. } => teller.open(*list, end)?,
        Said::Close => teller.close()?,
        Said::Scalar { text, plain, .. } if is_key => teller.key(text, *plain, Span::at(end))?,
        Said::Scalar { text, plain: true, tagged } => {
            let want = match teller.want() {
                Want::TextOrNull if *tagged => Want::Text,
                want => want,
            };
            teller.plain(text, want, end);
        }
        Said::Scalar { text, plain: false, .. } => teller.string(text, false, end),
        Said::Alias(name) if is_key => teller.key_of_alias(name, end)?,
        Said::Alias(name) => {
            if !teller.alias(name, end)? {
                teller.notice_of_next(Code::YamlUnknownAlias, Span::at(end));
                teller.string(&format!("*{name}"), true, end);
            }
        }
        Said::Anchor(_) => {}
    }
    Ok(())
}
