//! A body read from its whole text by recursive descent, with unlimited look-ahead.

use std::collections::BTreeMap;

use super::{Json, quoted};

/// The settings for a body.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'r> {
    /// The names that are tags; all names if `None`.
    pub known: Option<&'r [&'r str]>,
    /// Whether a leaf that prints as a number is a number.
    pub typed: bool,
}

/// An item in an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// Text, and whether it is explicit: from an entity or a `CDATA` section.
    Text(String, bool),
    /// A comment.
    Comment(String),
    /// An element.
    Element(Element),
}

/// An element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    items: Vec<Item>,
}

/// Reads a body.
#[must_use]
pub fn read(text: &str, rules: Rules<'_>) -> Element {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
        fresh: true,
        start: true,
        open: Vec::new(),
        rules,
    };
    let (items, _) = reader.items();
    Element { name: String::new(), attributes: Vec::new(), items }
}

/// The end of a run of items.
enum Stop {
    End,
    /// The closer of the open element with this number.
    Closer(usize),
}

enum Tag {
    Opener { name: String, attributes: Vec<(String, String)>, closed: bool },
    Closer(String),
    Comment(String),
    Cdata(String),
    Prolog,
}

struct Reader<'r> {
    chars: Vec<char>,
    at: usize,
    fresh: bool,
    /// Whether no text and no element was read yet.
    start: bool,
    open: Vec<String>,
    rules: Rules<'r>,
}

impl Reader<'_> {
    fn items(&mut self) -> (Vec<Item>, Stop) {
        let mut items = Vec::new();
        while self.at < self.chars.len() {
            let Some((tag, end)) = self.tag() else {
                let (text, explicit) = self.text();
                items.push(Item::Text(text, explicit));
                continue;
            };
            self.at = end;
            self.fresh = true;
            self.start &= match &tag {
                Tag::Prolog | Tag::Comment(_) => true,
                Tag::Cdata(text) => text.is_empty(),
                Tag::Opener { .. } | Tag::Closer(_) => false,
            };
            match tag {
                Tag::Prolog => {}
                Tag::Comment(text) => items.push(Item::Comment(text)),
                Tag::Cdata(text) => {
                    self.fresh = text.is_empty();
                    if !text.is_empty() {
                        items.push(Item::Text(text, true));
                    }
                }
                Tag::Closer(name) => {
                    if let Some(at) = self.open.iter().rposition(|open| *open == name) {
                        return (items, Stop::Closer(at));
                    }
                }
                Tag::Opener { name, attributes, closed: true } => {
                    items.push(Item::Element(Element { name, attributes, items: Vec::new() }));
                }
                Tag::Opener { name, attributes, closed: false } => {
                    self.open.push(name.clone());
                    let (inner, stop) = self.items();
                    self.open.pop();
                    items.push(Item::Element(Element { name, attributes, items: inner }));
                    match stop {
                        Stop::Closer(at) if at == self.open.len() => {}
                        stop => return (items, stop),
                    }
                }
            }
        }
        (items, Stop::End)
    }

    /// Reads a character of text, or an entity.
    fn text(&mut self) -> (String, bool) {
        if let Some((char, end)) = self.entity() {
            self.at = end;
            (self.fresh, self.start) = (false, false);
            return (char.to_string(), true);
        }
        let char = self.chars[self.at];
        self.at += 1;
        self.fresh = char == '\n' || self.fresh && is_blank(char);
        self.start &= is_blank(char);
        (char.to_string(), false)
    }

    fn entity(&self) -> Option<(char, usize)> {
        let rest: String = self.chars[self.at..].iter().take(32).collect();
        let end = rest.find(';')?;
        let char = match rest[..end].strip_prefix('&')? {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            name => {
                let number = name.strip_prefix('#')?;
                let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |it| (it, 16));
                let fits = digits.chars().all(|char| char.is_digit(radix));
                let code = u32::from_str_radix(digits, radix).ok().filter(|_| fits)?;
                char::from_u32(code).filter(|char| *char != '\0')?
            }
        };
        Some((char, self.at + rest[..=end].chars().count()))
    }

    fn tag(&self) -> Option<(Tag, usize)> {
        let rest: String = self.chars[self.at..].iter().collect();
        let (tag, len) = self.tag_in(&rest)?;
        Some((tag, self.at + rest[..len].chars().count()))
    }

    /// The tag at the start of a text, and its length in bytes.
    fn tag_in(&self, text: &str) -> Option<(Tag, usize)> {
        let section = |open: &str, close: &str| {
            let inner = text.strip_prefix(open)?;
            let len = inner.find(close);
            let content = inner[..len.unwrap_or(inner.len())].to_owned();
            Some((content, len.map_or(text.len(), |len| open.len() + len + close.len())))
        };
        if let Some((content, len)) = section("<!--", "-->") {
            return Some((Tag::Comment(content), len));
        }
        if let Some((content, len)) = section("<![CDATA[", "]]>") {
            return Some((Tag::Cdata(content), len));
        }
        let (tag, len) = if text.starts_with("<!DOCTYPE") || text.starts_with("<?xml") {
            (Tag::Prolog, self.prolog(text)?)
        } else if let Some(inner) = text.strip_prefix("</") {
            let name = name(inner)?;
            let rest = inner[name.len()..].trim_start_matches(is_blank);
            let after = rest.strip_prefix('>')?;
            (Tag::Closer(name.to_owned()), text.len() - after.len())
        } else {
            opener(text)?
        };
        (len <= 1024 && self.counts(&tag)).then_some((tag, len))
    }

    fn counts(&self, tag: &Tag) -> bool {
        let known = |name: &str| self.rules.known.is_none_or(|known| known.contains(&name));
        let inside = !self.open.is_empty();
        match tag {
            Tag::Prolog => self.start,
            Tag::Closer(name) => known(name) && (inside || self.rules.known.is_some()),
            Tag::Opener { name, .. } => {
                known(name) && (inside || self.fresh || self.rules.known.is_some())
            }
            Tag::Comment(_) | Tag::Cdata(_) => true,
        }
    }

    fn prolog(&self, text: &str) -> Option<usize> {
        let (mut subset, mut quote) = (false, None);
        let from = if text.starts_with("<?") { 5 } else { 9 };
        for (at, char) in text.char_indices().skip(from) {
            match (quote, char) {
                (Some(mark), _) if mark == char => quote = None,
                (Some(_), _) => {}
                (None, '>') if !subset => return Some(at + 1),
                (None, '"' | '\'') => quote = Some(char),
                (None, '[') => subset = true,
                (None, ']') => subset = false,
                _ => {}
            }
        }
        None
    }
}

