//! The model, and clients that behave as clients do.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::Full;
use hyper::{Request, StatusCode, header};
use patchwire_web::upstream::{Chat, Delta, Deltas, Upstream, UpstreamError};
use tokio::time::{sleep, timeout};

use crate::checked::{Broken, Checked, answer};
use crate::support::{Closing, Events, Model, chat, connect};

/// What a client does with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// Reads to the end.
    Reads,
    /// Reads with pauses.
    Slow,
    /// Closes the connection and comes back, up to four times.
    Returns,
    /// Closes the connection and never comes back.
    Vanishes,
    /// Cancels the stream.
    Cancels,
}

impl Behaviour {
    pub(crate) const ALL: [Self; 5] =
        [Self::Reads, Self::Slow, Self::Returns, Self::Vanishes, Self::Cancels];
}

/// What all clients have seen.
#[derive(Default)]
pub(crate) struct Tally {
    events: AtomicU64,
    streams: [AtomicU64; Behaviour::ALL.len()],
}

impl Tally {
    pub(crate) fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    pub(crate) fn streams(&self, behaviour: Behaviour) -> u64 {
        self.streams[behaviour as usize].load(Ordering::Relaxed)
    }
}

/// Numbers without a pattern (splitmix64).
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Below `most`.
    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).unwrap_or_default()
    }
}

/// Answers with the text that the name asks for: `stream-7-3:40:1` has forty items, and its pieces come from the
/// seed 1. Between two pieces it waits for `pace` on average.
pub(crate) fn model(pace: Duration) -> impl Upstream {
    Model(move |chat: Chat| says(&chat, pace))
}

fn says(chat: &Chat, pace: Duration) -> Result<Deltas, UpstreamError> {
    let name = chat.body.text("model").unwrap_or_default();
    let mut parts = name.rsplit(':').map(str::parse::<u64>);
    let (Some(Ok(seed)), Some(Ok(items))) = (parts.next(), parts.next()) else {
        return Err(UpstreamError::NoModel(name));
    };
    let items = usize::try_from(items).unwrap_or_default();
    let text = Bytes::from(answer(&name, items).to_string());
    let pieces = stream::unfold((0, Random(seed)), move |(at, mut random)| {
        let text = text.clone();
        async move {
            if random.below(16) == 0 {
                sleep(Duration::from_millis(1 + random.next() % 20)).await;
            }
            if !pace.is_zero() {
                sleep(pace.mul_f64(random.below(2000) as f64 / 1000.0)).await;
            }
            // Mostly tokens; at times all that is left comes at once.
            let most = if random.below(200) == 0 { 20_000 } else { 40 };
            let end = text.len().min(at + 1 + random.below(most));
            (at < text.len()).then(|| (Ok(Delta::Text(text.slice(at..end))), (end, random)))
        }
    });
    Ok(pieces.boxed())
}

pub(crate) struct Client {
    address: SocketAddr,
    tally: Arc<Tally>,
    random: Random,
}

/// No stream of this test takes as long.
const LONG: Duration = Duration::from_secs(120);

impl Client {
    pub(crate) const fn new(address: SocketAddr, tally: Arc<Tally>, seed: u64) -> Self {
        Self { address, tally, random: Random(seed) }
    }

    /// Reads streams until the end. How many were broken.
    pub(crate) async fn run(mut self, number: usize, end: Instant) -> usize {
        let mut broken = 0;
        let mut stream = 0;
        while Instant::now() < end {
            let behaviour = Behaviour::ALL[self.random.below(Behaviour::ALL.len())];
            let items = 1 + self.random.below(120);
            let name = format!("stream-{number}-{stream}:{items}:{}", self.random.next() >> 8);
            stream += 1;
            let read = timeout(LONG, self.stream(name.clone(), items, behaviour)).await;
            match read.unwrap_or_else(|_| Err(format!("{name}: no end within {LONG:?}"))) {
                Ok(()) => {
                    self.tally.streams[behaviour as usize].fetch_add(1, Ordering::Relaxed);
                }
                Err(error) => {
                    broken += 1;
                    println!("{behaviour:?} {error}");
                }
            }
        }
        broken
    }

    async fn stream(
        &mut self,
        name: String,
        items: usize,
        behaviour: Behaviour,
    ) -> Result<(), Broken> {
        let response = connect(self.address, chat(&name)).await;
        if response.status() != StatusCode::OK {
            return Err(format!("{name}: {}", response.status()));
        }
        let stream = response.headers().get("patchwire-stream").and_then(|name| name.to_str().ok());
        let path = format!("/v1/fields/{}", stream.unwrap_or_default());
        let mut events = Events::of(response);
        let mut checked = Checked::new(name, items);
        let mut returns = match behaviour {
            Behaviour::Returns => 1 + self.random.below(4),
            _ => 0,
        };
        loop {
            let leaves = !matches!(behaviour, Behaviour::Reads | Behaviour::Slow);
            let most = if leaves { self.random.below(400) } else { usize::MAX };
            if self.read(&mut events, &mut checked, (most, behaviour == Behaviour::Slow)).await? {
                return Ok(());
            }
            drop(events);
            match behaviour {
                Behaviour::Cancels => return self.cancel(&path).await,
                Behaviour::Vanishes => return Ok(()),
                _ => {}
            }
            sleep(Duration::from_millis(self.random.next() % 200)).await;
            let Some(again) = self.come_back(&path, &checked).await? else { return Ok(()) };
            events = again;
            returns = returns.saturating_sub(1);
            if returns == 0 {
                let read = self.read(&mut events, &mut checked, (usize::MAX, false)).await?;
                return if read { Ok(()) } else { Err(format!("{path}: it has no end")) };
            }
        }
    }

    /// Reads up to so many events, with pauses or without. Whether the last one was among them.
    async fn read(
        &mut self,
        events: &mut Events<Closing>,
        checked: &mut Checked,
        (most, pauses): (usize, bool),
    ) -> Result<bool, Broken> {
        for _ in 0..most {
            if pauses && self.random.below(50) == 0 {
                sleep(Duration::from_millis(self.random.next() % 100)).await;
            }
            let Some(emitted) = events.next().await else {
                return Err(format!("the stream ends behind event {}", checked.last));
            };
            self.tally.events.fetch_add(1, Ordering::Relaxed);
            if checked.event(&emitted)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The rest of the stream; none if no event follows.
    async fn come_back(
        &self,
        path: &str,
        checked: &Checked,
    ) -> Result<Option<Events<Closing>>, Broken> {
        let request = Request::get(path)
            .header(header::HOST, "localhost")
            .header("last-event-id", checked.last)
            .body(Full::default());
        let response = connect(self.address, request.map_err(|error| error.to_string())?).await;
        match response.status() {
            StatusCode::OK => Ok(Some(Events::of(response))),
            StatusCode::NO_CONTENT => {
                Err(format!("{path}: no event follows event {}", checked.last))
            }
            status => Err(format!("{path}: {status} behind event {}", checked.last)),
        }
    }

    async fn cancel(&self, path: &str) -> Result<(), Broken> {
        let request = Request::delete(path).header(header::HOST, "localhost").body(Full::default());
        let response = connect(self.address, request.map_err(|error| error.to_string())?).await;
        match response.status() {
            StatusCode::NO_CONTENT => Ok(()),
            status => Err(format!("{path}: it cannot be cancelled: {status}")),
        }
    }
}
