//! A real server and a real tokenizer, where `PATCHWIRE_LOCAL_MODEL` says that one is there
//! (`.ci/local-model` starts one). The model's words are noise; their tokens and their form are not.

use std::time::Duration;

use patchwire::schema::{bool, int, list, object, one_of, str};
use patchwire::{Format, Outcome, OwnedEvent, Schema, Spec, Value};
use patchwire_async::{DeltasError, Error, Inputs, ResponseEvent};
use patchwire_chat::sources::Delta;
use patchwire_chat::{Chat, ChatError, Endpoint, Options, Structured};
use serde_json::{Value as Json, json};

const SEEDS: u32 = 4;

/// What a model said, and what became of it.
struct Heard {
    text: String,
    reasoning: String,
    deltas: usize,
    /// Deltas of fields before the model was done.
    early: usize,
    value: Value,
    thought: String,
    /// None where the server broke off: it does, where a schema is cut at the greatest length.
    outcome: Option<Outcome>,
}

/// Asks the local model, if there is one.
async fn ask(spec: &Spec, structured: Structured, settings: Json) -> Option<Heard> {
    let url = std::env::var("PATCHWIRE_LOCAL_MODEL").ok()?;
    let options = Options { idle_timeout: Duration::from_secs(300), ..Options::default() };
    let endpoint = Endpoint::openai(&url).expect("it is a URL");
    let chat = Chat::with_options(endpoint, "tiny", spec.clone(), options).expect("TLS is there");
    let (texts, thoughts, deltas) = Default::default();
    let said = std::sync::Arc::new(std::sync::Mutex::new((texts, thoughts, deltas)));
    let hear = std::sync::Arc::clone(&said);
    let mut response = chat
        .structured(structured)
        .ask("Say anything.")
        .settings(settings)
        .max_retries(0)
        .split(move |delta: Delta, out: &mut Inputs| {
            let mut said: std::sync::MutexGuard<'_, (String, String, usize)> =
                hear.lock().expect("nobody panics");
            match &delta {
                Delta::Text(text) => said.0.push_str(text),
                Delta::Reasoning(text) => said.1.push_str(text),
                _ => {}
            }
            said.2 += 1;
            out.delta(delta);
        })
        .send();
    let mut early = 0;
    while let Some(event) = response.next().await {
        early += usize::from(matches!(event, Ok(ResponseEvent::Parsed(OwnedEvent::Patch(_)))));
    }
    let answer = response.answer().await;
    let broken = |error: &Error<ChatError>| match error.as_source() {
        Some(ChatError::Stream(DeltasError::Provider(error))) => error.kind.clone(),
        _ => None,
    };
    if let Err(error) = &answer {
        assert_eq!(broken(error).as_deref(), Some("server_error"), "{error:?}");
    }
    let (text, reasoning, deltas) = said.lock().expect("nobody panics").clone();
    Some(Heard {
        text,
        reasoning,
        deltas,
        early,
        value: response.value().to_value(),
        thought: answer.as_ref().map_or_else(|_| String::new(), |it| it.reasoning().to_owned()),
        outcome: answer.ok().map(|answer| answer.outcome()),
    })
}

fn fields() -> Schema {
    object().field("title", str("one line").required()).field("body", str("").required()).into()
}

fn spec(format: Format, schema: impl Into<Schema>) -> Spec {
    Spec::builder().format(format).schema(schema).build().expect("the settings agree")
}

#[tokio::test]
async fn local_model_json_that_is_kept_to_a_schema() {
    let schema = object()
        .field("title", str("").present())
        .field("tone", one_of(["calm", "urgent"]).present())
        .field(
            "steps",
            list(object().field("n", int("").present()).field("ok", bool("").present())).present(),
        );
    let spec = spec(Format::Json, schema);
    let mut whole = 0;
    for seed in 0..3 * SEEDS {
        let settings = json!({"seed": seed, "max_tokens": 1500, "temperature": 0.8});
        let Some(heard) = ask(&spec, Structured::Auto, settings).await else { return };
        let mut parser = spec.parser();
        parser.feed(&heard.text, |_| {}).expect("it is read");
        if heard.outcome.is_none() {
            // What came before the end that never came stays.
            assert_eq!(heard.value, parser.value().to_value(), "seed {seed}: {}", heard.text);
            continue;
        }
        whole += 1;
        let answer = parser.finish(|_| {}).expect("it is read");
        assert_eq!(heard.value, answer.value().to_value(), "seed {seed}: {}", heard.text);
        let theirs: Json = serde_json::from_str(&heard.text).expect("llama.cpp says it is");
        assert_eq!(serde_json::to_value(&heard.value).expect("it is"), theirs);
        let tone = theirs["tone"].as_str();
        assert!(matches!(tone, Some("calm" | "urgent")), "{tone:?}");
        assert!(heard.deltas > 10 && heard.early > 3, "seed {seed}: {}", heard.text);
    }
    assert!(whole > 0, "no answer came to its end");
}

/// Grammars (GBNF) of some reasoning and an answer in each of the text formats.
fn grammars() -> [(Format, &'static str); 4] {
    let xml = r#""<answer_fields>\n<field name=\"title\" type=\"text\">" text "</field>\n<field name=\"body\" type=\"text\">\n" text "\n" text "\n</field>\n</answer_fields>\n""#;
    let hybrid = r####""### title\n" text "\n\n### body\n" text "\n" text "\n""####;
    let markdown = r###""## title\n" text "\n\n## body\n" text "\n\n" text "\n""###;
    let yaml = r#""<<<BEGIN ANSWER_YAML>>>\ntitle: |-\n  " text "\nbody: |-\n  " text "\n  " text "\n<<<END ANSWER_YAML>>>\n""#;
    [
        (Format::XmlField, xml),
        (Format::Hybrid, hybrid),
        (Format::Markdown, markdown),
        (Format::YamlLiteral, yaml),
    ]
}

#[tokio::test]
async fn local_model_text_formats_behind_reasoning() {
    for (format, answer) in grammars() {
        let grammar = format!(
            "root ::= \"<think>\" text \"</think>\\n\\n\" {answer}\ntext ::= [a-zA-Z] char{{20,60}} [a-z.]\nchar ::= [a-zA-Z ,.;0-9äé]\n"
        );
        let spec = spec(format, fields());
        for seed in 0..SEEDS {
            let settings =
                json!({"seed": seed, "max_tokens": 400, "temperature": 0.8, "grammar": grammar});
            let Some(heard) = ask(&spec, Structured::Off, settings).await else { return };
            let whole = spec.parse(&heard.text).expect("it is read");
            let value = heard.value.as_ref();
            assert_eq!(
                heard.value,
                whole.value().to_value(),
                "{format:?}, seed {seed}: {}",
                heard.text
            );
            assert_eq!(
                heard.thought,
                heard.reasoning.clone() + whole.reasoning(),
                "{format:?}, seed {seed}"
            );
            assert!(heard.thought.len() > 20, "{format:?}, seed {seed}: {}", heard.text);
            for name in ["title", "body"] {
                let text = value.get(name).and_then(|it| it.as_str()).unwrap_or_default();
                assert!(
                    heard.text.contains(text.lines().next().unwrap_or("?")),
                    "{format:?}: {text}"
                );
                assert!(
                    text.len() > 20,
                    "{format:?}, seed {seed}: {name} is {text:?} of {}",
                    heard.text
                );
            }
            assert!(heard.deltas > 20 && heard.early > 10, "{format:?}, seed {seed}");
        }
    }
}
