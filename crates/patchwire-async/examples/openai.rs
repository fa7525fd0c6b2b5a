//! Chat completions in OpenAI's shape: content and tool calls in one item, mirrored here.
//!
//! `cargo run -p patchwire-async --example openai`
#![expect(clippy::print_stdout, reason = "an example prints")]

use futures_util::stream::{self, BoxStream};
use patchwire::{DocId, OwnedEvent, Spec};
use patchwire_async::{Error, Inputs, TokenStreamExt as _};

#[derive(Debug, thiserror::Error)]
#[error("the API refused")]
struct OpenAIError;

#[derive(Default)]
struct Function {
    name: Option<String>,
    arguments: Option<String>,
}

struct ToolCall {
    index: u32,
    id: Option<String>,
    function: Option<Function>,
}

#[derive(Default)]
struct Delta {
    content: Option<String>,
    tool_calls: Option<Vec<ToolCall>>,
}

struct Choice {
    delta: Delta,
}

struct Chunk {
    choices: Vec<Choice>,
}

type ChatStream = BoxStream<'static, Result<Chunk, OpenAIError>>;

#[derive(Debug, serde::Deserialize)]
struct Report {
    title: String,
}

fn split(chunk: Chunk, out: &mut Inputs) {
    for Choice { delta } in chunk.choices {
        out.text(delta.content);
        for ToolCall { index, id, function } in delta.tool_calls.into_iter().flatten() {
            let Function { name, arguments } = function.unwrap_or_default();
            out.tool(index, id.as_deref(), name.as_deref(), arguments);
        }
    }
}

async fn report(tokens: ChatStream, spec: Spec) -> anyhow::Result<Report> {
    let mut response = tokens.fields_with(spec, split);
    while let Some(event) = response.next().await {
        match event? {
            OwnedEvent::Patch(patch) if patch.document == DocId::ANSWER => {
                println!("{} += {:?}", patch.path, patch.delta);
            }
            OwnedEvent::Patch(patch) => {
                println!("call {:?}: {} += {:?}", patch.origin.call, patch.path, patch.delta);
            }
            OwnedEvent::ToolCall { name, .. } => println!("calls {name:?}"),
            _ => {}
        }
        let title = response.value().get("title").and_then(|title| title.as_str());
        println!("  the title so far: {title:?}");
    }
    Ok(response.data::<Report>().await?)
}

/// Only the answer is wanted: the events are passed over.
async fn only_the_answer(tokens: ChatStream, spec: Spec) -> Result<Report, Error<OpenAIError>> {
    tokens.fields_with(spec, split).data().await
}

fn tokens() -> ChatStream {
    let text = |text: &str| Delta { content: Some(text.to_owned()), ..Delta::default() };
    let call = |arguments: &str| {
        let function = Function { name: Some("search".into()), arguments: Some(arguments.into()) };
        let call = ToolCall { index: 0, id: Some("call_1".into()), function: Some(function) };
        Delta { tool_calls: Some(vec![call]), ..Delta::default() }
    };
    let deltas = [text("{\"title\": \"Spr"), call("{\"q\": "), text("ing\"}"), call("1}")];
    let chunk = |delta| Ok(Chunk { choices: vec![Choice { delta }] });
    Box::pin(stream::iter(deltas.map(chunk)))
}

fn spawnable<T: Send>(future: T) -> T {
    future
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let report = spawnable(report(tokens(), Spec::json())).await?;
    println!("{report:?}");
    println!("{}", spawnable(only_the_answer(tokens(), Spec::json())).await?.title);
    Ok(())
}
