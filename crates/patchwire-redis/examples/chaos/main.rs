//! Three gateways, a Redis and a thousand streams, while things go wrong.
//!
//! ```text
//! cargo build --release -p patchwire-cli --no-default-features --features redis
//! cargo run --release -p patchwire-redis --example chaos -- [--streams 1000] [--rounds 1] [--gateway PATH]
//! ```
//!
//! Each round does one thing after another to the gateways or to Redis while so many streams run, and prints a table. The clients read,
//! read slowly, leave and come back to another instance, or read twice at once; half of the requests allow that the model is asked
//! again. Each stream has to end as the undisturbed stream does, byte for byte, or with an error that has a code. The status is 1 if one
//! does not.
//!
//! `redis-server` and `redis-cli` have to be installed, and the gateway has to be built.
#![expect(clippy::print_stdout, reason = "it prints a table")]

mod client;
mod faults;
mod http;
mod machine;
mod model;
mod told;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use client::{Behaviour, Wish};
use faults::{Fault, Scene};
use machine::{Gateway, Redis};
use told::{Told, Verdict};

/// Different answers.
const KINDS: usize = 12;
/// Items of an answer, and the milliseconds between two pieces.
const ITEMS: usize = 10;
const PAUSE: usize = 70;

struct Settings {
    streams: usize,
    rounds: usize,
    gateway: PathBuf,
}

impl Settings {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let gateway = PathBuf::from("target/release/patchwire");
        let mut settings = Self { streams: 1000, rounds: 1, gateway };
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            let number = || value.parse().map_err(|_| format!("`{name}` needs a number"));
            match &*name {
                "--streams" => settings.streams = number()?,
                "--rounds" => settings.rounds = number()?,
                "--gateway" => settings.gateway = value.into(),
                _ => {
                    return Err(format!(
                        "there are --streams, --rounds and --gateway, and no {name}"
                    ));
                }
            }
        }
        Ok(settings)
    }
}

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) if settings.gateway.exists() => settings,
        Ok(settings) => {
            println!(
                "{} is not built; see the first lines of this program",
                settings.gateway.display()
            );
            return ExitCode::from(2);
        }
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    if std::process::Command::new("redis-server").arg("--version").output().is_err() {
        println!("left out: redis-server is not installed");
        return ExitCode::from(2);
    }
    rlimit::increase_nofile_limit(16 * settings.streams as u64 + 1024).expect("sockets");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map(|runtime| runtime.block_on(chaos(settings))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("no runtime: {error}");
            ExitCode::from(2)
        }
    }
}

async fn chaos(settings: Settings) -> bool {
    let redis = Redis::start().await;
    println!(
        "{}",
        redis
            .cli(&["INFO", "server"])
            .lines()
            .find(|line| line.starts_with("redis_version"))
            .unwrap_or("")
            .trim()
    );
    let model = model::serve().await;
    let undisturbed = undisturbed(&settings, model).await;
    let scene = Scene {
        gateways: [(); 3]
            .map(|()| Gateway::start(settings.gateway.clone(), model, Some(&redis.url()))),
        redis,
    };
    println!(
        "{:<44} {:>7} {:>9} {:>11} {:>12} {:>5} {:>9} {:>8}",
        "what was done",
        "streams",
        "identical",
        "asked again",
        "typed errors",
        "lost",
        "silence s",
        "time s"
    );
    let mut lost = 0;
    for _ in 0..settings.rounds {
        for fault in Fault::ALL {
            lost += round(&scene, fault, &settings, &undisturbed).await;
        }
    }
    println!("lost: {lost}");
    lost == 0
}

/// The events of every answer from a gateway without a store.
async fn undisturbed(settings: &Settings, model: std::net::SocketAddr) -> Vec<Arc<Vec<String>>> {
    let plain = Gateway::start(settings.gateway.clone(), model, None);
    let mut all = Vec::new();
    for kind in 0..KINDS {
        let body = serde_json::json!({"model": format!("{kind}:{ITEMS}:0"), "messages": []});
        let answer =
            http::send(plain.address, http::post(body.to_string())).await.expect("an answer");
        let mut told = Told::default();
        told.take(answer.text().await.as_bytes());
        assert!(told.has_ended(), "the undisturbed stream has an end");
        all.push(Arc::new(told.events));
    }
    all
}

/// Runs streams while something is done. How many were lost.
async fn round(
    scene: &Scene,
    fault: Fault,
    settings: &Settings,
    undisturbed: &[Arc<Vec<String>>],
) -> usize {
    let begun = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..settings.streams {
        let kind = number % KINDS;
        let wish = Wish {
            model: format!("{kind}:{ITEMS}:{PAUSE}"),
            behaviour: Behaviour::ALL[number / KINDS % Behaviour::ALL.len()],
            may_repeat: number / (KINDS * Behaviour::ALL.len()) % 2 == 1,
            gateways: scene.gateways.iter().map(|gateway| gateway.address).collect(),
            number,
        };
        let undisturbed = Arc::clone(&undisturbed[kind]);
        clients.spawn(async move {
            // They come one after another, in two seconds.
            tokio::time::sleep(Duration::from_millis((number * 2000 / 1000) as u64)).await;
            client::run(wish, undisturbed).await
        });
    }
    let faulting = fault.happen(scene);
    let (ended, ()) = tokio::join!(clients.join_all(), faulting);
    let silence = ended.iter().map(|became| became.silence).max().unwrap_or_default();
    let mut verdicts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for verdict in ended.into_iter().flat_map(|became| became.verdicts) {
        *verdicts.entry(verdict).or_default() += 1;
    }
    print(fault, &verdicts, (silence, begun.elapsed()));
    verdicts
        .iter()
        .filter(|(verdict, _)| matches!(verdict, Verdict::Lost(_)))
        .map(|(_, count)| count)
        .sum()
}

fn print(fault: Fault, verdicts: &BTreeMap<Verdict, usize>, (silence, time): (Duration, Duration)) {
    let count = |is: &dyn Fn(&Verdict) -> bool| -> usize {
        verdicts.iter().filter(|(verdict, _)| is(verdict)).map(|(_, count)| count).sum()
    };
    println!(
        "{:<44} {:>7} {:>9} {:>11} {:>12} {:>5} {:>9.1} {:>8.1}",
        fault.name(),
        count(&|_| true),
        count(&|verdict| *verdict == Verdict::Identical),
        count(&|verdict| *verdict == Verdict::AskedAgain),
        count(&|verdict| matches!(verdict, Verdict::Typed(_))),
        count(&|verdict| matches!(verdict, Verdict::Lost(_))),
        silence.as_secs_f64(),
        time.as_secs_f64(),
    );
    for (verdict, count) in verdicts {
        match verdict {
            Verdict::Typed(code) => println!("    {count} {code}"),
            Verdict::Lost(what) => println!("    {count} LOST: {what}"),
            _ => {}
        }
    }
}
