//! Laws about the events of one run.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use patchwire::{
    Completion, Event, Outcome, PatchOp, Span, Spec,
    document::{DocId, NodeId},
    event::ElementId,
    notice::Severity,
};

use super::Found;
use crate::cuts::Cuts;
use crate::event_log::{Recorded, RecordedPatch, Recorder, Run, Summary, run_cut, run_whole};
use crate::fold::Folded;
use crate::tree::Tree;

/// L2: in the stream a path completes once and does not change afterwards.
///
/// # Errors
/// The patch that comes too late.
pub fn completions(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    let mut done: BTreeSet<(usize, &str)> = BTreeSet::new();
    for patch in run.patches() {
        let field = (patch.document.index(), &*patch.pointer);
        match patch.op {
            PatchOp::Replace if patch.completion.is_none() => {}
            PatchOp::Replace | PatchOp::Remove => {
                // The finalizer may set or remove complete values, and anything below them.
                check(patch.completion == Some(Completion::Reconciled), "not reconciled", patch)?;
            }
            PatchOp::Open | PatchOp::Delta => {
                check(!done.contains(&field), "after its completion", patch)?;
                check(patch.completion.is_none(), "with a completion", patch)?;
            }
            PatchOp::Done => {
                check(done.insert(field), "done a second time", patch)?;
                let observed = [Some(Completion::Observed), Some(Completion::EndOfInput)];
                check(observed.contains(&patch.completion), "done without a reason", patch)?;
            }
        }
    }
    before_the_end(&run)
}

/// Before the end of the input, nothing ends because of the end, and nothing is corrected. A value inside
/// an element ends with the element.
fn before_the_end(run: &Run) -> Found {
    let fed = run.events.iter().take(run.fed.events);
    fed.filter_map(|event| match event {
        Recorded::Patch(patch) => Some(patch),
        _ => None,
    })
    .try_for_each(|patch| {
        let early = [Some(Completion::EndOfInput), Some(Completion::Reconciled)];
        let ended = patch.completion == Some(Completion::EndOfInput);
        let early = early.contains(&patch.completion);
        let allowed = ended && patch.origin.element.is_some();
        check(!early || allowed, "before the end of the input", patch)
    })
}

fn check(holds: bool, why: &str, patch: &RecordedPatch) -> Found {
    if holds { Ok(()) } else { Err(format!("{why}: {patch}")) }
}

/// The open values of a document, from the root down: path, node, whether it is a string.
type Open<'r> = Vec<(&'r str, NodeId, bool)>;

/// L2: a field opens inside its container, grows only while it is the innermost open value, and completes
/// after its children. A list of named siblings may wait while its siblings open and complete.
///
/// # Errors
/// The patch that violates this.
pub fn structure(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    let mut documents: BTreeMap<usize, Open<'_>> = BTreeMap::new();
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    for patch in run.patches() {
        let number = (patch.document.index(), patch.node.index());
        let open = documents.entry(patch.document.index()).or_default();
        match patch.op {
            PatchOp::Open => {
                check(seen.insert(number), "a node that was there", patch)?;
                check(fits_in(open, &patch.pointer), "not in what is open", patch)?;
                let string = matches!(patch.value, Some(Tree::String(_)));
                open.push((&patch.pointer, patch.node, string));
            }
            PatchOp::Delta => {
                check(!patch.delta.is_empty(), "an empty delta", patch)?;
                check(is_top(open, patch), "not the innermost", patch)?;
            }
            PatchOp::Done if is_top(open, patch) => drop(open.pop()),
            PatchOp::Done if leave_waiting(open, patch) => {}
            PatchOp::Done => {
                check(seen.insert(number), "a node that was there", patch)?;
                check(fits_in(open, &patch.pointer), "not in what is open", patch)?;
            }
            PatchOp::Replace if patch.completion.is_none() => reshape(open, patch)?,
            PatchOp::Replace | PatchOp::Remove => {
                check(open.is_empty(), "corrected while something is open", patch)?;
            }
        }
    }
    roots(&run)
}

fn is_top(open: &Open<'_>, patch: &RecordedPatch) -> bool {
    open.last().is_some_and(|(pointer, node, _)| **pointer == patch.pointer && *node == patch.node)
}

/// Whether a field may open here: its container is the innermost open value, apart from lists that wait.
fn fits_in(open: &Open<'_>, pointer: &str) -> bool {
    let Some((parent, _)) = pointer.rsplit_once('/') else { return open.is_empty() };
    let Some(at) = open.iter().position(|(known, ..)| *known == parent) else { return false };
    !open[at].2 && open[at + 1..].iter().all(|waiting| waits_for(waiting, parent))
}

