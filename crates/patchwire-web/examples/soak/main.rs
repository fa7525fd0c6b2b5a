//! Runs a gateway for long, with clients that vanish, come back, read slowly or cancel.
//!
//! ```text
//! cargo run -p patchwire-web --release --example soak -- [--seconds 600] [--streams 200] [--pace 0] [--seed 1]
//! ```
//!
//! `--pace` is the mean time between two pieces of an answer in milliseconds; 0 keeps all processors busy.
//! Server, model and clients are in this process and speak over sockets. Each client checks every event: that none
//! is missing, that each text belongs to its own stream, and that the deltas add up to the values. A line is printed
//! every thirtieth of the time. The status is 1 if an event was lost or mixed up, or if the process takes more than
//! 1.25 times the memory at the end that it took after a quarter of the time.
#![expect(clippy::print_stdout, reason = "it prints a table")]

mod checked;
mod client;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use patchwire_web::{Limits, Options, serve_until};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use client::{Behaviour, Client, Tally};

/// The most that the memory may grow from a quarter of the time to the end.
const GROWTH: f64 = 1.25;

struct Settings {
    seconds: u64,
    streams: usize,
    pace: u64,
    seed: u64,
}

impl Settings {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self { seconds: 600, streams: 200, pace: 0, seed: 1 };
        while let Some(name) = args.next() {
            let mut number = || {
                let value = args.next().and_then(|value| value.parse::<u64>().ok());
                value.ok_or_else(|| format!("`{name}` needs a number"))
            };
            match &*name {
                "--seconds" => settings.seconds = number()?,
                "--streams" => settings.streams = usize::try_from(number()?).unwrap_or(usize::MAX),
                "--pace" => settings.pace = number()?,
                "--seed" => settings.seed = number()?,
                _ => {
                    return Err(format!(
                        "there are --seconds, --streams, --pace and --seed, and no {name}"
                    ));
                }
            }
        }
        Ok(settings)
    }
}

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map(|runtime| runtime.block_on(soak(settings))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("no runtime: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing was lost or mixed up, and the memory stayed flat.
async fn soak(settings: Settings) -> bool {
    let Settings { seconds, streams, pace, seed } = settings;
    rlimit::increase_nofile_limit(8 * streams as u64 + 256).expect("sockets");
    let limits = Limits {
        // Those that wait for their client, too: half a minute each, and each client leaves several a second.
        streams: 128 * streams,
        connections: 4 * streams,
        // All clients begin at once, and a busy machine may not have come to the first by then.
        waiting: 8 * streams,
        ..Limits::default()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it is bound");
    let (stop, stopped) = oneshot::channel::<()>();
    let options = Options::default()
        .with_limits(limits)
        .with_upstream(client::model(Duration::from_millis(pace)));
    let server = tokio::spawn(serve_until(listener, options, async {
        let _ = stopped.await;
    }));
    let tally = Arc::new(Tally::default());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut clients = JoinSet::new();
    for number in 0..streams {
        let client = Client::new(address, Arc::clone(&tally), seed ^ (number as u64) << 32);
        clients.spawn(client.run(number, end));
    }
    let (quarter, last) = watch(&tally, Duration::from_secs(seconds)).await;
    let failed = clients.join_all().await.into_iter().sum::<usize>();
    drop(stop);
    let stopped = server.await.expect("the server does not panic").expect("it ran");
    let growth = last / quarter.max(1.0);
    println!(
        "memory {quarter:.1} MiB after a quarter, {last:.1} MiB at the end: {growth:.2} times"
    );
    println!(
        "{failed} streams with lost or mixed events; {} connections aborted at the end",
        stopped.aborted
    );
    failed == 0 && growth <= GROWTH
}

/// Prints a line every thirtieth of the time. The memory after a quarter of it, and at the end.
async fn watch(tally: &Tally, time: Duration) -> (f64, f64) {
    let begun = Instant::now();
    let names = Behaviour::ALL.map(|behaviour| format!("{behaviour:?}").to_lowercase());
    println!(
        "{:>7} {:>8} {:>12} {}",
        "seconds",
        "MiB",
        "events",
        names.map(|name| format!("{name:>9}")).concat()
    );
    let mut quarter = 0.0;
    let mut last = 0.0;
    for step in 1..=30_u32 {
        tokio::time::sleep_until((begun + time * step / 30).into()).await;
        last = resident();
        if step <= 8 {
            quarter = last;
        }
        let counts = Behaviour::ALL.map(|behaviour| format!("{:>9}", tally.streams(behaviour)));
        println!(
            "{:>7} {last:>8.1} {:>12} {}",
            begun.elapsed().as_secs(),
            tally.events(),
            counts.concat()
        );
    }
    (quarter, last)
}

/// The memory of this process in MiB; 0 where the system does not say.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}
