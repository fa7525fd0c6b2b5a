//! The chunks of a stream, sent through a channel with the time each is due.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::source::{SourceError, Stream};

use crate::pace::Pace;

/// What a source of bytes sends.
#[derive(Debug)]
pub(crate) enum ByteMessage {
    Chunk(Vec<u8>),
    End,
    /// The source broke off.
    Failed(SourceError),
}

/// A message with its times.
#[derive(Debug)]
pub(crate) struct Timed<M> {
    pub(super) message: M,
    /// When it arrived, from the beginning of the stream.
    pub(super) arrived: Duration,
    /// When it is to be shown, from the beginning of the view; `None` for at once.
    pub(super) due: Option<Duration>,
}

impl<M> Timed<M> {
    /// A message that is shown as soon as those before it are.
    pub(super) const fn at_once(message: M, arrived: Duration) -> Self {
        Self { message, arrived, due: None }
    }
}

/// The receiving end of a channel, and the pace at which its messages are shown.
pub(crate) struct TimedReceiver<M> {
    receiver: Receiver<Timed<M>>,
    pace: Pace,
}

impl<M> TimedReceiver<M> {
    pub(super) const fn new(receiver: Receiver<Timed<M>>, pace: Pace) -> Self {
        Self { receiver, pace }
    }

    /// The next message, without waiting for it.
    pub(super) fn next(&self) -> Result<Timed<M>, TryRecvError> {
        self.receiver.try_recv()
    }

    /// How many times as fast as the stream it is shown.
    pub(super) const fn speed(&self) -> f64 {
        match self.pace {
            Pace::Live => 1.0,
            Pace::Times(times) => times,
        }
    }

    /// The time in the stream; see [`Pace::stream_time`].
    pub(super) fn stream_time(&self, since: Duration, ran: Duration) -> Duration {
        self.pace.stream_time(since, ran)
    }
}

/// The time between two chunks whose times are unknown: 40 chunks a second.
const CHUNK_INTERVAL: Duration = Duration::from_millis(25);

/// How many chunks may be pending.
const CAPACITY: usize = 256;

/// Reads a stream on a thread of its own, and sends its chunks.
pub(crate) fn spawn_reader(stream: Stream, pace: Pace) -> TimedReceiver<ByteMessage> {
    let (sender, receiver) = sync_channel(CAPACITY);
    thread::spawn(move || send_all(stream, pace, &sender));
    TimedReceiver::new(receiver, pace)
}

fn send_all(mut stream: Stream, pace: Pace, sender: &SyncSender<Timed<ByteMessage>>) {
    let began = Instant::now();
    let mut number = 0;
    loop {
        let timed = match stream.next_timed_chunk() {
            Ok(Some(chunk)) => {
                let arrived = match (chunk.at, pace) {
                    (_, Pace::Live) => began.elapsed(),
                    (Some(at), Pace::Times(_)) => at,
                    (None, Pace::Times(_)) => CHUNK_INTERVAL * number,
                };
                number += 1;
                let due = pace.due(arrived);
                Timed { message: ByteMessage::Chunk(chunk.bytes.to_vec()), arrived, due }
            }
            Ok(None) => Timed::at_once(ByteMessage::End, began.elapsed()),
            Err(error) => Timed::at_once(ByteMessage::Failed(error), began.elapsed()),
        };
        let is_last = !matches!(timed.message, ByteMessage::Chunk(_));
        // Sending fails when the view was closed.
        if sender.send(timed).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ByteMessage, Pace, spawn_reader};
    use crate::source::Stream;

    fn dues(pace: Pace) -> Vec<Option<Duration>> {
        let stream = Stream::of("test", vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]);
        let all = spawn_reader(stream, pace).receiver.into_iter();
        all.filter(|timed| matches!(timed.message, ByteMessage::Chunk(_)))
            .map(|timed| timed.due)
            .collect()
    }

    #[test]
    fn forty_pieces_are_a_second() {
        let every = |millis: [u64; 3]| millis.map(|millis| Some(Duration::from_millis(millis)));
        assert_eq!(dues(Pace::Times(1.0)), every([0, 25, 50]));
        assert_eq!(dues(Pace::Times(0.5)), every([0, 50, 100]));
        assert_eq!(dues(Pace::Live), [None; 3]);
    }
}
