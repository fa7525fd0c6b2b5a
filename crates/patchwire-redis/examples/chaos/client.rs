//! A client that wants one answer, wherever it has to go for it.

use core::time::Duration;
use std::net::SocketAddr;

use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use crate::http::{self, Answer};
use crate::told::{Told, Verdict, code};

/// How a client reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// To the end, as fast as it comes.
    Reads,
    /// With pauses.
    Slow,
    /// Leaves and comes back to another instance, again and again.
    Moves,
    /// Twice at once, on two instances.
    Twice,
}

impl Behaviour {
    pub(crate) const ALL: [Self; 4] = [Self::Reads, Self::Slow, Self::Moves, Self::Twice];
}

/// What a client asks for.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) model: String,
    pub(crate) behaviour: Behaviour,
    pub(crate) may_repeat: bool,
    /// Where it begins, and where it goes when it comes back.
    pub(crate) gateways: Vec<SocketAddr>,
    pub(crate) number: usize,
}

/// A client goes elsewhere after so much silence.
const SILENCE: Duration = Duration::from_secs(6);
/// How long a client tries in all.
const PATIENCE: Duration = Duration::from_secs(90);

/// What became of a stream, and the longest silence.
pub(crate) struct Became {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) silence: Duration,
}

struct Client {
    wish: Wish,
    told: Told,
    silence: Duration,
    heard: Instant,
    end: Instant,
}

pub(crate) async fn run(wish: Wish, undisturbed: std::sync::Arc<Vec<String>>) -> Became {
    let now = Instant::now();
    let mut client = Client {
        wish,
        told: Told::default(),
        silence: Duration::ZERO,
        heard: now,
        end: now + PATIENCE,
    };
    let verdicts = match client.begin().await {
        Err(verdict) => vec![verdict],
        Ok((name, answer)) => {
            let other = client.twin();
            let mut verdicts = vec![
                client
                    .read(&name, Some(answer))
                    .await
                    .unwrap_or_else(|| client.told.judge(&undisturbed)),
            ];
            if let Some(mut twin) = other {
                verdicts.push(
                    twin.read(&name, None).await.unwrap_or_else(|| twin.told.judge(&undisturbed)),
                );
            }
            verdicts
        }
    };
    Became { verdicts, silence: client.silence }
}

impl Client {
    fn gateway(&self, turn: usize) -> SocketAddr {
        self.wish.gateways[(self.wish.number + turn) % self.wish.gateways.len()]
    }

    /// Asks for the answer. A request that did not begin is a typed error, or is sent again if nobody answered.
    async fn begin(&self) -> Result<(String, Answer), Verdict> {
        let mut body =
            json!({"model": self.wish.model, "messages": [{"role": "user", "content": "Go."}]});
        if self.wish.may_repeat {
            body["patchwire"] = json!({"max_retries": 3});
        }
        for turn in 0.. {
            if Instant::now() > self.end {
                break;
            }
            let Some(answer) = http::send(self.gateway(turn), http::post(body.to_string())).await
            else {
                sleep(Duration::from_millis(100)).await;
                continue;
            };
            match (answer.status(), answer.header("patchwire-stream")) {
                (200, Some(name)) => return Ok((name, answer)),
                (status, _) => {
                    let said = answer.text().await;
                    let code =
                        code(&said).map(|code| Verdict::Typed(format!("{code} (not begun)")));
                    return Err(
                        code.unwrap_or_else(|| Verdict::Lost(format!("{status} without a code")))
                    );
                }
            }
        }
        Err(Verdict::Lost("nobody took the request".to_owned()))
    }

    /// A second reader of the same answer, for clients that read it twice.
    fn twin(&self) -> Option<Self> {
        (self.wish.behaviour == Behaviour::Twice).then(|| {
            let mut wish = self.wish.clone();
            wish.number += 1;
            let now = Instant::now();
            Self {
                wish,
                told: Told::default(),
                silence: Duration::ZERO,
                heard: now,
                end: now + PATIENCE,
            }
        })
    }

    /// Reads to the end, on as many connections as that takes. A verdict if the answer cannot be had.
    async fn read(&mut self, name: &str, mut answer: Option<Answer>) -> Option<Verdict> {
        let mut turn = 0;
        while !self.told.has_ended() {
            if Instant::now() > self.end {
                return Some(Verdict::Lost(format!("no end behind event {}", self.told.last())));
            }
            match answer.take() {
                Some(answer) => self.listen(answer).await,
                None => {
                    turn += 1;
                    match self.come_back(name, turn).await {
                        Ok(next) => answer = next,
                        Err(verdict) => return Some(verdict),
                    }
                }
            }
        }
        None
    }

    /// Takes the rest at an instance. None if it cannot be had there now.
    async fn come_back(&self, name: &str, turn: usize) -> Result<Option<Answer>, Verdict> {
        let answer = http::send(self.gateway(turn), http::get(name, self.told.last())).await;
        let Some(answer) = answer else {
            sleep(Duration::from_millis(100)).await;
            return Ok(None);
        };
        match answer.status() {
            200 => Ok(Some(answer)),
            503 | 500 => {
                sleep(Duration::from_millis(300)).await;
                Ok(None)
            }
            status => {
                let said = answer.text().await;
                Err(match code(&said) {
                    Some(code) if status == 410 => Verdict::Typed(code),
                    code => Verdict::Lost(format!(
                        "{status} {code:?} behind event {}",
                        self.told.last()
                    )),
                })
            }
        }
    }

    /// Listens until the stream ends, breaks, is silent for too long, or the client leaves.
    async fn listen(&mut self, mut answer: Answer) {
        let leaves_after = match self.wish.behaviour {
            Behaviour::Moves => 10 + self.wish.number % 40,
            _ => usize::MAX,
        };
        let before = self.told.events.len();
        loop {
            match timeout(SILENCE, answer.more()).await {
                Ok(Ok(Some(bytes))) => self.told.take(&bytes),
                _ => break,
            }
            self.silence = self.silence.max(self.heard.elapsed());
            self.heard = Instant::now();
            let is_done = self.told.has_ended() || self.told.unnumbered.take().is_some();
            if is_done || self.told.events.len() - before >= leaves_after {
                break;
            }
            if self.wish.behaviour == Behaviour::Slow && self.told.events.len().is_multiple_of(16) {
                sleep(Duration::from_millis(400)).await;
            }
        }
        self.told.broke_off();
    }
}