/// Whether this is a list in the container at `parent`, or beside it if that is such a list, too.
fn waits_for((pointer, _, string): &(&str, NodeId, bool), parent: &str) -> bool {
    let above = pointer.rsplit_once('/').map(|(above, _)| above);
    let beside = parent.rsplit_once('/').map(|(above, _)| above);
    !string && above.is_some() && (above == Some(parent) || above == beside)
}

/// Completes an open value that is not the innermost. The values inside it are lists that wait with it, or
/// whose end is not emitted.
fn leave_waiting(open: &mut Open<'_>, patch: &RecordedPatch) -> bool {
    let found = open.iter().rposition(|(pointer, node, string)| {
        **pointer == patch.pointer && *node == patch.node && !string
    });
    let Some(at) = found else { return false };
    let (list, parent) = (patch.pointer.rsplit_once('/'), &*patch.pointer);
    let inside = |waiting: &&(&str, NodeId, bool)| waits_for(waiting, parent);
    let waits = list.is_some() || open.len() > at + 1;
    if !waits || !open[at + 1..].iter().all(|waiting| inside(&waiting)) {
        return false;
    }
    open.retain(|(pointer, node, _)| {
        !pointer.starts_with(&format!("{parent}/")) && *node != patch.node
    });
    true
}

/// A complete value becomes a list, or an open string becomes an object. Both stay open.
fn reshape<'r>(open: &mut Open<'r>, patch: &'r RecordedPatch) -> Found {
    let list = matches!(patch.value, Some(Tree::List(_)));
    if list {
        check(fits_in(open, &patch.pointer), "a list made where nothing is open", patch)?;
        open.push((&patch.pointer, patch.node, false));
        return Ok(());
    }
    check(is_top(open, patch), "an object made of what is not innermost", patch)?;
    check(open.last().is_some_and(|(.., string)| *string), "no string", patch)?;
    open.pop();
    open.push((&patch.pointer, patch.node, false));
    Ok(())
}

/// The end of a root is emitted right after the root completes, at its last byte.
fn roots(run: &Run) -> Found {
    for (at, event) in run.events.iter().enumerate() {
        let Recorded::RootComplete { document, offset } = event else { continue };
        let patches = run.events[..at].iter().rev().filter_map(|event| match event {
            Recorded::Patch(patch) => Some(patch),
            _ => None,
        });
        let last = patches.take(1).next();
        let fits = last.is_none_or(|patch| {
            patch.document == *document
                && patch.pointer.is_empty()
                && patch.op == PatchOp::Done
                && patch.span.end <= *offset
        });
        if !fits {
            return Err(format!("{event} does not follow the end of its root"));
        }
    }
    Ok(())
}

/// L3: the deltas are the value at every moment, and folding all patches gives the answer's value.
///
/// # Errors
/// The first difference.
pub fn values(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    if !keeps_value(spec, input) {
        return without_value(&run);
    }
    let folded = Folded::of(run.patches())?;
    if let Ok(summary) = &run.result {
        whose_roots(summary, &run, &folded)?;
    }
    sizes(&run)?;
    so_far(spec, input)
}

/// Whether the parser keeps values.
fn keeps_value(spec: &Spec, input: &[u8]) -> bool {
    let mut kept = true;
    let mut look = |event: Event<'_>| {
        if let Event::Patch(patch) = event {
            kept &= patch.root().exists() || patch.op == PatchOp::Remove;
        }
    };
    let mut parser = spec.parser();
    if parser.feed(input, &mut look).is_ok() {
        // An error at the end does not change earlier events.
        let _ = parser.finish(&mut look);
    }
    kept
}

/// Without values, scalars still have theirs, an open patch has its empty value, and nothing is corrected.
fn without_value(run: &Run) -> Found {
    run.patches().try_for_each(|patch| {
        let opened = run.patches().any(|open| {
            open.op == PatchOp::Open && open.node == patch.node && open.document == patch.document
        });
        let scalar = patch.op == PatchOp::Done && !opened;
        check(patch.op != PatchOp::Open || patch.value.is_some(), "open, of no kind", patch)?;
        check(!scalar || patch.value.is_some(), "a scalar without its value", patch)?;
        let correction = matches!(patch.op, PatchOp::Replace | PatchOp::Remove);
        check(!correction || patch.completion.is_none(), "a correction", patch)
    })
}

/// The roots are those of one element, or those outside elements. The value is the first of them.
fn whose_roots(summary: &Summary, run: &Run, folded: &Folded) -> Found {
    let owner = |number: usize| {
        let patch = run.patches().find(|patch| patch.document.index() == number);
        patch.and_then(|patch| patch.origin.element).map_or(0, |element| element.get())
    };
    let mut owned: BTreeMap<u32, Vec<&Tree>> = BTreeMap::from([(0, Vec::new())]);
    for (number, tree) in folded.documents() {
        owned.entry(owner(number)).or_default().push(tree);
    }
    let roots: Vec<&Tree> = summary.roots.iter().collect();
    if roots.first().copied() == summary.value.as_ref() && owned.values().any(|own| *own == roots) {
        return Ok(());
    }
    let Summary { value, roots, .. } = summary;
    Err(format!("the value is {value:?}, the roots are {roots:?}, the patches folded {owned:?}"))
}

