//! Streams that clients leave and come back to, at moments that a seed chooses: on one instance, and on two with one store.
//!
//! All that the model and the limits time is a multiple of 25 ms, and a client does something at other moments. So nothing
//! depends on which of two things at the same moment comes first.

use std::fmt::Write as _;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http_body_util::BodyExt as _;
use hyper::{Request, Response};
use patchwire_web::store::{MemoryStore, StoreSettings};
use patchwire_web::{Limits, Options, router};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::asked::{counters, runtime};
use super::models::{Scripted, attempts};
use super::shared::{Random, compare};
use crate::support::{after, get, post, send};

/// Requests whose answers are followed.
const BODIES: [&str; 9] = [
    "{}",
    "{\"patchwire\": {\"raw\": true}}",
    "{\"patchwire\": {\"wire\": \"compact\", \"max_retries\": 2}}",
    "{\"patchwire\": {\"wire\": \"ops\"}}",
    "{\"patchwire\": {\"wire\": \"json-patch\", \"resend_ms\": 1700}}",
    "{\"patchwire\": {\"wire\": \"ag-ui\", \"max_retries\": 1}}",
    "{\"patchwire\": {\"wire\": \"ui-message\"}}",
    "{\"patchwire\": {\"max_retries\": 3, \"schema\": {\"title\": \"str\"}, \"ensure\": [\"title\"]}}",
    "{\"patchwire\": {\"format\": \"text\"}}",
];

const SECOND: Duration = Duration::from_secs(1);

/// When a client does something after a whole second.
const LATER: Duration = Duration::from_millis(330);

/// A client: what it has read, and when it does the next thing.
struct Client {
    now: Instant,
    name: String,
    body: Option<Body>,
    /// The number of the last event that it has.
    last: u64,
    out: String,
}

impl Client {
    /// Takes a response. Its name is as random as it should be.
    fn take(&mut self, response: Response<Body>) -> bool {
        let status = response.status();
        writeln!(self.out, "\n{status}").unwrap();
        self.body = Some(response.into_body());
        status == 200
    }

    /// Reads for so long, or to the end.
    async fn read(&mut self, seconds: u32) {
        self.now += seconds * SECOND;
        let Some(body) = &mut self.body else { return sleep_until(self.now).await };
        let mut read = Vec::new();
        let is_over = loop {
            match timeout_at(self.now, body.frame()).await {
                Ok(Some(Ok(frame))) => read.extend_from_slice(&frame.into_data().unwrap()),
                Ok(Some(Err(error))) => {
                    writeln!(self.out, "broken off: {error}").unwrap();
                    break true;
                }
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        let read = String::from_utf8(read).unwrap();
        let ids = read.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok());
        self.last = ids.fold(self.last, |_, id| id);
        writeln!(self.out, "{read}{is_over}").unwrap();
        if is_over {
            self.body = None;
            sleep_until(self.now).await;
        }
    }

    fn again(&self, random: &mut Random) -> Request<Body> {
        let name = if random.one_of(24) { "0123456789abcdef0123456789abcdef" } else { &self.name };
        let id = match random.below(8) {
            0 => 0,
            1 => self.last.saturating_sub(2),
            2 => self.last + 1,
            3 => self.last + 40,
            _ => self.last,
        };
        after(get(&format!("/v1/fields/{name}")), id)
    }

    /// Does one thing with one of the instances.
    async fn act(&mut self, apps: &[Router], random: &mut Random) {
        let app = &apps[random.below(apps.len())];
        match random.below(12) {
            0..=3 => self.read(1 + random.below(3) as u32).await,
            4 => {
                self.body = None;
                self.read(random.pick(&[1, 2, 6])).await;
            }
            5..=8 => {
                // The reader before is still there, or has left.
                let _before = if random.one_of(2) { self.body.take() } else { None };
                let request = self.again(random);
                let response = send(app, request).await;
                self.take(response);
                self.read(1).await;
            }
            9 => {
                let path = format!("/v1/fields/{}", self.name);
                let mut request = get(&path);
                *request.method_mut() = hyper::Method::DELETE;
                if random.one_of(3) {
                    let response = send(app, request).await;
                    writeln!(self.out, "deleted {}", response.status()).unwrap();
                }
            }
            10 => {
                // Another stream, which may need the place of this one.
                let status = send(app, post("{}")).await.status();
                writeln!(self.out, "another {status}").unwrap();
            }
            _ => self.read(4).await,
        }
    }
}

async fn scenario(apps: &[Router], model: &Scripted, random: &mut Random) -> String {
    let mut client = Client {
        now: Instant::now() + LATER,
        name: String::new(),
        body: None,
        last: 0,
        out: format!("{:?}\n", model.attempts.lock().unwrap()),
    };
    let body = random.pick(&BODIES);
    let mut request = post(body);
    if random.one_of(6) {
        request.headers_mut().insert("authorization", "Bearer sk-1".parse().unwrap());
    }
    let response = send(&apps[0], request).await;
    if let Some(name) = response.headers().get("patchwire-stream") {
        client.name = name.to_str().unwrap().to_owned();
    }
    sleep_until(client.now).await;
    if client.take(response) {
        client.read(random.below(3) as u32).await;
        for _ in 0..1 + random.below(5) {
            client.act(apps, random).await;
        }
        client.read(3).await;
        // Whatever happened before, one more client comes for all of it.
        let response = send(&apps[0], get(&format!("/v1/fields/{}", client.name))).await;
        client.take(response);
        client.read(90).await;
    }
    for app in apps {
        counters(app, &mut client.out).await;
    }
    format!("{body}\n{}\n{}", client.out, model.asked.lock().unwrap())
}

fn limits(random: &mut Random) -> Limits {
    Limits {
        streams: random.pick(&[1, 2, 256]),
        resume_bytes: random.pick(&[0, 200, 600, 1 << 20]),
        resume_time: random.pick(&[Duration::from_millis(3300), Duration::from_secs(30)]),
        stream_time: random.pick(&[Duration::from_millis(6300), Duration::from_secs(600)]),
        heartbeat: random.pick(&[Duration::from_millis(1300), Duration::from_secs(15)]),
        empty_deltas: random.pick(&[1, 100_000]),
        ..Limits::default()
    }
}

#[test]
fn on_one_instance() {
    compare("left", 20, |random| {
        let model = Scripted::default();
        *model.attempts.lock().unwrap() = attempts(Some(SECOND), random);
        let options = Options::default().with_limits(limits(random)).with_upstream(model.clone());
        runtime().block_on(async {
            let app = router(options).unwrap();
            scenario(&[app], &model, random).await
        })
    });
}

#[test]
fn on_two_instances_with_a_store() {
    compare("stored", 10, |random| {
        let model = Scripted::default();
        *model.attempts.lock().unwrap() = attempts(Some(SECOND), random);
        let settings = StoreSettings {
            lease: Duration::from_millis(2100),
            keep: random.pick(&[Duration::from_millis(8700), Duration::from_secs(900)]),
            answer_bytes: random.pick(&[150, 1 << 20, 1 << 20, 1 << 20]),
        };
        let limits = limits(random);
        runtime().block_on(async {
            let store = MemoryStore::default();
            let app = || {
                let options = Options::default().with_limits(limits.clone());
                let options = options.with_upstream(model.clone());
                router(options.with_store(store.clone(), settings.clone())).unwrap()
            };
            let apps = [app(), app()];
            scenario(&apps, &model, random).await
        })
    });
}
