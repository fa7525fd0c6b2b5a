//! The contract of structured output, statement by statement: `docs/contract.md` names these tests.

use std::collections::BTreeMap;

use patchwire::{Answer, Event, Format, Outcome, OwnedEvent, PatchOp, Schema, Spec};
use serde_json::{Value, json};

fn schema(dsl: &str) -> Schema {
    Schema::from_output_dsl_text(dsl).unwrap()
}

fn invoice() -> Schema {
    schema(
        r#"{"vendor": ["str", "vendor name", true],
            "line_items": [{"sku": ["str"], "amount": ["number"]}]}"#,
    )
}

fn netlist() -> Schema {
    schema(
        r#"{"analysis": ["str", "one paragraph design rationale", true],
            "components": [{"refdes": ["str", "reference designator", true],
                            "value": ["str", "part value", true]}],
            "nets": [{"name": ["str", "net name", true],
                      "connections": [{"refdes": ["str", "refdes", true], "pin": ["str", "pin", true]}]}]}"#,
    )
}

fn lesson() -> Schema {
    schema(
        r#"{"lesson_script": ["str", "long lesson script", true],
            "environment_checklist": [{"item": ["str"], "why": ["str"], "command": ["str"]}],
            "final_confirmation": ["str", "one sentence", true]}"#,
    )
}

fn page() -> Schema {
    schema(r#"{"html": ["str", "complete HTML document"], "notes": ["str", "short notes"]}"#)
}

fn update() -> Schema {
    schema(
        r#"{"status_summary": ["str", "one sentence status", true],
            "risk_flags": [["str", "risk flag", true]],
            "customer_reply": ["str", "customer-safe reply", true]}"#,
    )
}

fn spec(format: Format, schema: Schema) -> Spec {
    Spec::builder().format(format).schema(schema).build().unwrap()
}

fn value(answer: &Answer) -> Value {
    serde_json::from_str(&answer.value().to_string()).unwrap()
}

fn failures(answer: &Answer) -> Vec<String> {
    answer.failures().iter().map(ToString::to_string).collect()
}

#[test]
fn the_format_is_json_if_nothing_is_said() {
    assert_eq!(Spec::builder().schema(page()).build().unwrap().format(), Format::Json);
}