/// The value is the first document, or the document of the answer element.
fn answers(whose: &str, value: Option<&Tree>, folded: &Folded) -> Found {
    let first = folded.document(0);
    if value == first || first.is_none() && folded.documents().any(|(_, tree)| value == Some(tree))
    {
        return Ok(());
    }
    Err(format!("{whose} has {value:?}, the patches folded are {first:?}"))
}

/// The value of a delta is as long as the deltas so far.
fn sizes(run: &Run) -> Found {
    let mut open: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for patch in run.patches() {
        let field = (patch.document.index(), patch.node.index());
        match patch.op {
            PatchOp::Open => {
                open.insert(field, 0);
                check(patch.size == 0, "open, and not empty", patch)?;
            }
            PatchOp::Delta => {
                let len = open.entry(field).or_default();
                *len += patch.delta.len();
                check(*len == patch.size, "the value is not the deltas so far", patch)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// After every byte the parser's value equals the fold of the patches so far.
fn so_far(spec: &Spec, input: &[u8]) -> Found {
    const MOST: usize = 300;
    if input.len() > MOST {
        return Ok(());
    }
    let mut parser = spec.parser();
    for (at, byte) in input.iter().enumerate() {
        // Folding anew each time costs quadratic time, but does not depend on how events are joined.
        let mut recorder = Recorder::default();
        let mut fresh = spec.parser();
        let _ = fresh.feed(&input[..=at], |event| recorder.push(&event));
        let result = parser.feed([*byte], |_| {});
        let patches = recorder.events().iter().filter_map(|event| match event {
            Recorded::Patch(patch) => Some(patch),
            _ => None,
        });
        let folded = Folded::of(patches)?;
        let whose = format!("after byte {at} the parser");
        answers(&whose, Tree::of(parser.value()).as_ref(), &folded)?;
        if result.is_err() {
            break;
        }
    }
    Ok(())
}

/// L5: the spans of the events tile the input, in order.
///
/// # Errors
/// The gap or overlap.
pub fn spans(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    let mut end = 0;
    for event in &run.events {
        let Some(span) = event.span() else { continue };
        if span.start != end || span.end < span.start {
            return Err(format!("the event before ended at {end}: {event}"));
        }
        end = span.end;
    }
    let whole = end == input.len() as u64;
    match &run.result {
        Ok(_) if !whole => Err(format!("the events end at {end}")),
        Err(error) if end > error.offset.max(run.fed.end) && end > input.len() as u64 => {
            Err(format!("the events end at {end}, behind the error {error}"))
        }
        _ => texts_lie_in_spans(&run, input),
    }
}

/// Text without escapes equals the bytes of its span, apart from bytes dropped before it.
fn texts_lie_in_spans(run: &Run, input: &[u8]) -> Found {
    let Ok(input) = core::str::from_utf8(input) else { return Ok(()) };
    for event in &run.events {
        let (Recorded::Text { delta, span, .. } | Recorded::Reasoning { delta, span, .. }) = event
        else {
            continue;
        };
        let bytes = &input[span.start as usize..span.end as usize];
        if !bytes.ends_with(&**delta) {
            return Err(format!("its bytes are {bytes:?}: {event}"));
        }
    }
    Ok(())
}

/// The answer's text and the reasoning, computed from the events: a reclassified text counts for its new
/// channel, and a payload that was discarded counts as text.
fn emitted_texts(run: &Run, input: &[u8]) -> (String, String) {
    let mut emitted: Vec<(String, Span, Cow<'_, str>)> = Vec::new();
    let disowned = run.patches().any(|patch| {
        patch.pointer.is_empty() && matches!(patch.op, PatchOp::Replace | PatchOp::Remove)
    });
    for event in &run.events {
        match event {
            Recorded::Text { channel, delta, span, .. } => {
                emitted.push((channel.clone(), *span, delta.into()));
            }
            Recorded::Reasoning { delta, span, .. } => {
                emitted.push(("reasoning".to_owned(), *span, delta.into()));
            }
            Recorded::Patch(patch) if disowned && patch.document == DocId::ANSWER => {
                let bytes = &input[patch.span.start as usize..patch.span.end as usize];
                emitted.push(("payload".to_owned(), patch.span, String::from_utf8_lossy(bytes)));
            }
            Recorded::Reclassify { from, to, channel } => {
                let meant = |span: &Span| *from <= span.start && span.end <= *to;
                let texts = emitted.iter_mut().filter(|(_, span, _)| meant(span));
                texts.for_each(|(was, ..)| was.clone_from(channel));
            }
            _ => {}
        }
    }
    let all = |wanted: &str| -> String {
        emitted.iter().filter(|(channel, ..)| channel == wanted).map(|(.., text)| &**text).collect()
    };
    let is_answer = |event: &Recorded| matches!(event, Recorded::ElementOpen { channel, .. } if channel == "answer");
    let answers =
        emitted.iter().any(|(channel, ..)| channel == "answer") || run.events.iter().any(is_answer);
    (all(if answers { "answer" } else { "text" }), all("reasoning"))
}

/// After the end nothing is open: every value is complete, every element closed.
///
/// # Errors
/// A value or element that is still open.
pub fn closed(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    if run.result.is_err() {
        return Ok(());
    }
    let mut open: BTreeMap<(usize, usize), &RecordedPatch> = BTreeMap::new();
    for patch in run.patches() {
        let field = (patch.document.index(), patch.node.index());
        match patch.op {
            PatchOp::Open => drop(open.insert(field, patch)),
            PatchOp::Done => drop(open.remove(&field)),
            _ => {}
        }
    }
    if let Some(patch) = open.values().next() {
        return Err(format!("never done: {patch}"));
    }
    elements(&run)?;
    match run.events.last() {
        Some(Recorded::Final(_)) => Ok(()),
        _ => Err("the answer is not the last event".to_owned()),
    }
}

fn elements(run: &Run) -> Found {
    let opened = |id: &ElementId| {
        let is_it =
            |event: &Recorded| matches!(event, Recorded::ElementOpen { id: it, .. } if it == id);
        run.events.iter().any(is_it)
    };
    let mut open = Vec::new();
    for event in &run.events {
        match event {
            Recorded::ElementOpen { id, .. } => open.push(*id),
            // The opener of this element was in the prompt.
            Recorded::ElementClose { id, .. } if open.is_empty() && !opened(id) => {}
            Recorded::ElementClose { id, .. } if open.pop() != Some(*id) => {
                return Err(format!("closes what is not innermost: {event}"));
            }
            _ => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("elements left open: {open:?}")) }
}

/// L5: notices have spans in the input, and the answer keeps all of them. The outcome is `repaired` if and
/// only if one of them is a repair.
///
/// # Errors
/// The notice or the answer that violates this.
pub fn notices(spec: &Spec, input: &[u8]) -> Found {
    let run = run_whole(spec, input);
    let emitted: Vec<(&Recorded, Severity)> = run
        .events
        .iter()
        .filter_map(|event| match event {
            Recorded::Notice { code, .. } => Some((event, code.severity())),
            _ => None,
        })
        .collect();
    for (event, _) in &emitted {
        let Recorded::Notice { span: Span { start, end }, .. } = event else { continue };
        if start > end || *end > input.len() as u64 {
            return Err(format!("points out of the input: {event}"));
        }
    }
    let Ok(summary) = &run.result else { return Ok(()) };
    let kept = summary.notices.iter().map(|notice| Recorded::Notice {
        code: notice.code,
        path: notice.path.clone(),
        span: notice.span,
    });
    for (kept, (emitted, _)) in kept.zip(&emitted) {
        if kept != **emitted {
            return Err(format!("emitted as {emitted} and kept as {kept}"));
        }
    }
    if summary.notice_count != emitted.len() as u64 {
        return Err(format!("{} emitted and {} counted", emitted.len(), summary.notice_count));
    }
    let clean = emitted.iter().all(|(_, severity)| *severity == Severity::Info);
    match summary.outcome {
        Outcome::Complete if !clean => Err("complete, in spite of its notices".to_owned()),
        Outcome::Repaired if clean => Err("repaired, without a notice that says how".to_owned()),
        _ => Ok(()),
    }
}

/// The text and the reasoning of the answer equal those of the events, and its raw text equals the input.
///
/// # Errors
/// The first of them that differs.
pub fn texts(spec: &Spec, input: &[u8]) -> Found {
    let run = run_cut(spec, input, &Cuts::every(7, input.len()));
    let Ok(summary) = &run.result else { return Ok(()) };
    let (text, reasoning) = emitted_texts(&run, input);
    if text != summary.text {
        return Err(format!("the text is {:?}, emitted was {text:?}", summary.text));
    }
    if reasoning != summary.reasoning {
        return Err(format!("the reasoning is {:?}, emitted was {reasoning:?}", summary.reasoning));
    }
    if summary.raw.as_ref().is_some_and(|raw| raw != input) {
        return Err("the raw text is not what was fed".to_owned());
    }
    Ok(())
}
