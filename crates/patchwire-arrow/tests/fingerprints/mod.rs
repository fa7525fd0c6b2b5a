//! No change goes unseen: columns of texts that a seed writes, read under schemas that it writes too, as numbers.
//! `crates/patchwire/tests/fingerprints` says what the numbers mean, and how a change that is meant writes them again.

mod made;
#[path = "../../../patchwire/tests/fingerprints/numbers.rs"]
mod numbers;

use core::fmt::Write;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray, StructArray};
use arrow_schema::{DataType, Field};
use patchwire::{Format, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet};
use patchwire_arrow::{BatchParser, JSON_KEY};

use crate::oracle::rows;
use numbers::{Random, compare_seeded};

fn spec(random: &mut Random) -> (String, SpecBuilder) {
    let schema = made::schema(random);
    let builder = match random.below(10) {
        0 => return ("none".to_owned(), Spec::builder()),
        1 => return ("tags".to_owned(), Spec::builder().tags(TagSet::hermes_json())),
        2 => Spec::builder().format(Format::XmlField),
        _ => Spec::builder(),
    };
    let read = Schema::from_text(&schema).expect("it is a schema");
    let builder = builder.schema(read);
    (schema, builder)
}

fn varied(builder: SpecBuilder, random: &mut Random) -> SpecBuilder {
    match random.below(10) {
        0 | 1 => builder.without_alignment(),
        2 => builder.limits(Limits::default().with(Limit::Total, random.below(60) as u64)),
        3 => builder.valid(true).ensure("a"),
        4 => builder.strictness(Strictness::Strict),
        5 => builder.without_value(),
        _ => builder,
    }
}

/// Strings in one of their layouts, whole or as a slice.
fn column(texts: &[Option<String>], random: &mut Random) -> ArrayRef {
    let all = || texts.iter().map(Option::as_deref);
    let column: ArrayRef = match random.below(3) {
        0 => Arc::new(all().collect::<StringArray>()),
        1 => Arc::new(all().collect::<LargeStringArray>()),
        _ => Arc::new(all().collect::<StringViewArray>()),
    };
    let from = random.below(4).saturating_sub(2);
    column.slice(from, column.len() - from)
}

/// The type of a field, with the mark of JSON text.
fn append_type(field: &Field, out: &mut String) {
    let mark = field.metadata().get(JSON_KEY);
    write!(out, "{}{}{mark:?}", field.name(), field.is_nullable()).unwrap();
    match field.data_type() {
        DataType::List(item) => {
            out.push('[');
            append_type(item, out);
            out.push(']');
        }
        DataType::Struct(fields) => {
            out.push('{');
            fields.iter().for_each(|field| append_type(field, out));
            out.push('}');
        }
        other => write!(out, ":{other}").unwrap(),
    }
}

fn shown(parser: &BatchParser, answers: &StructArray) -> String {
    let mut out = String::new();
    append_type(&Field::new("", parser.data_type(), true), &mut out);
    assert_eq!(&parser.data_type(), answers.data_type());
    for row in 0..answers.len() {
        writeln!(out, "\n{}", rows::json(answers, row)).unwrap();
    }
    // Under a null lies nothing that differs.
    for column in answers.columns() {
        write!(out, "{} {} ", column.len(), column.null_count()).unwrap();
    }
    out
}

#[test]
fn columns() {
    compare_seeded(["read", "columns"], [90, 10], |random| {
        let (schema, builder) = spec(random);
        // Some settings exclude others.
        let spec = varied(builder, random).build().unwrap_or_else(|_| Spec::json());
        let texts = (0..2 + random.below(5)).map(|_| made::text(random));
        let texts: Vec<Option<String>> = texts.collect();
        let parser = BatchParser::new(&spec).with_threads(random.below(3));
        match parser.parse(&*column(&texts, random)) {
            Ok(answers) => format!("{schema} {texts:?}\n{}", shown(&parser, &answers)),
            Err(error) => error.to_string(),
        }
    });
}

/// Columns that are read on several threads, part by part.
#[test]
fn parts_of_columns() {
    compare_seeded(["read", "parts"], [4, 3], |random| {
        let (schema, builder) = spec(random);
        let spec = builder.build().unwrap_or_else(|_| Spec::json());
        let texts = (0..40).map(|_| {
            let text = made::text(random)?;
            Some(format!("{}{text}", " ".repeat(random.below(10_000))))
        });
        let texts: Vec<Option<String>> = texts.collect();
        let parser = BatchParser::new(&spec).with_threads(2);
        let answers = parser.parse(&*column(&texts, random)).expect("the column can be read");
        schema + &shown(&parser, &answers)
    });
}
