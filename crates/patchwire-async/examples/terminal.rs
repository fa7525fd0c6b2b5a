//! Keys, ticks and the response in one `select!`: draws from the borrowed value, and cancels by dropping.
//!
//! `cargo run -p patchwire-async --example terminal`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::fmt::Display;
use std::time::Duration;

use patchwire::{Kind, OwnedEvent, Spec, ValueRef};
use patchwire_async::{Error, Request, Response, Split, TokenStreamExt as _};
use tokio::sync::mpsc;

/// One line a member, with what happened to it last.
fn draw(value: ValueRef<'_>, kinds: &[Kind]) {
    for (key, value) in value.entries() {
        let kind = value.node().and_then(|node| kinds.get(node.index()));
        let mark = if value.is_complete() { ' ' } else { '…' };
        println!(
            "{:>8} {value}{mark} {}",
            key.unwrap_or_default(),
            kind.map_or("", |kind| kind.name())
        );
    }
    println!();
}

async fn view<R: Request, X: Split<R::Item>>(
    mut response: Response<R, X>,
    mut keys: mpsc::Receiver<char>,
) -> Result<(), Error<R::Error>>
where
    R::Error: Display,
{
    let mut tick = tokio::time::interval(Duration::from_millis(33));
    let (mut kinds, mut dirty) = (Vec::new(), false);
    loop {
        tokio::select! {
            event = response.next() => match event {
                Some(event) => if let OwnedEvent::Patch(patch) = event? {
                    // Nodes are numbered densely: a vector is a map of them.
                    let at = patch.node.index();
                    kinds.resize(kinds.len().max(at + 1), Kind::Open);
                    kinds[at] = patch.kind;
                    dirty = true;
                },
                None => break,
            },
            _ = tick.tick(), if dirty => {
                draw(response.value(), &kinds);
                dirty = false;
            }
            Some('q') = keys.recv() => break,
        }
    }
    draw(response.value(), &kinds);
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error<std::io::Error>> {
    let (_keyboard, keys) = mpsc::channel(1);
    let tokens = async_stream::stream! {
        for token in ["{\"title\": \"Sp", "ring\", ", "\"rows\": [1", ", 2, 3], \"n\": ", "4}"] {
            tokio::time::sleep(Duration::from_millis(40)).await;
            yield Ok::<_, std::io::Error>(token);
        }
    };
    view(tokens.fields(Spec::json()), keys).await
}
