//! Settings in levels: of an application, of a client, of a request.

use patchwire::spec::{Roots, Unwrap};
use patchwire::{Format, Leniency, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet};

fn schema() -> Schema {
    Schema::from_output_dsl_text(r#"{"html": "str", "notes": "str"}"#).unwrap()
}

fn format(builder: SpecBuilder) -> Format {
    builder.build().unwrap().format()
}

#[test]
fn a_request_overrides_a_client_and_a_client_overrides_the_application() {
    let application = Spec::builder().format(Format::Auto);
    let client = Spec::builder().format(Format::Hybrid);
    let request = Spec::builder().schema(schema());
    assert_eq!(format(request.clone()), Format::Json);
    assert_eq!(format(request.clone().or(&application)), Format::XmlField);
    assert_eq!(format(request.clone().or(&client).or(&application)), Format::Hybrid);
    let own = request.format(Format::YamlLiteral);
    assert_eq!(format(own.or(&client).or(&application)), Format::YamlLiteral);
    assert_eq!((Spec::json().format(), Spec::strict_json().format()), (Format::Json, Format::Json));
}

/// Merging is associative, so levels may be merged ahead.
#[test]
fn levels_may_be_merged_ahead() {
    let application = Spec::builder().format(Format::Auto).strictness(Strictness::Strict);
    let client = Spec::builder().strictness(Strictness::Lenient);
    let request = Spec::builder().schema(schema());
    let one = request.clone().or(&client).or(&application).build().unwrap();
    let other = request.or(&client.or(&application)).build().unwrap();
    for spec in [one, other] {
        assert_eq!(spec.format(), Format::XmlField);
        let answer = spec.parse("Sure!\n<field name=\"html\">a</field>").unwrap();
        assert_eq!(answer.value().get("html").and_then(|it| it.as_str()), Some("a"));
    }
}

fn value(builder: SpecBuilder, text: &str) -> String {
    builder.build().unwrap().parse(text).unwrap().value().to_string()
}

#[test]
fn every_setting_comes_from_the_first_level_that_has_it() {
    let json = || Spec::builder().format(Format::Json);
    let text = r#"{"a": 1} {"a": 2}"#;
    let last = json().roots(Roots::Last);
    assert_eq!(value(json().or(&last), text), r#"{"a":2}"#);
    assert_eq!(value(json().roots(Roots::First).or(&last), text), r#"{"a":1}"#);

    let bare = json().without_tags();
    let reasoning = |builder: SpecBuilder| {
        let answer = builder.build().unwrap().parse("<think>Hm.</think>[1]").unwrap();
        answer.reasoning().to_owned()
    };
    assert_eq!(reasoning(json().or(&bare)), "");
    assert_eq!(reasoning(json().tags(TagSet::think()).or(&bare)), "Hm.");

    let shallow = json().limits(Limits::default().with(Limit::Depth, 1));
    assert!(json().or(&shallow).build().unwrap().parse("[[1]]").is_err());
    let deeper = json().limits(Limits::default()).or(&shallow);
    assert_eq!(value(deeper, "[[1]]"), "[[1]]");

    let named = Spec::builder().format(Format::XmlField).root_tag("report");
    let text = "<report>\n<field name=\"a\">x</field>\n</report>";
    assert_eq!(value(Spec::builder().or(&named), text), r#"{"a":"x"}"#);
}

#[test]
fn settings_that_add_up_are_joined() {
    let client = Spec::builder().ensure("a").forbid(Leniency::SingleQuotes).without_raw();
    let spec = Spec::builder().ensure("b").or(&client).build().unwrap();
    let answer = spec.parse(r#"{"c": 1}"#).unwrap();
    let failures: Vec<String> = answer.failures().iter().map(ToString::to_string).collect();
    assert_eq!(failures, ["b is missing", "a is missing"]);
    assert!(answer.raw().is_none());
    assert_ne!(spec.parse("{'a': 1}").unwrap().value().to_string(), r#"{"a":1}"#);

    // If a field has two settings, that of the request counts.
    let client = Spec::builder().format(Format::XmlField).unwrap_fence_of("a", Unwrap::Always);
    let request = Spec::builder().unwrap_fence_of("a", Unwrap::Never);
    let text = "<field name=\"a\">\n```\nx\n```\n</field>";
    assert_eq!(value(request.or(&client), text), r#"{"a":"```\nx\n```"}"#);
    assert_eq!(value(client, text), r#"{"a":"x"}"#);
}
