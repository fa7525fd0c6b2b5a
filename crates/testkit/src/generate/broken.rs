//! Answers with one or two slips, and the documents that they mean.

use super::Rng;
use super::answer::{self, with_false_ends, with_quotes};
use super::parts::{Parts, Role};
use crate::oracle::quoted;

/// A document, valid and spoilt, part by part.
#[derive(Debug, Clone)]
pub struct Draft {
    valid: Parts,
    spoilt: Parts,
    whole: Option<fn(&str) -> String>,
}

/// A kind of slip: its name, and how it spoils one part. False if it cannot.
pub type Kind = (&'static str, fn(&mut Draft, usize, &mut Rng) -> bool);

/// An answer with slips.
#[derive(Debug, Clone)]
pub struct Broken {
    /// The kinds of its slips.
    pub kinds: String,
    /// The answer.
    pub text: String,
    /// The document that it means, as valid JSON.
    pub truth: String,
}

/// How often a place for a slip is looked for.
const TRIES: usize = 40;

/// An answer with these slips; none if the document has no place for them, or is valid all the same.
pub fn answer(rng: &mut Rng, kinds: &[Kind]) -> Option<Broken> {
    let valid = Parts::of(&answer::document(rng));
    let mut draft = Draft { spoilt: valid.clone(), valid, whole: None };
    for (_, spoil) in kinds {
        draft = (0..TRIES).find_map(|_| {
            let at = rng.below(draft.valid.0.len());
            let mut next = draft.clone();
            (draft.is_untouched(at) && spoil(&mut next, at, rng)).then_some(next)
        })?;
    }
    let text = draft.spoilt.print();
    let text = draft.whole.map_or_else(|| text.clone(), |whole| whole(&text));
    let names: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
    let broken = Broken { kinds: names.join("+"), text, truth: draft.valid.print() };
    serde_json::from_str::<serde_json::Value>(&broken.text).is_err().then_some(broken)
}

impl Draft {
    fn is_untouched(&self, at: usize) -> bool {
        self.valid.0[at].text == self.spoilt.0[at].text
            && self.valid.0[at].blanks == self.spoilt.0[at].blanks
    }

    fn is(&self, at: usize, role: Role) -> bool {
        self.valid.0[at].role == role
    }

    /// The part is spoilt so.
    fn set(&mut self, at: usize, spoilt: &str) -> bool {
        spoilt.clone_into(&mut self.spoilt.0[at].text);
        true
    }

    /// The part means this and is spoilt so.
    fn rewrite(&mut self, at: usize, valid: &str, spoilt: &str) -> bool {
        valid.clone_into(&mut self.valid.0[at].text);
        self.set(at, spoilt)
    }

    fn text(&self, at: usize) -> String {
        self.valid.0[at].text.clone()
    }

    /// The text of a string without its quotes.
    fn inside(&self, at: usize) -> String {
        let text = self.text(at);
        text.get(1..text.len() - 1).unwrap_or_default().to_owned()
    }

    /// Whether the value before a part is a string.
    fn follows_text(&self, at: usize) -> bool {
        self.valid.before(at) == Some(Role::Text)
    }

    /// The part is left out, and with it the line that it begins.
    fn drop_line(&mut self, at: usize) -> bool {
        if let Some(before) = at.checked_sub(1) {
            self.spoilt.0[before].blanks.clear();
        }
        self.set(at, "")
    }

    /// Spoils the text as a whole.
    fn all(&mut self, whole: fn(&str) -> String) -> bool {
        let free = self.whole.is_none();
        self.whole = Some(whole);
        free
    }
}

/// Every kind of slip.
pub const KINDS: &[Kind] = &[
    ("inner_quotes", |it, at, rng| {
        let text = with_quotes(rng);
        it.is(at, Role::Text) && it.rewrite(at, &quoted(&text), &format!("\"{text}\""))
    }),
    ("inner_quotes_twice", |it, at, rng| {
        let next = (at + 1..it.valid.0.len()).find(|&next| it.is(next, Role::Text));
        let (one, two) = (with_quotes(rng), with_quotes(rng));
        it.is(at, Role::Text)
            && next.is_some_and(|next| it.rewrite(next, &quoted(&two), &format!("\"{two}\"")))
            && it.rewrite(at, &quoted(&one), &format!("\"{one}\""))
    }),
    ("inner_quotes_false_end", |it, at, rng| {
        let text = with_false_ends(rng);
        it.is(at, Role::Text) && it.rewrite(at, &quoted(&text), &format!("\"{text}\""))
    }),
    ("missing_closing_quote", |it, at, _| {
        let text = it.text(at);
        it.is(at, Role::Text) && it.set(at, &text[..text.len() - 1])
    }),
    ("missing_opening_quote", |it, at, _| {
        let text = it.text(at);
        it.is(at, Role::Text) && it.set(at, &text[1..])
    }),
    ("missing_comma", |it, at, _| {
        it.is(at, Role::Comma) && it.valid.0[at].blanks == " " && it.set(at, "")
    }),
    ("missing_comma_line", |it, at, _| {
        it.is(at, Role::Comma) && it.valid.0[at].blanks.contains('\n') && it.set(at, "")
    }),
    ("junk_after", |it, at, rng| {
        let junk = [" (see note)", " [sic]", "**", " <- checked", " approx.", " !!", "%"];
        let text = format!("{}{}", it.text(at), rng.pick(&junk));
        it.is(at, Role::Text) && it.set(at, &text)
    }),
    ("html_break", |it, at, _| {
        let text = format!("{}<br>", it.text(at));
        it.is(at, Role::Text) && it.set(at, &text)
    }),
    ("unicode_blank", |it, at, rng| {
        let blank = rng.pick(&["\u{a0}", "\u{200b}", "\u{3000}", "\u{feff}", "\u{2009}"]);
        it.spoilt.0[at].blanks = blank.to_owned();
        !it.is(at, Role::Scalar) && at + 1 < it.valid.0.len()
    }),
    ("stray_word", |it, at, rng| {
        let word = rng.pick(&["and ", "NOTE ", "- ", "** ", "also "]);
        let text = format!("{word}{}", it.text(at));
        it.is(at, Role::Key) && it.valid.before(at) == Some(Role::Comma) && it.set(at, &text)
    }),
    ("bare_value", |it, at, _| {
        let text = it.inside(at);
        it.is(at, Role::Text) && !text.starts_with(['{', '[']) && it.set(at, &text)
    }),
    ("bare_key", |it, at, _| {
        let text = it.inside(at);
        it.is(at, Role::Key) && it.set(at, &text)
    }),
    ("missing_bracket", |it, at, _| {
        it.text(at) == "]" && at + 1 < it.valid.0.len() && it.set(at, "")
    }),
    ("missing_brace", |it, at, _| {
        it.text(at) == "}" && at + 1 < it.valid.0.len() && it.drop_line(at)
    }),
    ("early_closer", |it, at, _| {
        it.is(at, Role::Comma) && it.valid.before(at) == Some(Role::Close) && it.set(at, "},")
    }),
    ("surplus_closer", |it, at, _| {
        let text = it.text(at).repeat(2);
        it.is(at, Role::Close) && it.set(at, &text)
    }),
    ("wrong_closer", |it, at, _| {
        let other = if it.text(at) == "]" { "}" } else { "]" };
        it.is(at, Role::Close) && it.set(at, other)
    }),
    ("key_one_quote", |it, at, rng| {
        let text = it.text(at);
        let cut = if rng.once_in(2) { &text[1..] } else { &text[..text.len() - 1] };
        it.is(at, Role::Key) && it.set(at, cut)
    }),
    ("smart_closer", |it, at, _| {
        let text = it.text(at);
        it.is(at, Role::Text) && it.set(at, &format!("{}”", &text[..text.len() - 1]))
    }),
    ("ellipsis", |it, at, rng| {
        let text = format!("{}{}", rng.pick(&[", ...", ",\n...", ", …"]), it.text(at));
        it.is(at, Role::Close) && it.valid.before(at) != Some(Role::Open) && it.set(at, &text)
    }),
    ("prose_around", |it, at, rng| {
        let last = it.valid.0.len() - 1;
        let text =
            format!("Here is the {}:{}{}", answer::word(rng), rng.pick(&[" ", "\n\n"]), it.text(0));
        let end = format!("{}\n\nTell me if you want more.", it.text(last));
        at == 0 && it.set(0, &text) && it.set(last, &end) && prose_slip(it, rng)
    }),
    ("comment", |it, at, rng| {
        let comment = rng.pick(&["// it's fine", "/* a \"b\", c */", "# see above"]);
        it.spoilt.0[at].blanks = format!(" {comment}{}", it.valid.0[at].blanks);
        let ends = it.valid.0[at].blanks.contains('\n') || comment.starts_with("/*");
        it.is(at, Role::Comma) && ends
    }),
    ("single_quotes", |it, at, _| {
        let text = it.inside(at);
        matches!(it.valid.0[at].role, Role::Text | Role::Key)
            && it.set(at, &format!("'{}'", text.replace('\'', "\\'")))
    }),
    ("thousands", |it, at, rng| {
        let (high, low) = (1 + rng.below(900), rng.below(1000));
        // In a list, `1,234` is valid JSON: two items.
        let is_slip = it.valid.before(at) == Some(Role::Colon) || low < 100;
        it.is(at, Role::Scalar)
            && is_slip
            && it.rewrite(at, &format!("{high}{low:03}"), &format!("{high},{low:03}"))
    }),
    ("python_words", |it, at, rng| {
        let (json, python) = rng.pick(&[("true", "True"), ("false", "False"), ("null", "None")]);
        it.is(at, Role::Scalar) && it.rewrite(at, json, python)
    }),
    ("full_width", |it, at, _| {
        let wide = if it.is(at, Role::Colon) { "：" } else { "，" };
        matches!(it.valid.0[at].role, Role::Colon | Role::Comma) && it.set(at, wide)
    }),
    ("escaped_once", |it, at, _| {
        let plain = !it.valid.print().contains('\\');
        at == 0 && plain && it.all(|text| text.replace('"', "\\\""))
    }),
    ("doubled_quotes", |it, at, _| {
        let plain = !it.valid.print().contains('\\');
        at == 0 && plain && it.all(|text| text.replace('"', "\"\""))
    }),
    ("equals", |it, at, rng| {
        let sign = rng.pick(&["=", " =", " =>"]);
        it.is(at, Role::Colon) && it.set(at, sign)
    }),
    ("tuple", |it, at, _| {
        let closer = it.valid.closer_of(at);
        at > 0 && it.text(at) == "[" && it.set(at, "(") && it.set(closer, ")")
    }),
    ("set", |it, at, _| {
        let closer = it.valid.closer_of(at);
        let texts = it.valid.behind(at) == Some(Role::Text);
        texts && it.text(at) == "[" && it.set(at, "{") && it.set(closer, "}")
    }),
    ("trailing_text", |it, at, rng| {
        let text = rng.pick(&["\nI hope this helps!", "\n\nNote: the \"id\" is made up.", "\n```"]);
        let last = it.valid.0.len() - 1;
        at == last && it.set(last, &format!("{}{text}", it.text(last))) && prose_slip(it, rng)
    }),
    ("fenced_value", |it, at, rng| {
        let code = format!("let {} = \"{}\";\nrun();", answer::word(rng), answer::word(rng));
        it.is(at, Role::Text) && it.rewrite(at, &quoted(&code), &format!("```js\n{code}\n```"))
    }),
    ("concatenated", |it, at, rng| {
        let (one, two) = (format!("{} ", answer::phrase(rng)), answer::phrase(rng));
        let whole = quoted(&format!("{one}{two}"));
        it.is(at, Role::Text)
            && it.rewrite(at, &whole, &format!("{} + {}", quoted(&one), quoted(&two)))
    }),
    ("semicolon", |it, at, _| it.is(at, Role::Comma) && it.follows_text(at) && it.set(at, ";")),
    ("triple_quotes", |it, at, _| {
        let text = it.text(at);
        it.is(at, Role::Text) && it.set(at, &format!("\"\"{text}\"\""))
    }),
];

/// Prose alone is no slip of JSON: one string of the answer gets quotes too.
fn prose_slip(draft: &mut Draft, rng: &mut Rng) -> bool {
    let texts = (0..draft.valid.0.len()).filter(|&at| draft.is(at, Role::Text));
    let texts: Vec<usize> = texts.filter(|&at| draft.is_untouched(at)).collect();
    let text = with_quotes(rng);
    !texts.is_empty() && {
        let at = rng.pick(&texts);
        draft.rewrite(at, &quoted(&text), &format!("\"{text}\""))
    }
}

/// Whether `part` can be a beginning of `whole`: its last value at each level may be cut.
#[must_use]
pub fn is_beginning(part: &serde_json::Value, whole: &serde_json::Value) -> bool {
    use serde_json::Value as V;
    match (part, whole) {
        (V::String(part), V::String(whole)) => whole.starts_with(part.trim_end()),
        (V::Number(part), V::Number(whole)) => whole.to_string().starts_with(&part.to_string()),
        (V::Array(part), V::Array(whole)) => {
            let cut = part.iter().zip(whole).filter(|(part, whole)| part != whole);
            let cut: Vec<_> = cut.collect();
            part.len() <= whole.len()
                && cut.len() <= 1
                && cut.iter().all(|it| is_beginning(it.0, it.1))
        }
        (V::Object(part), V::Object(whole)) => {
            let known = part.keys().all(|key| whole.contains_key(key));
            let cut = part.iter().filter_map(|(key, value)| Some((value, whole.get(key)?)));
            let cut: Vec<_> = cut.filter(|(part, whole)| part != whole).collect();
            known && cut.len() <= 1 && cut.iter().all(|it| is_beginning(it.0, it.1))
        }
        _ => part == whole,
    }
}
