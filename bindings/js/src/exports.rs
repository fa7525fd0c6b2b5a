//! The functions that JavaScript calls. Specs and parsers are numbers from 1; 0 means that there is none.
//!
//! A result is in the buffers of `store`, and `place` says where: the address and length of the words, and of the
//! text. Numbers are 32 bits wide, as addresses are in WebAssembly.
#![allow(unsafe_code, reason = "a function that JavaScript calls keeps its name")]

use core::fmt::Write as _;
use std::sync::Once;

use patchwire::{Format, Leniency, Limit, Pattern, TagSet};
use patchwire_js_feed::records;
use patchwire_js_feed::steps;
use patchwire_js_feed::store::{self, Stream, answer};
use serde_json::json;

use crate::options::{self, OptionError};
use crate::{cuts, ending, specs};

/// The address of four numbers: the address and length of the words of a result, and of its text.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn place() -> usize {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| std::panic::set_hook(Box::new(|info| keep_panic(&info.to_string()))));
    store::place()
}

/// Says what broke. The call that panics never returns; JavaScript reads the text afterwards.
fn keep_panic(message: &str) {
    answer(|out| out.text.push_str(message));
}

/// Makes room for so many bytes of input, and returns their address.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn reserve(len: usize) -> usize {
    store::reserve(len)
}

/// A spec, from options as JSON. 0 if they cannot be used; the text then is the error as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn spec(len: usize) -> u32 {
    match store::with_input(len, options::read) {
        Ok(spec) => specs::add(spec),
        Err(OptionError { option, message }) => {
            let error = json!({ "option": option, "message": message });
            answer(|out| out.text = error.to_string());
            0
        }
    }
}

/// Frees a spec. Its parsers stay.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn free_spec(spec: u32) {
    specs::remove(spec);
}

/// The instructions for the model, and their skeleton, as a JSON list.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn prompt(spec: u32) -> u32 {
    let Some(spec) = specs::get(spec) else { return 0 };
    let prompt = spec.prompt();
    let texts = json!([prompt.as_str(), prompt.skeleton()]);
    answer(|out| out.text = texts.to_string());
    1
}

/// The schema as JSON Schema. 0 without one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn json_schema(spec: u32) -> u32 {
    let Some(spec) = specs::get(spec) else { return 0 };
    let Some(schema) = spec.schema() else { return 0 };
    answer(|out| out.text = schema.to_json_schema().to_string());
    1
}

/// Whether the schema has the path in the input; without a schema it has any. 0 if not; the text then says why.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn locate(spec: u32, len: usize) -> u32 {
    let Some(spec) = specs::get(spec) else { return 0 };
    let found = store::with_input(len, |path| {
        let path: Pattern = String::from_utf8_lossy(path)
            .parse()
            .map_err(|error| format!("the path cannot be read: {error}"))?;
        spec.schema()
            .map_or(Ok(()), |schema| schema.locate(&path))
            .map_err(|error| error.to_string())
    });
    match found {
        Ok(()) => 1,
        Err(message) => {
            answer(|out| out.text = message);
            0
        }
    }
}

/// A parser.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn parser(spec: u32) -> u32 {
    let Some(spec) = specs::get(spec) else { return 0 };
    store::add_stream(Box::new(Stream { parser: spec.parser(), recorder: Default::default() }))
}

/// Frees a parser.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn free_parser(parser: u32) {
    drop(store::remove_stream(parser));
}

/// Reads a chunk from the input. 1, or 0 if there is no such parser; the result is records.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn feed(parser: u32, len: usize) -> u32 {
    u32::from(steps::feed(parser, len))
}

/// Reads reasoning that the provider sends in a field of its own, like [`feed`].
#[unsafe(no_mangle)]
pub(crate) extern "C" fn feed_reasoning(parser: u32, len: usize) -> u32 {
    u32::from(steps::feed_reasoning(parser, len))
}

/// Ends a stream, like [`feed`]. The last record is the answer, or the calls in it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn finish(parser: u32) -> u32 {
    let passed = store::with_stream(parser, |stream| steps::record(stream, ending::take));
    u32::from(passed.is_some())
}

/// The value so far without what is still open, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn settled(parser: u32) -> u32 {
    let written = store::with_stream(parser, |stream| {
        let value = stream.parser.value();
        answer(|out| {
            // Writing to a `String` cannot fail.
            let _ = write!(out.text, "{}", value.settled());
        });
    });
    u32::from(written.is_some())
}

/// The tool calls so far, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn calls(parser: u32) -> u32 {
    let written = store::with_stream(parser, |stream| {
        let calls = stream.parser.calls();
        answer(|out| records::write_calls(&calls, &mut out.text));
    });
    u32::from(written.is_some())
}

/// Reads the input in two pieces, cut at each place from `from` to before `to`: the first place at which the events
/// differ from those of the whole, or 0.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn first_difference(spec: u32, len: usize, from: usize, to: usize) -> usize {
    let Some(spec) = specs::get(spec) else { return 0 };
    let differs = |text: &[u8]| cuts::first_difference(&spec, text, from.max(1), to);
    store::with_input(len, differs).unwrap_or(0)
}

/// The names that options have, as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn names() {
    let names = json!({
        "formats": Format::ALL.map(Format::name),
        "tags": TagSet::PRESETS,
        "slips": &Leniency::ALL.map(Leniency::name)[..],
        "limits": Limit::ALL.map(Limit::name),
    });
    answer(|out| out.text = names.to_string());
}

/// Panics in the middle of a call, for a test of what is left then. Nothing else calls it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn panic_on_purpose(parser: u32) {
    let _ = store::with_stream(parser, |_| panic!("a test asked for this"));
}
