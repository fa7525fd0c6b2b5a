//! What is sent.

use patchwire::{Format, Spec};
use patchwire_chat::sources::Protocol;
use patchwire_chat::{Chat, Endpoint, Key, Structured};
use serde_json::{Value as Json, json};

use crate::answers::{chat, spec};
use crate::server::{Asked, Reply, Server, good};

async fn asked(protocol: Protocol, change: impl Fn(Chat) -> Chat) -> Asked {
    let server = Server::start([good(protocol)]).await;
    let chat = change(chat(&server, protocol));
    chat.ask("Greet.").settings(json!({"seed": 7})).send().answer().await.unwrap();
    server.asked().remove(0)
}

#[tokio::test]
async fn paths_and_keys_are_the_protocols() {
    for (protocol, path) in [
        (Protocol::OpenAiChat, "/v1/chat/completions"),
        (Protocol::OpenAiResponses, "/v1/responses"),
        (Protocol::Anthropic, "/v1/messages"),
        (Protocol::Ollama, "/api/chat"),
    ] {
        let asked = asked(protocol, |chat| chat).await;
        assert_eq!(asked.path, path);
        assert_eq!(asked.body["model"], "m-1");
        assert_eq!(asked.body["stream"], true);
        assert_eq!(asked.body["seed"], 7);
        let header = |name: &str| asked.headers.get(name).and_then(|it| it.to_str().ok());
        if protocol == Protocol::Anthropic {
            assert_eq!(header("x-api-key"), Some("sk-secret"));
            assert!(header("anthropic-version").is_some());
            assert!(asked.body["max_tokens"].is_u64());
        } else {
            assert_eq!(header("authorization"), Some("Bearer sk-secret"));
        }
    }
}

/// Where each protocol wants the schema.
fn schema_in(protocol: Protocol, body: &Json) -> &Json {
    match protocol {
        Protocol::OpenAiResponses => &body["text"]["format"]["schema"],
        Protocol::Anthropic => &body["output_config"]["format"]["schema"],
        Protocol::Ollama => &body["format"],
        _ => &body["response_format"]["json_schema"]["schema"],
    }
}

#[tokio::test]
async fn the_schema_goes_along_where_the_answer_is_json() {
    for protocol in Endpoint::PROTOCOLS {
        let with = asked(protocol, |chat| chat).await;
        let schema = schema_in(protocol, &with.body);
        assert_eq!(schema["properties"]["title"]["type"], "string", "{protocol}");
        assert_eq!(schema["additionalProperties"], false, "{protocol}");
        let without = asked(protocol, |chat| chat.structured(Structured::Off)).await;
        assert!(schema_in(protocol, &without.body).is_null(), "{protocol}");
    }
}

