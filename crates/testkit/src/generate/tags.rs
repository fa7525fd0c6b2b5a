//! Difficult texts for a tag set.
//!
//! JSON bodies are valid, or begin with no JSON value. The effect of a broken string is tested with the
//! JSON format.

use super::Rng;
use crate::oracle::tags::Profile;
use crate::oracle::tags::marker::{Marker, MarkerPart};
use crate::oracle::tags::profile::{Attributes, Body, Family, LetterCase};

/// The longest text, in bytes.
pub const LONGEST: usize = 400;

/// Plain text. No piece begins like a JSON value.
const PROSE: [&str; 20] = [
    "a < b and c > d",
    "vec<T>",
    "x <<= 2",
    "cat <<EOF",
    "isn't \"it\"",
    "é ◁ 漢字 🙂",
    "<",
    "<<",
    "<<<",
    "</",
    "< /",
    ">",
    "/>",
    "=",
    " ",
    "\n",
    "\r\n",
    "\t\n  ",
    "Key: value\n",
    "the end",
];

/// Values of parameters. Some of them are invalid.
const VALUES: [&str; 11] = ["a", "b", "a", "b", "web_search", "1", "a:b", "a b", "é", "", "a\nb"];

/// Lists of attributes, valid and invalid.
const ATTRIBUTES: [&str; 18] = [
    " a=\"1\"",
    " a='1' b=2",
    "\n  a=\"x > y\"\n  b='</think>'\n",
    " a = \"1\"",
    " a=\"line\nbreak\"",
    " a=\"\"",
    " _a-b:c.d=1",
    " bare",
    " bare a=1 bare",
    "  ",
    " of that program",
    " a=",
    " a=\"1\"b=\"2\"",
    " a=\"open",
    " -a=1",
    " a=b=c",
    " a==",
    "x",
];

/// The families that a text may begin inside of.
pub fn beginnings(profile: &Profile) -> impl Iterator<Item = &Family> {
    profile.families.iter().filter(|family| {
        let has_text = matches!(family.body, Body::Mixed | Body::Text | Body::Record);
        has_text && family.within.is_empty() && !family.is_void()
    })
}

/// One of these families, or none.
pub fn start_in<'p>(rng: &mut Rng, profile: &'p Profile) -> Option<&'p str> {
    let families: Vec<_> = beginnings(profile).collect();
    let starts = !families.is_empty() && rng.once_in(5);
    starts.then(|| rng.pick(&families).name.as_str())
}

/// A text of at most [`LONGEST`] bytes.
#[must_use]
pub fn text(rng: &mut Rng, profile: &Profile) -> String {
    let len = rng.pick(&[10, 40, 80, 150, LONGEST]);
    let len = rng.below(len + 1);
    let mut writer = Writer { rng, profile, out: String::new(), len };
    if writer.rng.once_in(8) {
        writer.wrapped();
    }
    while !writer.is_full() {
        writer.piece(0);
    }
    let Writer { mut out, .. } = writer;
    out.truncate(boundary(&out, len));
    out
}

/// The last character boundary up to `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

struct Writer<'r, 'p> {
    rng: &'r mut Rng,
    profile: &'p Profile,
    out: String,
    len: usize,
}

