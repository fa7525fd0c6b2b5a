//! The tool calls of an answer as one list, whatever tag set read them.
//!
//! A family of the tag set says how its elements are calls ([`CallForm`]); most say nothing, because the
//! parameters of the opener, the body and the elements inside show it. Calls are collected at the end, and whenever a caller asks for those so far.

mod arguments;
mod gemma;
mod nested;
mod python;
mod shapes;
mod slips;
pub(super) mod so_far;

use std::collections::HashMap;

use crate::answer::{Answer, Call, Element, Outcome};
use crate::document::{Document, ValueKind, ValueRef};
use crate::event::CloseReason;
use crate::notice::OwnedNotice;
use crate::spec::Settings;
use crate::tags::{BareCalls, BodyFormat, CallForm, Family};
use arguments::{ArgumentReader, CallText, Declared, FoundArguments};
use nested::TextCall;
use shapes::CallShape;
use slips::Slips;

/// The calls of an answer, in the order in which they began.
pub(super) fn list(answer: &Answer, settings: &Settings) -> Vec<Call> {
    collect(answer, settings, false)
}

/// `is_growing`: whether more may follow, so that a name without its end is not known yet.
fn collect(answer: &Answer, settings: &Settings, is_growing: bool) -> Vec<Call> {
    let Some(tags) = &settings.tags else { return Vec::new() };
    if !settings.keep_value {
        return Vec::new();
    }
    let reader = ArgumentReader { settings };
    let slips = Slips::of(answer);
    let mut all = CallList { calls: Vec::new(), reader, slips, is_growing };
    for element in answer.elements() {
        if let Some(family) = element.family() {
            all.take(&element, family);
        }
    }
    all.take_bare(answer, tags.bare_calls());
    all.calls
}

struct CallList<'a> {
    calls: Vec<Call>,
    reader: ArgumentReader<'a>,
    slips: Slips<'a>,
    is_growing: bool,
}

/// What is known of a call without its arguments.
struct Head<'a> {
    id: Option<String>,
    name: String,
    element: Option<&'a Element<'a>>,
    is_cut: bool,
    /// What was repaired in the call.
    slips: Vec<OwnedNotice>,
}

impl<'a> Head<'a> {
    /// A call in a syntax of its own, which has no notices in its element.
    fn of(call: &TextCall, element: Option<&'a Element<'a>>) -> Self {
        let slips = call.slip.map(OwnedNotice::of).into_iter().collect();
        Self { id: None, name: call.name.clone(), element, is_cut: !call.is_complete, slips }
    }
}

