//! Small models on a stage: each may do what it was granted, and nothing else.
//!
//! `cargo run -p patchwire-views --example kinds`
#![expect(clippy::print_stdout, reason = "an example prints")]

use patchwire::{Event, PatchOp};
use patchwire_views::kinds::{Kinds, Tally, Tier, Verdict};

/// What a judge wrote, token by token: one after the other does it better.
const ANSWERS: [&[&str]; 4] = [
    &["I thi", "nk Ada was best."],
    &["Sure! {\"kind\": \"world.ob", "served\", \"text\": \"The curtain falls.\"}"],
    &["{\"kind\": \"judge.ver", "dict\", \"text\": \"So be it.\", \"winner\": \"Eve\"}"],
    &["{\"kind\": \"judge.verdict\", ", "\"text\": \"Ada, by a ", "hair.\", \"winner\": \"ada\"}"],
];

const CAST: [&str; 2] = ["Ada", "Brook"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kinds = Kinds::builder(["judge.verdict"])
        .extras(["winner"])
        .example(r#"{"kind": "judge.verdict", "text": "Brook sang.", "winner": "Brook"}"#)
        .build()?;
    println!("{}", kinds.prompt());
    let tally = Tally::default();
    let mut attempt = 1;
    for chunks in ANSWERS {
        let mut parser = kinds.spec().parser();
        let mut show = |event: Event<'_>| {
            // The kind comes whole, and is one that was granted; the text as it is written.
            if let Event::Patch(patch) = event
                && matches!(patch.op, PatchOp::Delta | PatchOp::Done | PatchOp::Replace)
                && ["kind", "text"].iter().any(|field| patch.path == **field)
            {
                println!("  {} {} {:?}", patch.path, patch.op.name(), patch.value);
            }
        };
        chunks.iter().try_for_each(|chunk| parser.feed(chunk, &mut show))?;
        let reply = kinds.read(&parser.finish(&mut show)?);
        tally.count(&reply);
        println!("{}: {}", reply.tier().name(), reply.to_value());
        match reply.verdict(&CAST, attempt) {
            Verdict::Winner(name) => println!("{name} wins."),
            Verdict::AskAgain => {
                println!("Who is that? Once more.");
                attempt += 1;
            }
            verdict => println!("{verdict:?}"),
        }
    }
    println!("{} of {} had to be wrapped", tally.of(Tier::Raw), tally.replies());
    Ok(())
}