fn opener(text: &str) -> Option<(Tag, usize)> {
    let inner = text.strip_prefix('<')?;
    let name = name(inner)?.to_owned();
    let mut rest = &inner[name.len()..];
    let mut attributes: Vec<(String, String)> = Vec::new();
    let mut count = 0;
    loop {
        let after = rest.trim_start_matches(is_blank);
        for (end, closed) in [(">", false), ("/>", true)] {
            if let Some(after) = after.strip_prefix(end) {
                return Some((Tag::Opener { name, attributes, closed }, text.len() - after.len()));
            }
        }
        if after.len() == rest.len() {
            return None;
        }
        let (key, value, more) = attribute(after)?;
        count += 1;
        match attributes.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = value,
            None => attributes.push((key, value)),
        }
        if count > 64 {
            return None;
        }
        rest = more;
    }
}

fn attribute(text: &str) -> Option<(String, String, &str)> {
    let key = name(text)?;
    let after = text[key.len()..].trim_start_matches(is_blank).strip_prefix('=')?;
    let after = after.trim_start_matches(is_blank);
    for quote in ['"', '\''] {
        if let Some(inner) = after.strip_prefix(quote) {
            let (value, rest) = inner.split_once(quote)?;
            return Some((key.to_owned(), resolved(value), rest));
        }
    }
    let ends = |char: char| is_blank(char) || "\"'<>=`".contains(char);
    let len = after.find(ends).unwrap_or(after.len());
    let (mut value, mut rest) = after.split_at(len);
    if value.is_empty() {
        return None;
    }
    if rest.starts_with('>') && value.ends_with('/') {
        value = &value[..value.len() - 1];
        rest = &after[len - 1..];
    }
    let whole = rest.starts_with('>') || rest.starts_with("/>") || rest.starts_with(is_blank);
    whole.then(|| (key.to_owned(), resolved(value), rest))
}

/// Text with its entities decoded.
fn resolved(text: &str) -> String {
    let (chars, rules) = (text.chars().collect(), Rules::default());
    let mut reader = Reader { chars, at: 0, fresh: false, start: false, open: Vec::new(), rules };
    let mut out = String::new();
    while reader.at < reader.chars.len() {
        out.push_str(&reader.text().0);
    }
    out
}

fn name(text: &str) -> Option<&str> {
    text.starts_with(|char: char| char.is_alphabetic() || char == '_').then_some(())?;
    let ends = |char: char| !char.is_alphanumeric() && !"_-.:".contains(char);
    Some(&text[..text.find(ends).unwrap_or(text.len())])
}

const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