impl<'p> Writer<'_, 'p> {
    fn is_full(&self) -> bool {
        self.out.len() >= self.len
    }

    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn prose(&mut self) {
        let prose = self.rng.pick(&PROSE);
        self.push(prose);
    }

    fn piece(&mut self, depth: usize) {
        match self.rng.below(20) {
            0..=3 => self.prose(),
            4..=8 => self.element(depth),
            9..=10 => self.lone_opener(),
            11..=12 => self.lone_closer(),
            13 => self.cut_marker(),
            14 => self.slipped_marker(),
            15..=16 => self.span(),
            17..=18 => self.fence(),
            _ => self.comment(),
        }
    }

    // Elements.

    fn family(&mut self) -> Option<&'p Family> {
        let families = &self.profile.families;
        (!families.is_empty()).then(|| &families[self.rng.below(families.len())])
    }

    /// A family that counts inside another, if there is one.
    fn family_in(&mut self, around: Option<&Family>) -> Option<&'p Family> {
        let inner: Vec<_> = self
            .profile
            .families
            .iter()
            .filter(|family| around.is_some_and(|around| family.within.contains(&around.name)))
            .collect();
        if inner.is_empty() || self.rng.once_in(3) {
            self.family()
        } else {
            Some(self.rng.pick(&inner))
        }
    }

    fn element(&mut self, depth: usize) {
        if let Some(family) = self.family() {
            self.element_of(family, depth);
        }
    }

    fn element_of(&mut self, family: &'p Family, depth: usize) {
        let value = self.value();
        let opener = self.opener(family, value);
        self.push(&opener);
        self.content(family, depth);
        // Only the end of the text cuts a JSON body.
        if family.body != Body::Json && self.rng.once_in(5) {
            return;
        }
        let other = if self.rng.once_in(8) { self.value() } else { value };
        let closer = self.closer(family, other);
        self.push(&closer);
        if family.body == Body::Raw {
            let gap = self.rng.pick(&["", "", "\n", " \n ", "x"]);
            self.push(gap);
        }
    }

    fn content(&mut self, family: &'p Family, depth: usize) {
        match family.body {
            Body::Json => self.json(),
            _ if family.is_void() => {}
            _ => {
                for _ in 0..self.rng.below(4) {
                    if depth < 4 && self.rng.once_in(2) {
                        if let Some(inner) = self.family_in(Some(family)) {
                            self.element_of(inner, depth + 1);
                        }
                    } else if depth < 4 {
                        self.piece(depth + 1);
                    } else {
                        self.prose();
                    }
                }
            }
        }
    }

    /// A JSON text with markers in its strings, or plain text.
    fn json(&mut self) {
        let inner = self.any_marker();
        let text = match self.rng.below(4) {
            0 => format!("\n{}\n", serde_json::json!({ "a": inner, "b": [1, "q\" \\", inner] })),
            1 => serde_json::json!([inner, { "k<": null }]).to_string(),
            2 => " 12 ".to_owned(),
            _ => "Error: he said \"no".to_owned(),
        };
        self.push(&text);
    }

    fn lone_opener(&mut self) {
        let Some(family) = self.family() else { return };
        let value = self.value();
        let opener = self.opener(family, value);
        self.push(&opener);
        if family.body == Body::Json {
            self.push(" text");
        }
    }

    fn lone_closer(&mut self) {
        if let Some(family) = self.family() {
            let value = self.value();
            let closer = self.closer(family, value);
            self.push(&closer);
        }
    }

    // Markers.

    fn any_marker(&mut self) -> String {
        self.family().map_or_else(String::new, |family| self.marker_of(family))
    }

    fn marker_of(&mut self, family: &Family) -> String {
        let value = self.value();
        if self.rng.once_in(2) { self.opener(family, value) } else { self.closer(family, value) }
    }

    fn value(&mut self) -> &'static str {
        self.rng.pick(&VALUES)
    }

    fn opener(&mut self, family: &Family, value: &str) -> String {
        let marker = &family.open[self.rng.below(family.open.len())];
        let mut written = self.marker(family, marker, value);
        let takes = family.attributes != Attributes::None;
        if self.rng.once_in(if takes { 2 } else { 12 }) && written.ends_with('>') {
            let list = self.rng.pick(&ATTRIBUTES);
            let end = if self.rng.once_in(5) { "/>" } else { ">" };
            written.truncate(written.len() - 1);
            written.push_str(list);
            written.push_str(end);
        }
        written
    }

    fn closer(&mut self, family: &Family, value: &str) -> String {
        if family.is_void() {
            return String::from("</none>");
        }
        let marker = &family.close[self.rng.below(family.close.len())];
        self.marker(family, marker, value)
    }

    fn marker(&mut self, family: &Family, marker: &Marker, value: &str) -> String {
        let folds = family.case.unwrap_or(self.profile.case) == LetterCase::Fold;
        // The end of a JSON body must be certain.
        let may_be_wrong = family.body != Body::Json;
        let upper = (folds || may_be_wrong) && self.rng.once_in(if folds { 4 } else { 30 });
        let takes_blanks = family.blanks;
        let blanks =
            (takes_blanks || may_be_wrong) && self.rng.once_in(if takes_blanks { 3 } else { 30 });
        let mut written = String::new();
        for part in &marker.parts {
            match part {
                MarkerPart::Char(char) => {
                    let before = blanks && matches!(char, '/' | '>');
                    let behind = blanks && matches!(char, '/' | '<');
                    written.push_str(if before { " " } else { "" });
                    written.push(if upper { char.to_ascii_uppercase() } else { *char });
                    written.push_str(if behind { "\t" } else { "" });
                }
                MarkerPart::Param(name) => written.push_str(&self.param(family, name, value)),
                MarkerPart::Gap => written.push_str(&" ".repeat(self.rng.below(10))),
            }
        }
        written
    }

    fn param(&mut self, family: &Family, name: &str, value: &str) -> String {
        let cap = family.params.get(name).cloned().unwrap_or_default().cap;
        match self.rng.below(24) {
            0 => "p".repeat(cap),
            1 => "p".repeat(cap + 1),
            _ => value.to_owned(),
        }
    }

    fn cut_marker(&mut self) {
        let Some(family) = self.family() else { return };
        let marker = self.marker_of(family);
        // A whole opener of a JSON element would need a body.
        let longest = marker.len() + usize::from(family.body != Body::Json);
        let cut = boundary(&marker, self.rng.below(longest));
        self.push(&marker[..cut]);
    }

    /// A marker with one character missing, repeated or wrong.
    fn slipped_marker(&mut self) {
        let Some(family) = self.family() else { return };
        let mut chars: Vec<char> = self.marker_of(family).chars().collect();
        let at = self.rng.below(chars.len());
        match self.rng.below(3) {
            0 => drop(chars.remove(at)),
            1 => chars[at] = 'x',
            _ => chars.insert(at, chars[at]),
        }
        let slipped: String = chars.into_iter().collect();
        self.push(&slipped);
        // The result may still be an opener, such as `<<args>`.
        if family.body == Body::Json {
            self.push(" text");
        }
    }

    // Code and comments.

    /// Runs of backticks, and markers next to them.
    fn span(&mut self) {
        for _ in 0..1 + self.rng.below(3) {
            let run = self.rng.pick(&["`", "`", "``", "```"]);
            let between = self.rng.pick(&["", "", "ls", " ", "\n"]);
            let marker = if self.rng.once_in(2) { self.code_marker() } else { String::new() };
            self.push(&format!("{run}{between}{marker}"));
        }
        if self.rng.once_in(2) {
            self.push("`");
        }
    }

    /// A marker that opens no JSON element, so that any text may follow.
    fn code_marker(&mut self) -> String {
        let Some(family) = self.family().filter(|family| family.body != Body::Json) else {
            return "<b>".to_owned();
        };
        self.marker_of(family)
    }

    fn fence(&mut self) {
        let before = self.rng.pick(&["\n", "\n", "\r\n", "", "x"]);
        let indent = self.rng.pick(&["", "", "   ", "    "]);
        let run = self.rng.pick(&["```", "```", "~~~", "````", "``"]);
        let info = self.rng.pick(&["", "xml", " py a", "a`b"]);
        self.push(&format!("{before}{indent}{run}{info}\n"));
        for _ in 0..self.rng.below(3) {
            let marker = self.code_marker();
            self.push(&marker);
            self.prose();
        }
        let end = self.rng.pick(&["```", "```", "~~~", "````", "", "  ```", "``` x"]);
        let behind = self.rng.pick(&["\n", "\n", "  \n", "\r\n", ""]);
        let closer = if self.rng.once_in(3) { self.code_marker() } else { String::new() };
        self.push(&format!("\n{end}{closer}{behind}"));
    }

    fn comment(&mut self) {
        let inner = self.code_marker();
        let end = self.rng.pick(&["-->", "-->", "--", ""]);
        self.push(&format!("<!-- {inner} {end}"));
    }

    /// A whole answer inside a fence.
    fn wrapped(&mut self) {
        let before = self.rng.pick(&["", "", "\n", " "]);
        let run = self.rng.pick(&["```", "```", "~~~"]);
        let info = self.rng.pick(&["", "xml"]);
        let behind = self.rng.pick(&["\n", "\n", "\n\n", "\nx"]);
        self.push(&format!("{before}{run}{info}{behind}"));
        self.element(0);
        let end = self.rng.pick(&["\n```\n", "\n~~~\n", "\n", "```"]);
        self.push(end);
    }
}