impl CallList<'_> {
    fn take(&mut self, element: &Element<'_>, family: &Family) {
        match family.call_form() {
            CallForm::None => {}
            CallForm::Auto => self.take_auto(element, family),
            CallForm::Python => {
                let calls = python::calls(&own_text(element), false);
                match calls.is_empty() {
                    true => self.take_text(element, family),
                    false => self.take_texts(element, &calls),
                }
            }
            CallForm::Gemma => self.take_texts(element, &gemma::calls(&own_text(element))),
            CallForm::Text => {
                let text = element.text();
                let name = named(element, family).unwrap_or_else(|| element.name().to_owned());
                let head = self.head(element, family, name);
                self.push(head, CallText::Plain(&text));
            }
        }
    }

    /// A call whose parameters, body or inner elements show what it is.
    fn take_auto(&mut self, element: &Element<'_>, family: &Family) {
        let has_roots = element.roots().next().is_some();
        if let Some(name) = named(element, family).or_else(|| self.name_inside(element)) {
            let parameters = self.parameters(element, &name);
            let head = self.head(element, family, name);
            match &parameters {
                Some(parameters) => self.push(head, CallText::Document(parameters)),
                None => self.push_body(head, element, family),
            }
        } else if has_roots {
            let roots: Vec<_> = element.roots().collect();
            for (at, root) in roots.iter().enumerate() {
                self.take_shapes(element, *root, at + 1 == roots.len());
            }
        } else if element.children().any(|child| child.channel() == "arg") {
            let text = element.text();
            let name = text.split_whitespace().next().unwrap_or("");
            let parameters = self.parameters(element, name).filter(|_| !name.is_empty());
            if let Some(parameters) = parameters {
                let head = self.head(element, family, name.to_owned());
                self.push(head, CallText::Document(&parameters));
            }
        } else if element.children().next().is_none() {
            self.take_text(element, family);
        }
    }

    /// The arguments that are elements, by the schema of the tool.
    fn parameters(&self, element: &Element<'_>, tool: &str) -> Option<Document> {
        let declared = Declared::of(self.reader.settings.tools.get(tool));
        arguments::of_elements(element, declared)
    }

    /// The text of the element in channel `name` inside an element.
    fn name_inside(&self, element: &Element<'_>) -> Option<String> {
        let name = element.children().find(|child| child.channel() == "name")?;
        let is_known = !self.is_growing || name.reason() != CloseReason::EndOfInput;
        is_known.then(|| name.text().trim().to_owned())
    }

    /// A call whose arguments are the body of its element, or of the element in channel `arguments` inside.
    fn push_body(&mut self, head: Head<'_>, element: &Element<'_>, family: &Family) {
        let inside = element.children().find(|child| child.channel() == "arguments");
        let body = inside.as_ref().unwrap_or(element);
        let text = body.text();
        match body.roots().next() {
            Some(root) => match root.as_str() {
                Some(text) => self.push(head, CallText::Json(text)),
                None => self.push(head, CallText::Value(root)),
            },
            None if inside.is_none() && family.body() == BodyFormat::Mixed => {
                self.push(head, CallText::None);
            }
            None => self.push(head, CallText::Json(&text)),
        }
    }

    /// Calls in the values of a body: objects with a name and arguments, and lists of them.
    /// `is_last`: whether the value is the last of the body.
    fn take_shapes(&mut self, element: &Element<'_>, root: ValueRef<'_>, is_last: bool) {
        if let Some(text) = root.as_str() {
            return self.take_named_text(element, text);
        }
        let shapes: Vec<CallShape<'_>> = shapes::all(root);
        let last = shapes.len().saturating_sub(1);
        let knows = self.knows();
        let is_list = root.kind() == ValueKind::List;
        let mut slips = if is_list { self.slips.by_item(element) } else { HashMap::new() };
        for (at, shape) in shapes.into_iter().enumerate().filter(|(_, it)| knows(it)) {
            let own = is_list.then(|| slips.remove(&at).unwrap_or_default());
            let head = Head {
                id: shape.id.map(str::to_owned),
                name: shape.name.to_owned(),
                element: Some(element),
                is_cut: at == last && is_last && self.is_cut(element),
                slips: own.unwrap_or_else(|| self.slips.in_body(element)),
            };
            self.push_shape(head, &shape);
        }
    }

    /// Tells whether the name of a call is known.
    fn knows(&self) -> impl Fn(&CallShape<'_>) -> bool + use<> {
        let is_growing = self.is_growing;
        move |shape| shape.is_named || !is_growing
    }

    fn push_shape(&mut self, head: Head<'_>, shape: &CallShape<'_>) {
        match shape.arguments {
            None => self.push(head, CallText::None),
            Some(value) if value.is_null() => self.push(head, CallText::None),
            Some(value) => match value.as_str() {
                Some(text) => self.push(head, CallText::Json(text)),
                None => self.push(head, CallText::Value(value)),
            },
        }
    }

    /// An element that is text: JSON, a name with JSON behind it, or a name alone.
    fn take_text(&mut self, element: &Element<'_>, family: &Family) {
        let text = own_text(element);
        let text = text.trim();
        if text.starts_with(['{', '[']) {
            if let Some(answer) = self.reader.roots_of(text) {
                let roots: Vec<_> = answer.roots().collect();
                for (at, root) in roots.iter().enumerate() {
                    self.take_shapes(element, *root, at + 1 == roots.len());
                }
            }
        } else if !text.is_empty() && text.chars().all(is_name_char) {
            let is_known = !self.is_growing || element.reason() != CloseReason::EndOfInput;
            if is_known {
                let head = self.head(element, family, text.to_owned());
                self.push(head, CallText::None);
            }
        } else {
            self.take_named_text(element, text);
        }
    }

    /// `name{…}`, as some servers print calls, or `name.call(a="x")`, as Llama calls its own tools.
    fn take_named_text(&mut self, element: &Element<'_>, text: &str) {
        let brace = text.find('{').unwrap_or(text.len());
        if text[..brace].contains('(') {
            let mut calls = python::calls(text, false);
            for call in &mut calls {
                let name = call.name.strip_suffix(".call").unwrap_or(&call.name);
                call.name = name.to_owned();
            }
            return self.take_texts(element, &calls);
        }
        if brace == text.len() {
            return;
        }
        let name = text[..brace].trim();
        if !name.is_empty() && name.chars().all(is_name_char) {
            let (id, name, is_cut) = (None, name.to_owned(), self.is_cut(element));
            let slips = self.slips.in_body(element);
            let head = Head { id, name, element: Some(element), is_cut, slips };
            self.push(head, CallText::Json(&text[brace..]));
        }
    }

    fn take_texts(&mut self, element: &Element<'_>, calls: &[TextCall]) {
        for call in calls {
            self.push(Head::of(call, Some(element)), CallText::Document(&call.arguments));
        }
    }

    /// Calls that the answer itself is, without markers.
    fn take_bare(&mut self, answer: &Answer, form: BareCalls) {
        match form {
            BareCalls::None => {}
            BareCalls::Json => {
                let text = shapes::unfenced(outer_text(answer));
                let Some(answer) = self.reader.roots_of(&text) else { return };
                // Prose behind a call: the call is an example.
                if shapes::has_prose(answer.text()) {
                    return;
                }
                let is_cut = answer.outcome() == Outcome::Truncated;
                let roots: Vec<_> = answer.roots().collect();
                for (at, root) in roots.iter().enumerate() {
                    self.take_exact(*root, is_cut && at + 1 == roots.len());
                }
            }
            BareCalls::Python => {
                let text = shapes::unfenced(outer_text(answer));
                for call in python::calls(&text, true) {
                    self.push(Head::of(&call, None), CallText::Document(&call.arguments));
                }
            }
        }
    }

    /// The objects in a root that are calls and nothing else.
    fn take_exact(&mut self, root: ValueRef<'_>, is_cut: bool) {
        let shapes = shapes::all(root);
        let last = shapes.len().saturating_sub(1);
        let knows = self.knows();
        let exact = shapes.iter().enumerate().filter(|(_, it)| it.is_exact && knows(it));
        for (at, shape) in exact {
            let (id, name) = (shape.id.map(str::to_owned), shape.name.to_owned());
            let is_cut = is_cut && at == last;
            let head = Head { id, name, element: None, is_cut, slips: Vec::new() };
            self.push_shape(head, shape);
        }
    }

    fn head<'a>(&self, element: &'a Element<'a>, family: &Family, name: String) -> Head<'a> {
        let id = family.call.id.as_deref().and_then(|id| filled(id, element));
        let id = id.or_else(|| element.params().get("id").map(|id| id.trim().to_owned()));
        let (is_cut, slips) = (self.is_cut(element), self.slips.in_body(element));
        Head { id, name, element: Some(element), is_cut, slips }
    }

    /// Whether the input ended in the element, and not after the end of its JSON.
    fn is_cut(&self, element: &Element<'_>) -> bool {
        if element.is_cut_inside() {
            return true;
        }
        let is_open = element.reason() == CloseReason::EndOfInput;
        let is_whole = || {
            let read = self.reader.parsed(&own_text(element));
            read.is_some_and(|read| read.outcome() != Outcome::Truncated)
        };
        is_open && !(element.document().is_some() && is_whole())
    }

    fn push(&mut self, head: Head<'_>, text: CallText<'_>) {
        let is_text = matches!(text, CallText::Plain(_));
        let found = FoundArguments { text, is_cut: head.is_cut, slips: head.slips };
        let mut arguments = self.reader.arguments(&head.name, found);
        let is_cut = head.element.is_some_and(Element::is_cut_inside);
        // A text that is JSON may be whole where the call around it is not.
        if is_cut && arguments.outcome() != Outcome::Failed {
            arguments = arguments.with_calls(Vec::new(), Outcome::Truncated);
        }
        self.calls.push(Call {
            id: head.id.filter(|id| !id.is_empty()),
            name: head.name,
            element: head.element.map(Element::id),
            document: head.element.and_then(Element::document),
            is_text,
            arguments,
        });
    }
}

