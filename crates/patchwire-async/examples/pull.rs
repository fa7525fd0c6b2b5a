//! Without the wrapper: the engine's parser in an async loop of one's own, with `.await` between events.
//!
//! `cargo run -p patchwire-async --example pull`
#![expect(clippy::print_stdout, reason = "an example prints")]

use bytes::Bytes;
use patchwire::{Answer, Error, OwnedEvent, Spec, event::Recorder};
use tokio::sync::mpsc;

async fn read(
    mut chunks: mpsc::Receiver<Bytes>,
    events: mpsc::Sender<OwnedEvent>,
) -> Result<Answer, Error> {
    let (mut parser, mut recorder) = (Spec::json().parser(), Recorder::default());
    while let Some(chunk) = chunks.recv().await {
        let mut rest = &chunk[..];
        while let Some(event) = parser.next_event(&mut rest)? {
            let event = recorder.own(&event);
            if events.send(event).await.is_err() {
                break;
            }
        }
    }
    while let Some(event) = parser.next_final_event()? {
        let event = recorder.own(&event);
        if events.send(event).await.is_err() {
            break;
        }
    }
    parser.answer()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let (tell_chunk, chunks) = mpsc::channel(1);
    let (tell_event, mut events) = mpsc::channel(1);
    let reader = tokio::spawn(read(chunks, tell_event));
    tokio::spawn(async move {
        for chunk in ["{\"a\": \"Hel", "lo\"}"] {
            if tell_chunk.send(Bytes::from(chunk)).await.is_err() {
                break;
            }
        }
    });
    while let Some(event) = events.recv().await {
        println!("{event}");
    }
    println!("{}", reader.await??.value());
    Ok(())
}
