//! Items in rig's shape, mirrored here. Calls are named by an id, and the source is asked afterwards for
//! what it counted.
//!
//! `cargo run -p patchwire-async --example rig`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use patchwire::Spec;
use patchwire_async::{Answer, Inputs, TokenStreamExt as _};

#[derive(Debug, thiserror::Error)]
#[error("no completion")]
struct CompletionError;

enum CallDelta {
    Name(String),
    Delta(String),
}

enum Content<R> {
    Text(String),
    Reasoning(String),
    ToolCallDelta {
        id: String,
        internal_call_id: String,
        content: CallDelta,
    },
    /// Repeats what the deltas said.
    ToolCall,
    Final(R),
}

struct Completion<R> {
    items: VecDeque<Content<R>>,
    response: Option<R>,
}

impl<R: Clone + Unpin> Stream for Completion<R> {
    type Item = Result<Content<R>, CompletionError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = self.items.pop_front();
        if let Some(Content::Final(usage)) = &item {
            self.response = Some(usage.clone());
        }
        Poll::Ready(item.map(Ok))
    }
}

async fn read<R: Clone + Unpin>(
    mut stream: Completion<R>,
    spec: &Spec,
) -> anyhow::Result<(Answer, Option<R>)> {
    // Borrowed: the stream is there afterwards.
    let mut response = (&mut stream).fields_with(spec, |item, out: &mut Inputs| match item {
        Content::Text(text) => out.text(text),
        Content::Reasoning(text) => out.reasoning(text),
        Content::ToolCallDelta { id, internal_call_id, content } => match content {
            CallDelta::Name(name) => {
                out.tool(internal_call_id, Some(&id), Some(&name), None::<&str>);
            }
            CallDelta::Delta(delta) => out.tool(internal_call_id, Some(&id), None, delta),
        },
        Content::ToolCall | Content::Final(_) => {}
    });
    let answer = response.answer().await?;
    Ok((answer, stream.response.take()))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let call = |content| Content::ToolCallDelta {
        id: "toolu_1".into(),
        internal_call_id: "a".into(),
        content,
    };
    let items = [
        Content::Reasoning("A search first.".into()),
        call(CallDelta::Name("search".into())),
        call(CallDelta::Delta("{\"q\": ".into())),
        call(CallDelta::Delta("\"rust\"}".into())),
        Content::ToolCall,
        Content::Text("{\"done\": true}".into()),
        Content::Final(42_u32),
    ];
    let stream = Completion { items: items.into(), response: None };
    let (answer, usage) = read(stream, &Spec::json()).await?;
    println!("{} after {:?}", answer.value(), answer.reasoning());
    for call in answer.calls() {
        println!("{} {:?} {}", call.name(), call.id(), call.arguments());
    }
    println!("{usage:?} tokens");
    Ok(())
}
