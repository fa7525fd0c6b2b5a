//! Pieces of a stream through a channel, and when each is due.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::source::{SourceError, Stream};

/// What a source of bytes sends.
#[derive(Debug)]
pub(crate) enum Fed {
    /// What comes at once.
    Piece(Vec<u8>),
    /// There is no more.
    End,
    /// There is no more, because the source broke off.
    Failed(SourceError),
}

/// With when it came.
#[derive(Debug)]
pub(crate) struct Timed<F> {
    pub(super) fed: F,
    /// When it came, from the beginning of the stream.
    pub(super) came: Duration,
    /// When it is to be shown, from the beginning of the view; none for at once.
    pub(super) due: Option<Duration>,
}

impl<F> Timed<F> {
    /// To be shown as soon as what came before it is.
    pub(super) const fn at_once(fed: F, came: Duration) -> Self {
        Self { fed, came, due: None }
    }
}

/// What comes, and how fast it is shown.
pub(crate) struct Feed<F> {
    receiver: Receiver<Timed<F>>,
    pace: Pace,
}

impl<F> Feed<F> {
    pub(super) const fn new(receiver: Receiver<Timed<F>>, pace: Pace) -> Self {
        Self { receiver, pace }
    }

    /// What has come.
    pub(super) fn next(&self) -> Result<Timed<F>, TryRecvError> {
        self.receiver.try_recv()
    }

    /// What time it is in the stream, so long after the view began; of this its clock may have stood.
    pub(super) fn now(&self, since: Duration, ran: Duration) -> Duration {
        match self.pace {
            Pace::Live => since,
            Pace::Times(speed) => {
                Duration::try_from_secs_f64(ran.as_secs_f64() * speed).unwrap_or(Duration::MAX)
            }
        }
    }
}

/// How fast what is not live is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    /// As it comes.
    Live,
    /// So many times as fast as it was recorded, or as [`EACH`] says.
    Times(f64),
}

/// Between two pieces of which no time is known: 40 of them are a second.
const EACH: Duration = Duration::from_millis(25);

impl Pace {
    fn due(self, came: Duration) -> Option<Duration> {
        match self {
            Self::Live => None,
            Self::Times(speed) => Duration::try_from_secs_f64(came.as_secs_f64() / speed).ok(),
        }
    }
}

/// Pieces that wait for the view, at most.
const WAITING: usize = 256;

/// Reads a stream aside, and sends what it gives.
pub(crate) fn send(stream: Stream, pace: Pace) -> Feed<Fed> {
    let (sender, receiver) = sync_channel(WAITING);
    thread::spawn(move || send_all(stream, pace, &sender));
    Feed::new(receiver, pace)
}

fn send_all(mut stream: Stream, pace: Pace, sender: &SyncSender<Timed<Fed>>) {
    let began = Instant::now();
    let mut number = 0;
    loop {
        let timed = match stream.next_piece() {
            Ok(Some(piece)) => {
                let came = match (piece.at, pace) {
                    (Some(at), _) => at,
                    (None, Pace::Live) => began.elapsed(),
                    (None, Pace::Times(_)) => EACH * number,
                };
                number += 1;
                let due = pace.due(came);
                Timed { fed: Fed::Piece(piece.bytes.to_vec()), came, due }
            }
            Ok(None) => Timed::at_once(Fed::End, began.elapsed()),
            Err(error) => Timed::at_once(Fed::Failed(error), began.elapsed()),
        };
        let is_last = !matches!(timed.fed, Fed::Piece(_));
        // Nobody watches any more.
        if sender.send(timed).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Fed, Pace, send};
    use crate::source::Stream;

    fn dues(pace: Pace) -> Vec<Option<Duration>> {
        let stream = Stream::of("test", vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
        let all = send(stream, pace).receiver.into_iter();
        all.filter(|timed| matches!(timed.fed, Fed::Piece(_))).map(|timed| timed.due).collect()
    }

    #[test]
    fn forty_pieces_are_a_second() {
        let every = |millis: [u64; 3]| millis.map(|millis| Some(Duration::from_millis(millis)));
        assert_eq!(dues(Pace::Times(1.0)), every([0, 25, 50]));
        assert_eq!(dues(Pace::Times(0.5)), every([0, 50, 100]));
        assert_eq!(dues(Pace::Live), [None; 3]);
    }
}
