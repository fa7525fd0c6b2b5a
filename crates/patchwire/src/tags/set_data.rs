//! Tag sets as data: the shape of their TOML and JSON form.

use core::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::family::{
    Anchor, Attributes, BareCalls, BodyFormat, CallForm, Channel, Family, FamilyBody, FamilyCall,
    Guards, InReasoning, LetterCase, MarkerPolicy, MarkerSyntax, OnMismatch, OnReopen, OnStray,
    Visibility,
};
use super::tag_set::TagSetError;
use crate::lex::marker::{ByteSet, PARAM_CAP, ParamRule};

/// A tag set in its written form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetData {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) include: Vec<String>,
    pub(super) case: Option<LetterCase>,
    pub(super) guards: Option<Guards>,
    pub(super) stray: Option<OnStray>,
    #[serde(default)]
    pub(super) comments: bool,
    #[serde(default)]
    pub(super) bare_calls: BareCalls,
    #[serde(default)]
    pub(super) family: Vec<FamilyData>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FamilyData {
    name: String,
    open: OneOrMore,
    close: Option<OneOrMore>,
    channel: String,
    visible: Option<Visibility>,
    #[serde(default)]
    body: BodyFormat,
    group: Option<String>,
    #[serde(default)]
    within: Vec<String>,
    same: Option<OnReopen>,
    #[serde(default)]
    inside: InReasoning,
    case: Option<LetterCase>,
    #[serde(default)]
    blanks: bool,
    #[serde(default)]
    attributes: Attributes,
    #[serde(default)]
    mismatch: OnMismatch,
    stray: Option<OnStray>,
    guard_closers: Option<YesNo>,
    #[serde(default)]
    params: Params,
    #[serde(default)]
    at: Anchor,
    then: Option<OneOrMore>,
    named_by: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    any_key: bool,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    typed: bool,
    #[serde(default)]
    call: CallForm,
    call_name: Option<String>,
    call_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum YesNo {
    Yes,
    No,
}

/// The rules of parameters, sorted by name. There are few of them.
#[derive(Debug, Default)]
struct Params(Vec<(String, ParamData)>);

impl Params {
    /// The last rule of a name counts.
    fn insert(&mut self, name: String, rule: ParamData) {
        let at = self.0.partition_point(|(known, _)| *known < name);
        match self.0.get_mut(at) {
            Some((known, before)) if *known == name => *before = rule,
            _ => self.0.insert(at, (name, rule)),
        }
    }
}

impl<'de> Deserialize<'de> for Params {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ParamsVisitor)
    }
}

struct ParamsVisitor;

impl<'de> Visitor<'de> for ParamsVisitor {
    type Value = Params;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params, A::Error> {
        let mut params = Params::default();
        while let Some((name, rule)) = map.next_entry()? {
            params.insert(name, rule);
        }
        Ok(params)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParamData {
    allow: Option<String>,
    cap: Option<u16>,
}

impl OneOrMore {
    fn all(self) -> Vec<String> {
        match self {
            Self::One(one) => vec![one],
            Self::More(more) => more,
        }
    }
}

impl FamilyData {
    /// The family. `case` is the default of the set.
    pub(super) fn family(self, case: Option<LetterCase>) -> Result<Family, TagSetError> {
        let name = self.name;
        let params = self.params.0.into_iter().map(|(param, data)| data.rule(&name, param));
        let params = params.collect::<Result<_, _>>()?;
        Ok(Family {
            name,
            channel: Channel::of(&self.channel),
            visible: self.visible,
            named_by: self.named_by,
            comment: false,
            syntax: MarkerSyntax {
                open: self.open.all(),
                close: self.close.map_or_else(Vec::new, OneOrMore::all),
                case: self.case.or(case),
                blanks: self.blanks,
                attributes: self.attributes,
                params,
            },
            policy: MarkerPolicy {
                group: self.group,
                within: self.within,
                same: self.same,
                inside: self.inside,
                mismatch: self.mismatch,
                stray: self.stray,
                guard_closers: self.guard_closers.map(|word| word == YesNo::Yes),
                at: self.at,
                then: self.then.map_or_else(Vec::new, OneOrMore::all).into(),
            },
            body: FamilyBody {
                format: self.body,
                keys: self.keys,
                any_key: self.any_key,
                names: self.names,
                typed: self.typed,
            },
            call: FamilyCall { form: self.call, name: self.call_name, id: self.call_id },
        })
    }
}

impl ParamData {
    fn rule(self, family: &str, name: String) -> Result<ParamRule, TagSetError> {
        let allow = match self.allow.as_deref().map(class) {
            Some(None) => {
                return Err(TagSetError::Class { family: family.to_owned(), param: name });
            }
            Some(set) => set,
            None => None,
        };
        Ok(ParamRule { name, allow, cap: self.cap.unwrap_or(PARAM_CAP) })
    }
}

/// The bytes of a class like `A-Za-z0-9_`. A dash between two bytes is a range, elsewhere itself.
fn class(text: &str) -> Option<ByteSet> {
    let bytes = text.as_bytes();
    let mut set = ByteSet::EMPTY;
    let mut at = 0;
    while at < bytes.len() {
        if let [low, b'-', high, ..] = bytes[at..] {
            if low > high || !low.is_ascii() || !high.is_ascii() {
                return None;
            }
            set = (low..=high).fold(set, ByteSet::with);
            at += 3;
        } else {
            set = set.with(bytes[at]);
            at += 1;
        }
    }
    (!set.is_empty()).then_some(set)
}

#[cfg(test)]
mod tests {
    use super::{Params, class};

    #[test]
    fn params_are_sorted_and_the_last_of_a_name_counts() {
        let data = r#"{"b": {"cap": 1}, "a": {}, "c": {}, "b": {"cap": 2}}"#;
        let params: Params = serde_json::from_str(data).unwrap();
        let found: Vec<_> = params.0.iter().map(|(name, rule)| (&**name, rule.cap)).collect();
        assert_eq!(found, [("a", None), ("b", Some(2)), ("c", None)]);
    }

    #[test]
    fn classes_of_bytes() {
        for (text, bytes) in [
            ("abc", Some("abc")),
            ("a-d", Some("abcd")),
            ("a-a", Some("a")),
            ("a-b1-2_", Some("12_ab")),
            ("-a", Some("-a")),
            ("a-", Some("-a")),
            ("-", Some("-")),
            ("+--", Some("+,-")),
            ("b-a", None),
            ("a-\u{e9}", None),
            ("\u{e9}-a", None),
            ("", None),
        ] {
            let found = class(text).map(|set| {
                let ascii = (0..0x80_u8).filter(|byte| set.contains(*byte));
                ascii.map(char::from).collect::<String>()
            });
            assert_eq!(found.as_deref(), bytes, "{text:?}");
        }
    }
}
