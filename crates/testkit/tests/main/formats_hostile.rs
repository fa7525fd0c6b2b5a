//! Hostile shapes of fields in tags and of YAML documents under every law. Those of sections are tested
//! with their reading modes, memory in `tests/memory`, and time by `--bin growth`.

use patchwire::{Format, Limit, Limits, Spec, SpecBuilder};
use testkit::field_agreement::declared;
use testkit::hostile::{self, Shape};
use testkit::laws;
use testkit::oracle::fields::{Schema, Type};

/// The smallest size that shows a shape: the text around it is longer in these formats.
const SMALL: usize = 120;

fn ways(format: Format) -> Vec<(&'static str, Spec)> {
    let schema = Schema::new([("a", Type::Str), ("j", Type::Any), ("k1", Type::Str)]);
    let builder = || Spec::builder().format(format).without_tags();
    let tight = || Limits::default().with(Limit::Held, 3);
    let ways: [(&str, SpecBuilder); 4] = [
        ("schema", builder().schema(declared(&schema))),
        ("free", builder()),
        ("tight", builder().schema(declared(&schema)).limits(tight())),
        ("bare", builder().schema(declared(&schema)).without_value().without_raw()),
    ];
    ways.into_iter().map(|(name, way)| (name, way.build().expect("the settings agree"))).collect()
}

fn obey(format: Format, shapes: &[Shape]) {
    for shape in shapes {
        let input = (shape.make)(SMALL);
        for (name, spec) in ways(format) {
            if let Err(why) = laws::all(&spec, &input) {
                panic!("{}, under {name}: {why}", shape.name);
            }
        }
    }
}

#[test]
fn small_hostile_fields_obey_the_laws() {
    obey(Format::XmlField, hostile::xml_field::SHAPES);
}

#[test]
fn small_hostile_documents_obey_the_laws() {
    obey(Format::YamlLiteral, hostile::yaml::SHAPES);
}
