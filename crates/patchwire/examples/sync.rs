//! Without async: a loop over chunks, events by callback or one at a time, an early stop, the answer.
//!
//! `cargo run -p patchwire --example sync`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::io::Write;
use std::ops::ControlFlow;

use patchwire::{Answer, Error, ErrorKind, Event, Spec, wire::IncludeValues};

const CHUNKS: [&str; 4] =
    ["Here it is: {\"title\": \"Spr", "ing\", \"tags\": [\"a\"", ", \"b\"], \"rest\"", ": 12}"];

/// One closure sees everything, the end too.
fn by_callback(spec: &Spec) -> Result<Answer, Error> {
    let mut parser = spec.parser();
    let mut show = |event: Event<'_>| {
        if let Event::Patch(patch) = event {
            let done = if patch.is_complete() { "." } else { "" };
            println!("{:>5} /{} {}{done}", patch.op.name(), patch.path, patch.delta);
        }
    };
    for chunk in CHUNKS {
        parser.feed(chunk, &mut show)?;
    }
    parser.finish(&mut show)
}

/// The sink may say that it has seen enough. What was read stays readable.
fn until_the_title(spec: &Spec) -> Result<String, Error> {
    let mut parser = spec.parser();
    for chunk in CHUNKS {
        let fed = parser.feed(chunk, |event| match event {
            Event::Patch(patch) if patch.path == "title" && patch.is_complete() => {
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        match fed {
            Err(Error { kind: ErrorKind::Cancelled, .. }) => break,
            fed => fed?,
        }
    }
    Ok(parser.value().to_string())
}

/// Events are pulled: between two of them there is room for `?`, and for an error of another kind.
fn by_pull(spec: &Spec, mut out: impl Write) -> Result<Answer, Box<dyn std::error::Error>> {
    let mut parser = spec.parser();
    for chunk in CHUNKS {
        let mut rest = chunk.as_bytes();
        while let Some(event) = parser.next_event(&mut rest)? {
            writeln!(out, "{}", event.wire(IncludeValues::Leaf))?;
        }
    }
    while let Some(event) = parser.next_final_event()? {
        writeln!(out, "{}", event.wire(IncludeValues::Leaf))?;
    }
    Ok(parser.answer()?)
}

/// Borrows its text from the answer.
#[derive(Debug, serde::Deserialize)]
struct Page<'a> {
    title: &'a str,
    tags: Vec<&'a str>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let spec = Spec::json();
    let answer = by_callback(&spec)?;
    let page: Page<'_> = answer.data()?;
    println!("{:?}, tagged {:?}\n", page.title, page.tags);
    println!("{}\n", until_the_title(&spec)?);
    let pulled = by_pull(&spec, std::io::stdout().lock())?;
    println!("\nthe same: {}", pulled == answer);
    Ok(())
}