/// The name that the parameters of the opener give.
fn named(element: &Element<'_>, family: &Family) -> Option<String> {
    if let Some(name) = &family.call.name {
        return filled(name, element);
    }
    if let Some(name) = element.params().get("name") {
        return Some(name.trim().to_owned());
    }
    // `functions.weather:0`, as Kimi writes identifiers.
    let id = element.params().get("id")?.trim();
    let (name, number) = id.rsplit_once(':').unwrap_or((id, ""));
    let name = if number.bytes().all(|byte| byte.is_ascii_digit()) { name } else { id };
    Some(name.strip_prefix("functions.").unwrap_or(name).to_owned())
}

/// A template with the parameters of an element: `functions.{name}:{index}`. None if one is missing.
fn filled(template: &str, element: &Element<'_>) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (param, after) = after.split_once('}')?;
        out.push_str(before);
        out.push_str(element.params().get(param)?.trim());
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// The bytes of an element's body as text, quotes and escapes included.
fn own_text(element: &Element<'_>) -> String {
    match element.raw() {
        Some(raw) => String::from_utf8_lossy(raw).into_owned(),
        None => element.text().into_owned(),
    }
}

/// The text outside elements, and payloads in it. Without the raw text, the answer's text.
fn outer_text(answer: &Answer) -> String {
    let Some(raw) = answer.raw() else { return answer.text().to_owned() };
    let (mut out, mut from) = (Vec::new(), 0);
    for element in answer.elements().filter(|element| element.parent().is_none()) {
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).clamp(from, raw.len());
        out.extend_from_slice(&raw[from..at(element.span().start)]);
        from = at(element.span().end);
    }
    out.extend_from_slice(&raw[from..]);
    String::from_utf8_lossy(&out).into_owned()
}

fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':')
}
