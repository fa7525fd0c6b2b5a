//! The format that is taken where none is said: of the process, of a client, of a request. In a
//! process of its own, since the first of them is everybody's.

use patchwire::{Format, Schema, Spec};

#[test]
fn a_request_comes_before_a_client_and_a_client_before_the_process() {
    let schema = Schema::from_output_dsl_text(r#"{"html": "str", "notes": "str"}"#).unwrap();
    let built = || Spec::builder().schema(schema.clone()).build().unwrap().format();
    assert_eq!(built(), Format::Json);
    Format::Auto.set_default();
    assert_eq!(built(), Format::XmlField);
    assert_eq!((Spec::json().format(), Spec::strict_json().format()), (Format::Json, Format::Json));
    let client = Spec::builder().format(Format::Hybrid);
    let spec = client.clone().schema(schema.clone()).build().unwrap();
    assert_eq!(spec.format(), Format::Hybrid);
    let spec = client.schema(schema.clone()).format(Format::YamlLiteral).build().unwrap();
    assert_eq!(spec.format(), Format::YamlLiteral);
    Format::Json.set_default();
    assert_eq!(built(), Format::Json);
}