impl Element {
    /// The value of the element.
    #[must_use]
    pub fn value(&self, rules: Rules<'_>) -> Json {
        let plain = !self.items.iter().any(|item| matches!(item, Item::Element(_)));
        let runs = self.runs();
        if plain && self.attributes.is_empty() {
            let (text, explicit) = runs.into_iter().find_map(Result::ok).unwrap_or_default();
            let number = rules.typed && !explicit && is_number(&text);
            return if number { Json::Number(text) } else { Json::String(text) };
        }
        let mut members = Members::default();
        if !self.attributes.is_empty() {
            let text =
                |(name, value): &(String, String)| (name.clone(), Json::String(value.clone()));
            members.add("_attributes", Json::Object(self.attributes.iter().map(text).collect()));
        }
        for run in runs {
            match run {
                Ok((text, explicit)) if explicit || !text.chars().all(is_blank) => {
                    members.add("_text", Json::String(text));
                }
                Ok(_) => {}
                Err(element) => members.add(&element.name, element.value(rules)),
            }
        }
        members.object()
    }

    /// The items of the element: text up to the next child, joined across comments, and the children.
    fn runs(&self) -> Vec<Result<(String, bool), &Self>> {
        let mut runs: Vec<Result<(String, bool), &Self>> = vec![Ok(Default::default())];
        for item in &self.items {
            match (item, runs.last_mut()) {
                (Item::Comment(_), _) | (_, None) => {}
                (Item::Text(more, said), Some(Ok((text, explicit)))) => {
                    text.push_str(more);
                    *explicit |= said;
                }
                (Item::Text(text, explicit), Some(Err(_))) => {
                    runs.push(Ok((text.clone(), *explicit)));
                }
                (Item::Element(element), _) => runs.push(Err(element)),
            }
        }
        runs
    }

    /// The content of the element as JSON text, in order.
    #[must_use]
    pub fn ordered(&self) -> String {
        let items = self.visible();
        let attributes = self.attributes.iter();
        let mut parts: Vec<String> = attributes
            .map(|(name, value)| format!("{}:{}", quoted(&format!("@{name}")), quoted(value)))
            .collect();
        let single = |parts: Vec<String>| parts.join(",");
        let texts = items.iter().filter(|item| matches!(item, Item::Text(..))).count();
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for item in &items {
            if let Item::Element(element) = item {
                *names.entry(&element.name).or_default() += 1;
            }
        }
        let elements = names.values().sum::<usize>();
        if texts == items.len() && texts < 2 {
            let text = items.iter().find_map(|item| match item {
                Item::Text(text, _) => Some(quoted(text)),
                _ => None,
            });
            if parts.is_empty() {
                return text.unwrap_or_else(|| quoted(""));
            }
            parts.extend(text.map(|text| format!("\"#text\":{text}")));
            return format!("{{{}}}", single(parts));
        }
        let child = |element: &Self| format!("{}:{}", quoted(&element.name), element.ordered());
        if elements == items.len() && names.values().all(|count| *count == 1) {
            parts.extend(items.iter().filter_map(|item| match item {
                Item::Element(element) => Some(child(element)),
                _ => None,
            }));
            return format!("{{{}}}", single(parts));
        }
        let mut all: Vec<String> = parts.iter().map(|part| format!("{{{part}}}")).collect();
        all.extend(items.iter().map(|item| match item {
            Item::Text(text, _) => quoted(text),
            Item::Comment(text) => format!("{{\"#comment\":{}}}", quoted(text)),
            Item::Element(element) => format!("{{{}}}", child(element)),
        }));
        format!("[{}]", all.join(","))
    }

    /// The items with neighbouring texts joined, without whitespace next to other items.
    fn visible(&self) -> Vec<Item> {
        let mut joined: Vec<Item> = Vec::new();
        for item in &self.items {
            match (joined.last_mut(), item) {
                (Some(Item::Text(text, explicit)), Item::Text(more, said)) => {
                    text.push_str(more);
                    *explicit |= said;
                }
                _ => joined.push(item.clone()),
            }
        }
        if joined.len() > 1 {
            joined.retain(|item| match item {
                Item::Text(text, explicit) => *explicit || !text.chars().all(is_blank),
                _ => true,
            });
        }
        joined
    }
}

/// Members of an object. Members with one name become a list.
#[derive(Default)]
struct Members(Vec<(String, Vec<Json>)>);

impl Members {
    fn add(&mut self, name: &str, value: Json) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.0.push((name.to_owned(), vec![value])),
        }
    }

    fn object(self) -> Json {
        let member = |(name, mut values): (String, Vec<Json>)| match values.len() {
            1 => (name, values.remove(0)),
            _ => (name, Json::List(values)),
        };
        Json::Object(self.0.into_iter().map(member).collect())
    }
}

fn is_number(text: &str) -> bool {
    let whole = text.parse::<i128>().is_ok_and(|number| number.to_string() == text);
    let point = text.contains('.');
    whole || point && text.parse::<f64>().is_ok_and(|number| number.to_string() == text)
}
