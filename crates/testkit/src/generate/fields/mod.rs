//! Texts in the formats that write an object as fields: well-formed ones with their meaning, and spoilt
//! ones.

pub mod rough;
pub mod sections;
pub mod spoilt;
pub mod texts;
pub mod xml_field;
pub mod yaml;

use super::Rng;
use super::json;
use crate::oracle::fields::{Format, Schema, Type};
use crate::oracle::{Json, strict};

pub use spoilt::spoilt;

/// A well-formed text, and its meaning.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The declared fields.
    pub schema: Schema,
    /// The text.
    pub text: String,
    /// The values of the declared fields, in the order of the text.
    pub fields: Vec<(String, Json)>,
}

impl Sample {
    /// The fields as an object.
    #[must_use]
    pub fn object(&self) -> Json {
        Json::Object(self.fields.clone())
    }
}

/// A well-formed text of a format.
pub fn sample(rng: &mut Rng, format: Format) -> Sample {
    match format {
        Format::XmlField => xml_field::sample(rng),
        Format::Hybrid | Format::Markdown => sections::sample(rng, format),
        Format::YamlLiteral => {
            let shape = rng.pick(&yaml::YamlShape::ALL);
            yaml::sample(rng, shape)
        }
    }
}

/// Names of fields. Some have common beginnings, some several words.
const NAMES: [&str; 10] =
    ["a", "ab", "b", "title", "final_answer", "items", "note", "score", "x-y", "é"];

/// Some declared fields.
pub fn schema(rng: &mut Rng) -> Schema {
    let from = rng.below(NAMES.len());
    let names = (0..1 + rng.below(4)).map(|at| NAMES[(from + 3 * at) % NAMES.len()]);
    let kind = |rng: &mut Rng| if rng.once_in(2) { Type::Str } else { rng.pick(&Type::ALL) };
    Schema::new(names.map(|name| (name, kind(rng))))
}

/// The fields of a schema in random order; sometimes one is missing.
fn order(rng: &mut Rng, schema: &Schema) -> Vec<(String, Type)> {
    let mut fields = schema.0.clone();
    for at in 1..fields.len() {
        fields.swap(at, rng.below(at + 1));
    }
    if fields.len() > 1 && rng.once_in(6) {
        fields.pop();
    }
    fields
}

/// A JSON text of a type, and its value.
fn payload(rng: &mut Rng, kind: Type) -> (String, Json) {
    loop {
        let shape = json::JsonShape { repeats: 0, ..json::JsonShape::SMALL };
        let text = match kind {
            Type::List | Type::Dict => json::container(rng, shape),
            Type::Int => rng.pick(&["0", "-7", "12", "9007199254740993", "3.0"]).to_owned(),
            _ => json::document(rng, shape),
        };
        if let Ok(value) = strict::read(text.as_bytes(), 64)
            && kind.fits(&value)
        {
            return (text, value);
        }
    }
}

/// A text with the other kind of line end.
fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}
