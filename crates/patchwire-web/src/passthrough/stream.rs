//! The body of a response that is passed back: as it is, or with the events of its answer.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};

use super::editor::Editor;
use super::frames::{Frame, Frames};
use super::own_events::OwnEvents;
use super::places::Dialect;
use super::unanswered::Unanswered;
use crate::answer_events::Costs;
use crate::budget::OverBudget;
use crate::problem::Problem;
use crate::session::{Emitted, Stop};
use crate::upstream::{ReplyBody, UpstreamError};
use crate::work::LIGHT;

/// A body as it is. If it breaks off, so does the client's.
pub(super) fn unchanged(body: ReplyBody) -> impl Stream<Item = Emitted> + Send {
    body.filter(|chunk| core::future::ready(!matches!(chunk, Ok(bytes) if bytes.is_empty())))
        .map(|chunk| chunk.map_or(Emitted::Broken, Emitted::Bytes))
}

/// How a body that is passed on ends if it is ended from outside: a stream says so, and ends the answers that its client
/// waits for.
pub(super) fn last_words(
    stream: Option<Dialect>,
    unanswered: Unanswered,
) -> impl Fn(Stop) -> Emitted + Send + 'static {
    move |stop| {
        let Some(dialect) = stream else { return Emitted::Broken };
        let error = OwnEvents::error(dialect, stop.code(), &stop.to_string());
        Emitted::Bytes((unanswered.events(dialect, stop) + &error).into())
    }
}

/// A stream of events, with those of its fields in the deltas.
pub(super) fn with_fields(
    body: ReplyBody,
    editor: Editor,
    (dialect, unanswered): (Dialect, Unanswered),
    costs: Costs,
) -> impl Stream<Item = Emitted> + Send {
    unanswered.set(editor.own(), editor.unanswered());
    let stream = FieldStream {
        unanswered,
        answered: editor.answered(),
        body: Some(body),
        dialect,
        frames: Frames::new(),
        waiting: VecDeque::new(),
        editor: Some(Box::new(editor)),
        has_work: false,
        end: End::Open,
        costs,
        ready: VecDeque::new(),
    };
    stream::unfold(stream, |mut stream| async move { Some((stream.next().await?, stream)) })
}

struct FieldStream {
    unanswered: Unanswered,
    /// How many answers there are, and how many of them the client has.
    answered: (usize, usize),
    /// None after its end.
    body: Option<ReplyBody>,
    dialect: Dialect,
    frames: Frames,
    waiting: VecDeque<Frame>,
    /// None after a failure of the gateway's own.
    editor: Option<Box<Editor>>,
    /// Whether the editor has an event to work on.
    has_work: bool,
    end: End,
    costs: Costs,
    ready: VecDeque<Bytes>,
}

/// How far the end of the model's stream has come.
#[derive(Clone, Copy)]
enum End {
    Open,
    /// There are no more bytes. The answers end after what waits.
    Ending {
        /// Whether the last event lacks its blank line.
        lacks_blank_line: bool,
    },
    Over,
}

impl FieldStream {
    async fn next(&mut self) -> Option<Emitted> {
        loop {
            while let Some(bytes) = self.ready.pop_front() {
                if !bytes.is_empty() {
                    self.note_answered();
                    return Some(Emitted::Bytes(bytes));
                }
            }
            self.check_budget();
            if self.has_work {
                self.turn().await;
            } else if let Some(frame) = self.waiting.pop_front() {
                self.offer(frame);
            } else {
                match self.end {
                    End::Open => self.receive().await?,
                    End::Ending { lacks_blank_line } => self.finish(lacks_blank_line).await,
                    End::Over => return None,
                }
            }
        }
    }

    /// Notes which answers the client has when it has what is emitted now.
    fn note_answered(&mut self) {
        let Some(editor) = self.editor.as_ref().filter(|_| self.ready.is_empty()) else { return };
        let answered = editor.answered();
        if core::mem::replace(&mut self.answered, answered) != answered {
            self.unanswered.set(editor.own(), editor.unanswered());
        }
    }

