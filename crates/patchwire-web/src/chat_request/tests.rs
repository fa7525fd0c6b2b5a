use core::time::Duration;

use super::*;
use crate::budget::Budget;

fn request(body: &str, answer_bytes: u64) -> Result<GatewayRequest, RequestError> {
    let settings = ReadSettings { answer_bytes, prompt: PromptPlace::Message };
    Budget::new(Duration::from_secs(60))
        .measure(|meter| read(body.as_bytes(), None, &settings, meter))
}

#[test]
fn a_prompt_goes_to_the_end_of_system_where_no_message_may_hold_it() {
    let settings = ReadSettings { answer_bytes: 1 << 20, prompt: PromptPlace::System };
    let system = |system: &str| {
        let body = format!(r#"{{"messages":[1]{system},"patchwire":{{"prompt":true}}}}"#);
        let read = |meter: &Meter<'_>| read(body.as_bytes(), None, &settings, meter);
        let asked = Budget::new(Duration::from_secs(60)).measure(read)?;
        assert_eq!(asked.body.get("messages"), Some("[1]"));
        let system = asked.body.get("system").map(serde_json::from_str::<serde_json::Value>);
        Ok::<_, RequestError>(system.expect("a member").unwrap())
    };
    let alone = system("").unwrap();
    let prompt = alone.as_str().unwrap();
    assert!(prompt.contains("JSON"), "{prompt}");
    assert_eq!(system(r#","system":null"#).unwrap(), alone);
    assert_eq!(system(r#","system":"Be brief.""#).unwrap(), format!("Be brief.\n\n{prompt}"));
    let blocks = system(r#","system":[{"type":"text","text":"x"}]"#).unwrap();
    assert_eq!(blocks[1], json!({"type": "text", "text": prompt}));
    assert!(system(r#","system":7"#).unwrap_err().to_string().contains("`system`"));
}

fn parsed(body: &str) -> Result<(ChatBody, Spec), String> {
    let asked = request(body, 1 << 20);
    asked.map(|asked| (asked.body, asked.spec)).map_err(|error| error.to_string())
}

#[test]
fn a_request_without_time_left_is_refused() {
    let budget = Budget::new(Duration::ZERO);
    let asked = budget.measure(|meter| {
        read(
            b"{}",
            None,
            &ReadSettings { answer_bytes: 1 << 20, prompt: PromptPlace::Message },
            meter,
        )
    });
    assert!(matches!(asked, Err(RequestError::OverBudget(_))), "{asked:?}");
}

#[test]
fn what_is_for_the_model_stays_as_it_was_written() {
    let body = r#"{"model":"m","b":1.10,"patchwire":{"format":"hybrid"},"a":{"z":1,"y":2}}"#;
    let (body, spec) = parsed(body).unwrap();
    let sent = serde_json::to_string(&body).unwrap();
    assert_eq!(sent, r#"{"model":"m","b":1.10,"a":{"z":1,"y":2},"stream":true}"#);
    assert_eq!(spec.format(), Format::Hybrid);
    assert_eq!(body.text("model").as_deref(), Some("m"));
    assert_eq!((body.text("b"), body.get("c")), (None, None));
}

#[test]
fn a_schema_is_json_or_text() {
    for schema in [
        r#"{"title":["str","one line",true],"n":["int"]}"#,
        r#""title: [str, one line, true]\nn: [int]""#,
        r#"{"type":"object","properties":{"title":{"type":"string"},"n":{"type":"integer"}}}"#,
    ] {
        let (_, spec) = parsed(&format!(r#"{{"patchwire":{{"schema":{schema}}}}}"#)).unwrap();
        let answer = spec.parse(r#"{"title":"a","n":"3"}"#).unwrap();
        assert_eq!(answer.value().to_string(), r#"{"title":"a","n":3}"#, "{schema}");
    }
}

#[test]
fn tags_that_say_what_the_answer_is_make_it_text() {
    let format = |own: &str| parsed(&format!(r#"{{"patchwire":{own}}}"#)).unwrap().1.format();
    assert_eq!(format(r#"{"tags":"scratchpad"}"#), Format::Text);
    assert_eq!(format(r#"{"tags":["think"]}"#), Format::Json);
    assert_eq!(format(r#"{"tags":"none"}"#), Format::Json);
    assert_eq!(format(r#"{"tags":["think","scratchpad"],"format":"json"}"#), Format::Json);
    assert_eq!(format(r#"{"tags":"scratchpad","schema":{"a":"str"}}"#), Format::Json);
}

#[test]
fn checks_and_limits_reach_the_engine() {
    let (_, spec) = parsed(r#"{"patchwire":{"ensure":["a"]}}"#).unwrap();
    assert_eq!(spec.parse("{}").unwrap().failures().len(), 1);
    // `strict` is the old name of `exact`.
    for name in ["exact", "strict"] {
        let own = format!(r#"{{"patchwire":{{"schema":{{"a":"str"}},"{name}":true}}}}"#);
        let answer = parsed(&own).unwrap().1.parse(r#"{"a":"x","b":1}"#).unwrap();
        assert_eq!(answer.failures().len(), 1, "{name}");
    }
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer","minimum":3}}}"#;
    for (valid, failures) in [("true", 1), ("false", 0)] {
        let own = format!(r#"{{"patchwire":{{"schema":{schema},"valid":{valid}}}}}"#);
        let answer = parsed(&own).unwrap().1.parse(r#"{"n":2}"#).unwrap();
        assert_eq!(answer.failures().len(), failures, "valid: {valid}");
    }
    let spec = request("{}", 4).unwrap().spec;
    assert!(spec.parse("[1, 2, 3]").is_err());
    let (_, spec) = parsed(r#"{"patchwire":{"strictness":"strict"}}"#).unwrap();
    assert!(spec.parse("[1,]").is_err());
}

#[test]
fn the_prompt_is_the_last_message() {
    let own = r#""patchwire":{"prompt":true,"schema":{"title":["str","one line"]}}"#;
    let (body, spec) =
        parsed(&format!(r#"{{"messages":[{{"role":"user","content":"Hi"}}],{own}}}"#)).unwrap();
    let messages: Vec<serde_json::Value> =
        serde_json::from_str(body.get("messages").unwrap()).unwrap();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0]["content"], "Hi");
    assert_eq!(messages[1]["role"], "system");
    assert_eq!(messages[1]["content"], spec.prompt().as_str());
    let error = parsed(&format!(r#"{{"messages":7,{own}}}"#)).unwrap_err();
    assert!(error.starts_with("`messages` has to be a list"), "{error}");
}

#[test]
fn errors_say_what_there_is() {
    for (body, expected) in [
        ("[]", "no chat request: it has to be an object, not a list"),
        ("{", "no chat request"),
        (r#"{"patchwire":7}"#, "`patchwire` cannot be used: it has to be an object such as"),
        (r#"{"patchwire":[]}"#, "`patchwire` cannot be used: it has to be an object, not a list"),
        (r#"{"patchwire":{"exact":"yes"}}"#, "`exact` has to be a boolean, not string \"yes\""),
        (r#"{"patchwire":{"ensure":["a",{}]}}"#, "`ensure[1]` has to be a string, not an object"),
        (r#"{"patchwire":{"tags":{"think":1}}}"#, "`tags`: give the name of a tag set"),
        (
            r#"{"patchwire":{"shema":{}}}"#,
            "unknown field `shema`, expected one of `schema`, `format`, `tags`, `strictness`, `ensure`, `exact`, `valid`, \
             `prompt`, `raw`, `wire`, `resend_ms`, `max_retries`",
        ),
        (r#"{"patchwire":{"exact":true}}"#, "`exact` checks the value by the schema; add `schema`"),
        (
            r#"{"patchwire":{"valid":true,"ensure":["a"]}}"#,
            "`valid` checks the value by the schema",
        ),
        (r#"{"patchwire":{"schema":"a: ["}}"#, "`schema` cannot be used"),
        (
            r#"{"patchwire":{"schema":{"type":"strng"}}}"#,
            "; it was read as the output DSL, because",
        ),
        (
            r#"{"patchwire":{"schema":{"type":"object","properties":7}}}"#,
            "; it was read as JSON Schema",
        ),
        (r#"{"patchwire":{"format":"xml"}}"#, "there are json, xml_field, hybrid"),
        (r#"{"patchwire":{"tags":["thinks"]}}"#, "there are think, scratchpad"),
        (r#"{"patchwire":{"strictness":"very"}}"#, "lenient or strict, not `very`"),
        (r#"{"patchwire":{"ensure":["a["]}}"#, "`a[` is"),
        (r#"{"patchwire":{"strictness":"strict","tags":"think"}}"#, "leave one of the two out"),
    ] {
        let error = parsed(body).unwrap_err();
        assert!(error.contains(expected), "{body}: {error}");
        assert!(
            !["struct", "enum", "Wanted", " map"].iter().any(|it| error.contains(it)),
            "{error}"
        );
    }
}

#[test]
fn the_raw_text_is_sent_where_it_is_asked_for() {
    let asked = |own: &str| request(&format!("{{\"patchwire\":{own}}}"), 1 << 20).unwrap();
    assert!(asked(r#"{"raw":true}"#).sending.raw);
    assert!(!asked("{}").sending.raw);
}

#[test]
fn a_text_that_is_no_answer_is_read_by_the_same_member() {
    let budget = Budget::new(Duration::from_secs(60));
    let own = |own: &str| {
        let own = RawValue::from_string(own.to_owned()).unwrap();
        let spec = budget.measure(|meter| spec_of(Some(&own), 1 << 20, meter));
        spec.map_err(|error| error.to_string())
    };
    let spec = own(r#"{"format":"hybrid","schema":{"title":"str"}}"#).unwrap();
    assert_eq!(spec.format(), Format::Hybrid);
    let spec = budget.measure(|meter| spec_of(None, 1 << 20, meter));
    assert_eq!(spec.unwrap().format(), Format::Json);
    for asked in [r#"{"prompt":true}"#, r#"{"raw":true}"#] {
        let error = own(asked).unwrap_err();
        assert!(error.contains("none is asked here"), "{error}");
    }
}

#[test]
fn a_member_that_is_there_twice_is_not_passed_on_either_time() {
    let body = r#"{"stream":false,"patchwire":{"raw":true},"a":1,"patchwire":{"format":"hybrid"},"stream":false}"#;
    let (body, spec) = parsed(body).unwrap();
    assert_eq!(serde_json::to_string(&body).unwrap(), r#"{"stream":true,"a":1}"#);
    assert_eq!(spec.format(), Format::Hybrid);
}

#[test]
fn an_unknown_option_is_told_those_that_its_endpoint_takes() {
    let budget = Budget::new(Duration::from_secs(60));
    let own = RawValue::from_string(r#"{"shema":1}"#.to_owned()).unwrap();
    let passed = budget.measure(|meter| field_options(own.get(), 1, meter).unwrap_err());
    let cut = budget.measure(|meter| spec_of(Some(&own), 1, meter).unwrap_err());
    for error in [passed.to_string(), cut.to_string()] {
        assert!(error.ends_with("`strictness`, `ensure`, `exact`, `valid`"), "{error}");
    }
}
