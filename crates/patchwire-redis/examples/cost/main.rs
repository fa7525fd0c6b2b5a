//! What a store costs: time of the processor for a delta, and how long an answer takes that is read again.
//!
//! ```text
//! cargo build --release -p patchwire-cli --no-default-features --features redis
//! cargo run --release -p patchwire-redis --example cost -- [--streams 300] [--gateway PATH]
//! ```
//!
//! The gateways and Redis are processes of their own, and what is measured is their time of the processor, by `/proc`: so the machine need
//! not be idle, and has to run Linux. `redis-server` and `redis-cli` have to be installed.
#![expect(clippy::print_stdout, reason = "it prints tables")]

#[path = "../chaos/http.rs"]
mod http;
#[path = "../chaos/machine.rs"]
mod machine;
#[path = "../chaos/model.rs"]
mod model;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use tokio::task::JoinSet;

use machine::{Gateway, Process, Redis};

/// Milliseconds between two deltas of a stream.
const PAUSE: u64 = 40;
/// Items of an answer: about 150 deltas of 7 bytes.
const ITEMS: u64 = 18;

struct Settings {
    streams: usize,
    gateway: PathBuf,
}

impl Settings {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings =
            Self { streams: 300, gateway: PathBuf::from("target/release/patchwire") };
        while let Some(name) = args.next() {
            let value = args.next().ok_or_else(|| format!("`{name}` needs a value"))?;
            match &*name {
                "--streams" => {
                    settings.streams = value.parse().map_err(|_| "a number is missing")?
                }
                "--gateway" => settings.gateway = value.into(),
                _ => return Err(format!("there are --streams and --gateway, and no {name}")),
            }
        }
        Ok(settings)
    }
}

#[tokio::main]
async fn main() -> Result<(), String> {
    let settings = Settings::read(std::env::args().skip(1))?;
    if !settings.gateway.exists() {
        return Err("the gateway is not built; see the first lines of this program".to_owned());
    }
    rlimit::increase_nofile_limit(16 * settings.streams as u64 + 1024)
        .map_err(|error| error.to_string())?;
    let (redis, model) = (Redis::start().await, model::serve().await);
    let start = |store: Option<&str>| Gateway::start(settings.gateway.clone(), model, store);
    println!(
        "{:<36} {:>8} {:>18} {:>14} {:>12}",
        "", "deltas", "gateways us/delta", "Redis us/delta", "deltas/s"
    );
    let streams = settings.streams;
    let plain = start(None);
    let without = run("without a store, 1 instance", &[&plain], &redis, streams, false).await;
    drop(plain);
    let url = redis.url();
    let gateways = [(); 3].map(|()| start(Some(&url)));
    let all: Vec<&Gateway> = gateways.iter().collect();
    let with = run("with a store, 1 instance", &all[..1], &redis, streams, false).await;
    for count in 2..=3 {
        let what = format!("with a store, shared by {count} instances");
        run(&what, &all[..count], &redis, streams, false).await;
    }
    for (count, part) in (1..=3).map(|count| (count, streams * count / 3)) {
        let what = format!("with a store, {count} × {} streams", streams / 3);
        run(&what, &all[..count], &redis, part, false).await;
    }
    run("with a store, read at another one", &all[..2], &redis, streams, true).await;
    println!("the writer takes {:.2} times the time that it takes without a store", with / without);
    replay(&all).await;
    Ok(())
}

/// Reads so many streams at these gateways. Returns the gateways' time of the processor for a delta, in microseconds.
async fn run(
    what: &str,
    gateways: &[&Gateway],
    redis: &Redis,
    streams: usize,
    elsewhere: bool,
) -> f64 {
    let before = (cpu(gateways), redis_cpu(redis));
    let begun = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..streams {
        let address = gateways[if elsewhere { 0 } else { number % gateways.len() }].address;
        let other = elsewhere.then(|| gateways[1].address);
        clients.spawn(async move {
            tokio::time::sleep(std::time::Duration::from_millis(number as u64 * 3)).await;
            read(address, other, &format!("1:{ITEMS}:{PAUSE}")).await
        });
    }
    let usage = clients.join_all().await;
    let deltas: u64 = usage.iter().sum();
    let time = begun.elapsed().as_secs_f64();
    let each = |after: f64, before: f64| (after - before) * 1e6 / deltas as f64;
    let cost = each(cpu(gateways), before.0);
    let of_redis = each(redis_cpu(redis), before.1);
    println!("{what:<36} {deltas:>8} {cost:>18.1} {of_redis:>14.1} {:>12.0}", deltas as f64 / time);
    cost
}

/// Reads one answer, at another gateway if there is one. Returns how many deltas the model sent.
async fn read(address: SocketAddr, other: Option<SocketAddr>, model: &str) -> u64 {
    let body = json!({"model": model, "messages": []}).to_string();
    let mut answer = http::send(address, http::post(body)).await.expect("an answer");
    let name = answer.header("patchwire-stream").expect("a stream");
    if let Some(other) = other {
        answer = http::send(other, http::get(&name, 0)).await.expect("an answer");
    }
    let text = answer.text().await;
    let (_, usage) = text.split_once("\"completion_tokens\":").expect("it has facts");
    usage.split(|byte: char| !byte.is_ascii_digit()).next().unwrap_or("").parse().expect("a number")
}

fn cpu(gateways: &[&Gateway]) -> f64 {
    let mut all = 0.0;
    for gateway in gateways {
        gateway.with(|process| all += seconds(process));
    }
    all
}

fn redis_cpu(redis: &Redis) -> f64 {
    let mut time = 0.0;
    redis.with(|process| time = seconds(process));
    time
}

/// The time of the processor that a process has taken, in seconds. The system counts it in hundredths.
fn seconds(process: &Process) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap_or_default();
    let (_, fields) = stat.rsplit_once(") ").unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// How long an answer of 100 KB takes for a client that comes back for its last events.
async fn replay(gateways: &[&Gateway]) {
    println!(
        "\n{:<28} {:>9} {:>22} {:>18}",
        "an answer of 100 KB, read", "events", "for the last event ms", "from the start ms"
    );
    for (items, pause, what) in [(1750, 0, "as the model was fast"), (1750, 2, "a delta at a time")]
    {
        let body = json!({"model": format!("1:{items}:{pause}"), "messages": []}).to_string();
        let answer = http::send(gateways[0].address, http::post(body)).await.expect("an answer");
        let name = answer.header("patchwire-stream").expect("a stream");
        let events = answer.text().await.matches("id: ").count() as u64;
        let [mut last, mut whole] = [f64::INFINITY; 2];
        for _ in 0..10 {
            for (best, after) in [(&mut last, events - 1), (&mut whole, 0)] {
                let begun = Instant::now();
                let answer = http::send(gateways[1].address, http::get(&name, after))
                    .await
                    .expect("an answer");
                let text = answer.text().await;
                assert_eq!(text.matches("id: ").count() as u64, events - after);
                *best = best.min(begun.elapsed().as_secs_f64() * 1e3);
            }
        }
        println!("{what:<28} {events:>9} {last:>22.1} {whole:>18.1}");
    }
}