    /// Ends the readers of a request that took too much time. The stream goes on as it is.
    fn check_budget(&mut self) {
        if let (Err(error), Some(editor)) = (self.costs.budget.check(), &mut self.editor) {
            editor.fail_with(OverBudget::CODE, &error.to_string(), &mut self.ready);
            self.has_work = false;
        }
    }

    fn offer(&mut self, frame: Frame) {
        match &mut self.editor {
            Some(editor) => {
                self.has_work = matches!(frame, Frame::Event(_));
                self.costs.budget.measure_light(|| editor.offer(frame, &mut self.ready));
            }
            None => self.ready.push_back(frame.into_bytes()),
        }
    }

    /// Works on an event.
    async fn turn(&mut self) {
        let weight = self.editor.as_ref().map_or(0, |editor| editor.weight());
        self.has_work = !self.work(weight, |editor, ready| editor.turn(ready)).await;
    }

    /// Ends the answers that have not ended.
    async fn finish(&mut self, lacks_blank_line: bool) {
        self.end = End::Over;
        let weight = self.editor.as_ref().map_or(0, |editor| editor.end_weight());
        let finish = move |editor: &mut Editor, ready: &mut VecDeque<Bytes>| {
            let mut last = VecDeque::new();
            editor.finish(lacks_blank_line, &mut last);
            if lacks_blank_line && !last.is_empty() {
                ready.push_back(Bytes::from_static(b"\n\n"));
            }
            ready.append(&mut last);
            true
        };
        self.work(weight, finish).await;
    }

    /// Lets the editor work: here if that is little work. Whether it is done.
    async fn work(
        &mut self,
        weight: usize,
        work: impl FnOnce(&mut Editor, &mut VecDeque<Bytes>) -> bool + Send + 'static,
    ) -> bool {
        let Some(mut editor) = self.editor.take() else { return true };
        let Costs { pool, budget, .. } = &self.costs;
        if weight <= LIGHT {
            let is_done = budget.measure_light(|| work(&mut editor, &mut self.ready));
            self.editor = Some(editor);
            return is_done;
        }
        let mut ready = core::mem::take(&mut self.ready);
        let work = move || {
            let is_done = work(&mut editor, &mut ready);
            (editor, ready, is_done)
        };
        if let Some((editor, ready, is_done)) = pool.turn(budget, work).await {
            (self.editor, self.ready) = (Some(editor), ready);
            return is_done;
        }
        // What was worked on is lost: the stream cannot go on as it is.
        (self.body, self.end) = (None, End::Over);
        self.waiting.clear();
        let problem = Problem::WorkFailed;
        let error = OwnEvents::error(self.dialect, problem.code(), &problem.to_string());
        self.ready.push_back(error.into());
        true
    }

    /// The model's next bytes, or its end; `None` if that was passed on before.
    async fn receive(&mut self) -> Option<()> {
        // Others have their turn, if the model is faster than its reader.
        tokio::task::coop::consume_budget().await;
        match self.body.as_mut()?.next().await {
            Some(Ok(chunk)) => {
                if let Some(editor) = &mut self.editor {
                    editor.see(&chunk);
                }
                self.frames.feed(&chunk, &mut self.waiting);
            }
            Some(Err(error)) => self.broken(&error),
            None => {
                self.body = None;
                self.frames.finish(&mut self.waiting);
                self.end = End::Ending { lacks_blank_line: !self.waiting.is_empty() };
            }
        }
        Some(())
    }

    /// The model's stream broke off. The incomplete last event is dropped, because no client could read it.
    fn broken(&mut self, error: &UpstreamError) {
        (self.body, self.end) = (None, End::Over);
        if let Some(editor) = &mut self.editor {
            editor.fail(error, &mut self.ready);
        }
        let error = OwnEvents::error(self.dialect, error.code(), &error.to_string());
        self.ready.push_back(error.into());
    }
}
