//! A model that is asked again until its answer passes. The client here plays its answers.
//!
//! `cargo run -p patchwire-async --example retries`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::io;

use futures_util::{StreamExt as _, stream, stream::BoxStream};
use patchwire::{OwnedEvent, Spec};
use patchwire_async::{Attempt, Error, ResponseEvent, Verdict, ask};
use serde_json::{Value, json};

#[derive(Debug, Clone)]
struct Client;

impl Client {
    /// Too long at first, then careless, then well.
    async fn stream(
        &self,
        prompt: &str,
        settings: &Value,
    ) -> io::Result<BoxStream<'static, io::Result<String>>> {
        let answer = match (prompt.contains("not accepted"), settings["temperature"].as_f64()) {
            (false, _) => {
                r#"{"score": 0.9, "reply": "Dear Sir or Madam, thank you for your letter"}"#
            }
            (true, Some(0.5..)) => r#"{"score": 0.4, "reply": "Hi"}"#,
            (true, _) => r#"{"score": 0.9, "reply": "Thank you"}"#,
        };
        let tokens: Vec<_> =
            answer.split_inclusive(' ').map(|token| Ok(token.to_owned())).collect();
        Ok(stream::iter(tokens).boxed())
    }
}

async fn is_polite(reply: &str) -> bool {
    tokio::task::yield_now().await; // say, another service
    !reply.is_empty()
}

#[derive(Debug, serde::Deserialize)]
struct Graded {
    score: f64,
    reply: String,
}

async fn go(client: Client) -> Result<Graded, Error<io::Error>> {
    let request = move |attempt: Attempt| {
        let client = client.clone();
        async move { client.stream(&attempt.full_prompt(), &attempt.settings).await }
    };
    let mut response = ask(Spec::json(), request)
        .prompt("Answer the letter, and grade your answer.")
        .settings(json!({"model": "m", "temperature": 0.9}))
        .max_retries(3)
        .ensure("reply")
        .validate_as::<Graded>(|graded| {
            if graded.reply.len() > 20 {
                Err("`reply` is longer than 20 characters")
            } else {
                Ok(())
            }
        })
        .validate(|answer, check| {
            let score = answer.value().get("score").and_then(|score| score.as_f64());
            if score.is_some_and(|score| score > 0.8) || check.is_last_attempt() {
                return Verdict::pass();
            }
            let cooler = json!({"temperature": 0.2});
            Verdict::retry("`score` is low").validator("score").with_settings(cooler)
        })
        .validate_as_async::<Graded>(|graded| async move { is_polite(&graded.reply).await })
        .send();
    while let Some(event) = response.next().await {
        match event? {
            ResponseEvent::Parsed(OwnedEvent::Patch(patch)) if !patch.delta.is_empty() => {
                print!("{}", patch.delta)
            }
            ResponseEvent::Rejected(rejection) => println!("\n  {rejection}"),
            ResponseEvent::Reset { attempt } => println!("  attempt {attempt}:"),
            _ => {}
        }
    }
    println!();
    response.data().await // judged and kept: nothing is asked again
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let Graded { score, reply } = go(Client).await?;
    println!("{reply:?}, graded {score}");
    Ok(())
}
