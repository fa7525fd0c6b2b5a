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
        plain: String::new(),
        tags: false,
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
    /// The text since the last tag, with a `&` for each entity.
    plain: String,
    /// Whether a tag was read.
    tags: bool,
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
            if matches!(tag, Tag::Opener { .. } | Tag::Closer(_)) {
                self.plain.clear();
                self.tags = true;
            }
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
            self.plain.push('&');
            return (char.to_string(), true);
        }
        let char = self.chars[self.at];
        self.plain.push(char);
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
        let sections = [
            section("<!--", "-->").map(|(content, len)| (Tag::Comment(content), len)),
            section("<![CDATA[", "]]>").map(|(content, len)| (Tag::Cdata(content), len)),
        ];
        if let Some((tag, len)) = sections.into_iter().flatten().next() {
            return self.counts(&tag).then_some((tag, len));
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
        let in_code = self.rules.known.is_none() && is_code(&self.plain, !self.tags);
        match tag {
            Tag::Closer(name) if in_code => self.open.contains(name),
            Tag::Opener { .. } | Tag::Comment(_) | Tag::Cdata(_) if in_code => false,
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

/// Whether what follows a text is in a fence or a code span. `is_first`: whether the text begins the body.
fn is_code(text: &str, is_first: bool) -> bool {
    let mut fence: Option<String> = None;
    let mut lines: Vec<&str> = text.split('\n').collect();
    let last = lines.pop().unwrap_or_default();
    let mut blank = is_first;
    for line in lines {
        let line = line.replace('\r', "");
        fence = match fence {
            Some(open) => (!closes(&line, &open)).then_some(open),
            None => opened(&line).and_then(|(run, info)| {
                let encloses = blank && ["", "xml"].contains(&&*info.to_lowercase());
                (!encloses).then_some(run)
            }),
        };
        blank &= without_marks(&line).is_empty();
    }
    fence.is_some() || in_span(&last.replace('\r', ""))
}

/// The text of a line behind the marks of lists and quotes.
fn without_marks(line: &str) -> &str {
    let mut rest = line.trim_start_matches([' ', '\t']);
    loop {
        let digits = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        let mark = match rest.len() - digits.len() {
            0 => rest.strip_prefix(['-', '*', '+']),
            1..=9 => digits.strip_prefix(['.', ')']),
            _ => None,
        };
        let after = mark.filter(|after| after.starts_with([' ', '\t', '>']));
        let Some(after) = after.or_else(|| rest.strip_prefix('>').filter(|it| quoted_on(it)))
        else {
            return rest;
        };
        rest = after.trim_start_matches([' ', '\t']);
    }
}

/// A space or another quote follows the mark of a quote.
fn quoted_on(after: &str) -> bool {
    after.starts_with([' ', '\t', '>'])
}

/// The run and the info string of a line that opens a fence.
fn opened(line: &str) -> Option<(String, &str)> {
    let text = without_marks(line);
    let mark = text.chars().next().filter(|mark| "`~".contains(*mark))?;
    let info = text.trim_start_matches(mark);
    let run = &text[..text.len() - info.len()];
    let fits = run.len() >= 3 && !(mark == '`' && info.contains('`'));
    fits.then(|| (run.to_owned(), info.trim_matches([' ', '\t'])))
}

fn closes(line: &str, open: &str) -> bool {
    let run = line.trim_start_matches([' ', '\t', '>']).trim_end_matches([' ', '\t']);
    run.starts_with(open) && run.trim_start_matches(&open[..1]).is_empty()
}

/// Whether a line ends in a code span that it opened.
fn in_span(line: &str) -> bool {
    let mut open = 0;
    for run in line.split(|char| char != '`').filter(|run| !run.is_empty()) {
        open = match open {
            0 => run.len(),
            open if open == run.len() => 0,
            open => open,
        };
    }
    open > 0
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
    let (open, plain) = (Vec::new(), String::new());
    let mut reader =
        Reader { chars, at: 0, fresh: false, start: false, open, plain, tags: true, rules };
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