#[tokio::test]
async fn the_prompt_says_what_is_wanted_unless_it_should_not() {
    let prompt = |asked: &Asked| asked.body["messages"].to_string();
    let with = asked(Protocol::OpenAiChat, |chat| chat.system("Be kind.")).await;
    let wanted = spec().prompt().to_string();
    let content = with.body["messages"][1]["content"].as_str().unwrap();
    assert_eq!(content, format!("Greet.\n\n{}", wanted.trim_end()));
    assert_eq!(with.body["messages"][0], json!({"role": "system", "content": "Be kind."}));
    let without = asked(Protocol::OpenAiChat, |chat| chat.instructions(false)).await;
    assert_eq!(prompt(&without), r#"[{"content":"Greet.","role":"user"}]"#);
    let system = asked(Protocol::Anthropic, |chat| chat.system("Be kind.")).await;
    assert_eq!(system.body["system"], "Be kind.");
    let system = asked(Protocol::OpenAiResponses, |chat| chat.system("Be kind.")).await;
    assert_eq!(system.body["instructions"], "Be kind.");
}

#[tokio::test]
async fn settings_take_the_place_of_what_is_there() {
    let server = Server::start([good(Protocol::Anthropic)]).await;
    let settings = json!({"max_tokens": 10, "output_config": {"effort": "low"}, "model": "m-2"});
    let mut response = chat(&server, Protocol::Anthropic).ask("").settings(settings).send();
    response.answer().await.unwrap();
    let body = server.asked().remove(0).body;
    assert_eq!((&body["max_tokens"], &body["model"]), (&json!(10), &json!("m-2")));
    assert_eq!(body["output_config"]["effort"], "low");
    assert!(body["output_config"]["format"].is_object());
}

#[tokio::test]
async fn other_formats_are_asked_for_in_words_alone() {
    let schema = spec().schema().cloned().unwrap();
    let spec = Spec::builder().format(Format::Markdown).schema(schema).build().unwrap();
    let reply =
        "data: {\"choices\":[{\"delta\":{\"content\":\"### title\\nHi\"}}]}\n\ndata: [DONE]\n\n";
    let server = Server::start([Reply::of([reply])]).await;
    let chat = Chat::new(Endpoint::openai(&server.url).unwrap(), "m", spec).unwrap();
    let mut response = chat.ask("Greet.").send();
    let answer = response.answer().await.unwrap();
    assert_eq!(answer.value().get("title").and_then(|title| title.as_str()), Some("Hi"));
    let asked = server.asked().remove(0);
    assert!(asked.body.get("response_format").is_none());
    assert!(asked.body["messages"][0]["content"].as_str().unwrap().contains("### title"));
    assert!(asked.headers.get("authorization").is_none());
}

#[tokio::test]
async fn a_request_overrides_the_client_s_defaults() {
    let reply = |text: &str| {
        let delta = json!({"choices": [{"delta": {"content": text}}]});
        Reply::of([format!("data: {delta}\n\ndata: [DONE]\n\n")])
    };
    let fields = "<field name='title'>\nHi\n</field>";
    let server = Server::start([reply("### title\nHi"), reply(fields)]).await;
    let schema = spec().schema().cloned().unwrap();
    let defaults = Spec::builder().format(Format::Markdown).schema(schema);
    let chat = Chat::new(Endpoint::openai(&server.url).unwrap(), "m", Spec::json()).unwrap();
    let chat = chat.defaults(defaults);
    for settings in [Spec::builder(), Spec::builder().format(Format::XmlField)] {
        let own = chat.with_settings(settings).unwrap();
        let answer = own.ask("Greet.").send().answer().await.unwrap();
        assert_eq!(answer.value().get("title").and_then(|title| title.as_str()), Some("Hi"));
    }
    let asked = server.asked();
    let prompt = |at: usize| asked[at].body["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(prompt(0).contains("### title") && prompt(1).contains("<field name=\"title\""));
}

#[test]
fn urls_are_taken_as_providers_write_them() {
    let url = |protocol, base: &str| Endpoint::new(protocol, base).unwrap().url().to_owned();
    use Protocol::{Anthropic, Ollama, OpenAiChat, OpenAiResponses};
    for base in
        ["https://a.b/v1", "https://a.b/v1/", "https://a.b", "https://a.b/v1/chat/completions"]
    {
        assert_eq!(url(OpenAiChat, base), "https://a.b/v1/chat/completions", "{base}");
    }
    assert_eq!(
        url(OpenAiChat, "https://a.b/openai/v1?x=1"),
        "https://a.b/openai/v1/chat/completions?x=1"
    );
    assert_eq!(url(OpenAiChat, "https://a.b/api"), "https://a.b/api/chat/completions");
    assert_eq!(url(OpenAiResponses, "https://a.b/v1"), "https://a.b/v1/responses");
    assert_eq!(url(Anthropic, "https://a.b"), "https://a.b/v1/messages");
    assert_eq!(url(Anthropic, "https://a.b/v1"), "https://a.b/v1/messages");
    assert_eq!(url(Ollama, "http://localhost:11434"), "http://localhost:11434/api/chat");
    assert_eq!(url(Ollama, "http://h/api/generate"), "http://h/api/generate");
    for bad in ["localhost:11434", "ftp://a.b", "", "/v1"] {
        let error = Endpoint::openai(bad).expect_err(bad);
        assert!(error.to_string().contains("https://"), "{error}");
    }
}

#[test]
fn a_key_is_shown_nowhere() {
    let endpoint = Endpoint::openai("https://a.b/v1").unwrap().with_key(Key::new("sk-secret"));
    let chat = Chat::new(endpoint.clone(), "m", spec()).unwrap();
    for shown in [format!("{endpoint:?}"), format!("{chat:?}"), format!("{:?}", chat.ask("x"))] {
        assert!(!shown.contains("secret"), "{shown}");
    }
}