#[test]
fn auto_looks_at_the_shape_of_the_schema_alone() {
    for (schema, format) in [
        (page(), Format::XmlField),
        (netlist(), Format::Hybrid),
        (invoice(), Format::Hybrid),
        (schema(r#"{"is_code": "bool", "code_count": "int"}"#), Format::Json),
        (schema(r#"{"yaml": [{"a": "str"}]}"#), Format::Json),
        (schema(r#"[{"html": "str"}]"#), Format::Json),
    ] {
        assert_eq!(Format::Auto.under(Some(&schema)), format, "{schema:?}");
    }
    // Names and descriptions are no part of it.
    let renamed = schema(r#"{"a": ["str", "JSON please"], "b": ["str", "a YAML document"]}"#);
    assert_eq!(Format::Auto.under(Some(&renamed)), Format::XmlField);
}

#[test]
fn markdown_and_yaml_are_only_ever_asked_for() {
    for schema in [page(), netlist(), invoice(), lesson(), update()] {
        let format = Format::Auto.under(Some(&schema));
        assert!(!matches!(format, Format::Markdown | Format::YamlLiteral));
    }
}

#[test]
fn json_keeps_the_strictest_contract() {
    let text = r#"{"vendor": "ACME", "line_items": [{"sku": "A-1", "amount": 12.50}]}"#;
    let answer = spec(Format::Json, invoice()).parse(text).unwrap();
    assert_eq!(answer.value().to_string(), text.replace(": ", ":").replace(", ", ","));
    assert_eq!((failures(&answer), answer.outcome()), (Vec::new(), Outcome::Complete));
}

#[test]
fn hybrid_has_sections_for_texts_and_json_for_all_else() {
    let text = "### analysis\nA divider.\n\n### components\n```json\n[{\"refdes\": \"R1\", \"value\": \"1k\"}]\n```\n\n\
                ### nets\n```json\n[{\"name\": \"out\", \"connections\": [{\"refdes\": \"R1\", \"pin\": \"2\"}]}]\n```\n";
    let answer = spec(Format::Hybrid, netlist()).parse(text).unwrap();
    let expected = json!({
        "analysis": "A divider.",
        "components": [{"refdes": "R1", "value": "1k"}],
        "nets": [{"name": "out", "connections": [{"refdes": "R1", "pin": "2"}]}],
    });
    assert_eq!((value(&answer), failures(&answer)), (expected, Vec::new()));
    let scalars = schema(r#"{"why": "str", "ok": "bool", "score": "number"}"#);
    let text = "### why\nso\n### ok\n```json\nfalse\n```\n### score\n```json\n0\n```\n";
    let answer = spec(Format::Hybrid, scalars).parse(text).unwrap();
    assert_eq!(value(&answer), json!({"why": "so", "ok": false, "score": 0}));
}

#[test]
fn xml_fields_stand_in_one_envelope_and_are_no_xml() {
    let text = "<answer_fields>\n<field name=\"lesson_script\" type=\"text\">\nif a < b && c: print(\"<b>\")\n</field>\n\
                <field name=\"environment_checklist\" type=\"json\">[{\"item\": \"rust\", \"why\": \"x\", \"command\": \"rustup\"}]</field>\n\
                <field name=\"final_confirmation\" type=\"text\">Done.</field>\n</answer_fields>";
    let answer = spec(Format::XmlField, lesson()).parse(text).unwrap();
    let script = answer.value().get("lesson_script").and_then(|script| script.as_str());
    assert_eq!(script, Some("if a < b && c: print(\"<b>\")"));
    let command = answer.value().at("environment_checklist[0].command");
    assert_eq!(command.and_then(|command| command.as_str()), Some("rustup"));
    assert_eq!(failures(&answer), [""; 0]);
}

#[test]
fn yaml_stands_between_its_markers_with_long_texts_as_literals() {
    let text = "<<<BEGIN ANSWER_YAML>>>\nhtml: |\n  <p>\n    hi: there\n  </p>\nnotes: short\n<<<END ANSWER_YAML>>>\n";
    let answer = spec(Format::YamlLiteral, page()).parse(text).unwrap();
    let expected = json!({"html": "<p>\n  hi: there\n</p>\n", "notes": "short"});
    assert_eq!(value(&answer), expected);
}

#[test]
fn markdown_sections_are_texts_until_the_end() {
    let text =
        "### status_summary\nAll is well.\n### risk_flags\n[\"late\"]\n### customer_reply\nHello\n";
    let answer = spec(Format::Markdown, update()).parse(text).unwrap();
    let expected = json!({"status_summary": "All is well.", "risk_flags": ["late"], "customer_reply": "Hello"});
    assert_eq!((value(&answer), failures(&answer)), (expected, Vec::new()));
}

#[test]
fn plain_text_has_no_fields() {
    let spec = Spec::builder().format(Format::Text).build().unwrap();
    let mut paths = 0;
    let mut parser = spec.parser();
    parser
        .feed("<!doctype html>\n<p>{\"a\": 1}</p>", |event| {
            paths += usize::from(matches!(event, Event::Patch(_)));
        })
        .unwrap();
    let answer = parser.finish(|_| {}).unwrap();
    assert_eq!((paths, answer.text()), (0, "<!doctype html>\n<p>{\"a\": 1}</p>"));
}

/// The patches of a progress panel, in each format that streams fields.
#[test]
fn patches_build_the_same_fields_that_the_answer_has() {
    for (format, text) in [
        (
            Format::Json,
            r#"{"status_summary": "Fine", "risk_flags": ["late", "loud"], "customer_reply": "Hi, A"}"#,
        ),
        (
            Format::Hybrid,
            "### status_summary\nFine\n### risk_flags\n```json\n[\"late\", \"loud\"]\n```\n### customer_reply\nHi, A",
        ),
        (
            Format::XmlField,
            "<answer_fields><field name=\"status_summary\">Fine</field><field name=\"risk_flags\">[\"late\",\"loud\"]</field><field name=\"customer_reply\">Hi, A</field></answer_fields>",
        ),
        (
            Format::YamlLiteral,
            "<<<BEGIN ANSWER_YAML>>>\nstatus_summary: Fine\nrisk_flags:\n  - late\n  - loud\ncustomer_reply: |-\n  Hi, A\n<<<END ANSWER_YAML>>>",
        ),
    ] {
        let spec = spec(format, update());
        let (mut state, mut done) = (BTreeMap::<String, String>::new(), Vec::new());
        let mut wildcards = Vec::new();
        let mut parser = spec.parser();
        let mut see = |event: Event<'_>| {
            let Event::Patch(patch) = event else { return };
            let path = patch.path.to_string();
            match patch.op {
                PatchOp::Delta => state.entry(path.clone()).or_default().push_str(&patch.delta),
                PatchOp::Replace => panic!("{format:?} takes something back"),
                _ => {}
            }
            if patch.is_complete() {
                wildcards.push(patch.path.wildcard().to_string());
                done.push(path);
            }
        };
        for byte in text.bytes() {
            parser.feed([byte], &mut see).unwrap();
        }
        let answer = parser.finish(&mut see).unwrap();
        for (path, text) in [
            ("status_summary", "Fine"),
            ("risk_flags[0]", "late"),
            ("risk_flags[1]", "loud"),
            ("customer_reply", "Hi, A"),
        ] {
            assert_eq!(state[path], text, "{format:?}");
            assert_eq!(
                answer.value().at(path).and_then(|it| it.as_str()),
                Some(text),
                "{format:?}"
            );
            assert_eq!(done.iter().filter(|it| *it == path).count(), 1, "{format:?}: {path}");
        }
        assert_eq!(wildcards.iter().filter(|it| *it == "risk_flags[*]").count(), 2, "{format:?}");
        assert_eq!(failures(&answer), [""; 0], "{format:?}");
    }
}

#[test]
fn a_patch_says_path_wildcard_delta_value_and_whether_it_is_done() {
    let mut lines = Vec::new();
    let mut parser = Spec::json().parser();
    parser
        .feed(r#"{"risk_flags": ["late"]}"#, |event| {
            lines.push(OwnedEvent::from(event).to_string())
        })
        .unwrap();
    let lines: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str, path: &str| {
        let found = lines.iter().find(|line| line["kind"] == kind && line["path"] == path);
        found.unwrap_or_else(|| panic!("no {kind} of {path}")).clone()
    };
    let delta = of("delta", "risk_flags[0]");
    assert_eq!((&delta["delta"], &delta["is_complete"]), (&json!("late"), &json!(false)));
    assert_eq!(delta["wildcard_path"], "risk_flags[*]");
    let done = of("done", "risk_flags[0]");
    assert_eq!((&done["value"], &done["is_complete"]), (&json!("late"), &json!(true)));
}

#[test]
fn what_is_required_has_to_say_something() {
    let spec = spec(Format::Json, update());
    for (text, failure) in [
        (r#"{"risk_flags": ["a"], "customer_reply": "b"}"#, "status_summary is missing"),
        (
            r#"{"status_summary": null, "risk_flags": ["a"], "customer_reply": "b"}"#,
            "status_summary is null",
        ),
        (
            r#"{"status_summary": " \n", "risk_flags": ["a"], "customer_reply": "b"}"#,
            "status_summary is blank",
        ),
        (
            r#"{"status_summary": "x", "risk_flags": [], "customer_reply": "b"}"#,
            "risk_flags is empty",
        ),
        (
            r#"{"status_summary": "x", "risk_flags": ["a", ""], "customer_reply": "b"}"#,
            "risk_flags[1] is blank",
        ),
    ] {
        assert_eq!(failures(&spec.parse(text).unwrap()), [failure], "{text}");
    }
    let typed = schema(
        r#"{"ok": ["bool", "", true], "n": ["int", "", true], "o": {"$type": "object", "$ensure": true}}"#,
    );
    let answer =
        self::spec(Format::Json, typed).parse(r#"{"ok": false, "n": 0, "o": {}}"#).unwrap();
    assert_eq!(failures(&answer), [""; 0]);
}

#[test]
fn paths_may_be_wanted_beside_the_schema() {
    let spec = Spec::builder().schema(invoice()).ensure("line_items[*].sku").build().unwrap();
    let answer =
        spec.parse(r#"{"vendor": " ", "line_items": [{"sku": "a"}, {"amount": 1}]}"#).unwrap();
    assert_eq!(failures(&answer), ["vendor is blank", "line_items[1].sku is missing"]);
}

#[test]
fn reasoning_before_the_payload_is_reasoning_and_inside_it_is_payload() {
    let spec = spec(Format::Json, page());
    let text = "<think>two fields</think>{\"html\": \"<think>x</think>\", \"notes\": \"n\"}";
    let answer = spec.parse(text).unwrap();
    assert_eq!(answer.reasoning(), "two fields");
    assert_eq!(value(&answer)["html"], "<think>x</think>");
    let mut parser = spec.parser();
    parser.feed_reasoning("from the provider", |_| {}).unwrap();
    parser.feed(r#"{"html": "", "notes": ""}"#, |_| {}).unwrap();
    assert_eq!(parser.finish(|_| {}).unwrap().reasoning(), "from the provider");
}

#[test]
fn fields_keep_the_order_of_the_schema() {
    let prompt = spec(Format::Json, netlist()).prompt();
    let at = |name: &str| prompt.as_str().find(name).unwrap();
    assert!(at("\"analysis\"") < at("\"components\"") && at("\"components\"") < at("\"nets\""));
    let text = r#"{"nets": [], "components": [], "analysis": "x"}"#;
    let answer = spec(Format::Json, netlist()).parse(text).unwrap();
    let names: Vec<Option<&str>> = answer.value().entries().map(|(name, _)| name).collect();
    assert_eq!(names, [Some("analysis"), Some("components"), Some("nets")]);
}

#[test]
fn another_format_than_asked_for_is_taken_at_the_end_and_said() {
    let answer = spec(Format::XmlField, page()).parse(r#"{"html": "<p>", "notes": "n"}"#).unwrap();
    assert_eq!(value(&answer), json!({"html": "<p>", "notes": "n"}));
    assert!(answer.notices().iter().any(|notice| notice.code.name() == "format_fallback"));
}

#[test]
fn the_answer_is_read_once_and_kept() {
    let mut parser = spec(Format::Json, update()).parser();
    parser.feed(r#"{"status_summary": "x"}"#, |_| {}).unwrap();
    let first = parser.finish(|_| {}).unwrap();
    let again = parser.finish(|_| -> () { panic!("emitted twice") }).unwrap();
    assert_eq!(first, again);
    assert!(std::ptr::eq(first.failures(), again.failures()), "they were found anew");
}
