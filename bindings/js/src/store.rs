//! Specs and parsers by number, and the buffers that JavaScript reads and writes.
//!
//! What a call works on is taken out of the store and put back. A panic ends the call without putting it back: so
//! that parser is gone, and everything else is as it was.

use std::cell::RefCell;

use patchwire::{Parser, Spec};

use crate::records::{Recorder, Records};

/// A parser, and what JavaScript knows of its events.
pub(crate) struct Stream {
    pub(crate) parser: Parser,
    pub(crate) recorder: Recorder,
}

/// Things by number, from 1.
struct Numbered<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Numbered<T> {
    const fn new() -> Self {
        Self { all: Vec::new(), free: Vec::new() }
    }

    fn add(&mut self, one: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.all[number as usize - 1] = Some(one);
            return number;
        }
        self.all.push(Some(one));
        self.all.len() as u32
    }

    fn slot(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.all.get_mut((number as usize).checked_sub(1)?)
    }

    fn remove(&mut self, number: u32) {
        if let Some(slot) = self.slot(number)
            && slot.take().is_some()
        {
            self.free.push(number);
        }
    }
}

thread_local! {
    static SPECS: RefCell<Numbered<Spec>> = const { RefCell::new(Numbered::new()) };
    static STREAMS: RefCell<Numbered<Box<Stream>>> = const { RefCell::new(Numbered::new()) };
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Records> = const { RefCell::new(Records { words: Vec::new(), text: String::new() }) };
}

pub(crate) fn add_spec(spec: Spec) -> u32 {
    SPECS.with_borrow_mut(|all| all.add(spec))
}

pub(crate) fn spec(number: u32) -> Option<Spec> {
    SPECS.with_borrow_mut(|all| all.slot(number)?.clone())
}

pub(crate) fn remove_spec(number: u32) {
    SPECS.with_borrow_mut(|all| all.remove(number));
}

pub(crate) fn add_stream(parser: Parser) -> u32 {
    // Boxed: a stream is taken out and put back with each chunk, and a parser is some kilobytes long.
    let stream = Box::new(Stream { parser, recorder: Recorder::default() });
    STREAMS.with_borrow_mut(|all| all.add(stream))
}

/// Works on a stream, which is out of the store meanwhile. `None` if there is none of this number.
pub(crate) fn with_stream<R>(number: u32, work: impl FnOnce(&mut Stream) -> R) -> Option<R> {
    let mut stream = STREAMS.with_borrow_mut(|all| all.slot(number)?.take())?;
    let result = work(&mut stream);
    STREAMS.with_borrow_mut(|all| {
        if let Some(slot) = all.slot(number) {
            *slot = Some(stream);
        }
    });
    Some(result)
}

pub(crate) fn remove_stream(number: u32) {
    STREAMS.with_borrow_mut(|all| all.remove(number));
}

/// Makes room for so many bytes that JavaScript writes, and returns their address.
pub(crate) fn reserve(len: usize) -> usize {
    INPUT.with_borrow_mut(|input| {
        if input.len() < len {
            input.resize(len.next_power_of_two().max(1 << 12), 0);
        }
        input.as_ptr() as usize
    })
}

/// Works on the first bytes of what JavaScript wrote. The buffer is given back.
pub(crate) fn with_input<R>(len: usize, work: impl FnOnce(&[u8]) -> R) -> R {
    let input = INPUT.take();
    let result = work(input.get(..len).unwrap_or_default());
    // Big inputs are rare; their memory is not kept.
    if input.len() <= MOST_KEPT {
        INPUT.set(input);
    }
    result
}

/// Fills the records, and returns the addresses and lengths of words and text.
pub(crate) fn with_output(work: impl FnOnce(&mut Records)) -> [usize; 4] {
    let mut out = OUTPUT.take();
    out.clear();
    if out.text.capacity() > MOST_KEPT {
        out = Records::default();
    }
    work(&mut out);
    let Records { words, text } = &out;
    let place = [words.as_ptr() as usize, words.len(), text.as_ptr() as usize, text.len()];
    OUTPUT.set(out);
    place
}

/// Bytes of a buffer that is kept between calls.
const MOST_KEPT: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut all = Numbered::new();
        assert_eq!((all.add('a'), all.add('b')), (1, 2));
        all.remove(1);
        all.remove(1);
        all.remove(0);
        all.remove(9);
        assert_eq!((all.add('c'), all.add('d')), (1, 3));
        assert_eq!(all.slot(2).and_then(|slot| slot.take()), Some('b'));
        // It is out of the store, as after a panic: its number stays taken.
        assert_eq!(all.add('e'), 4);
    }

    #[test]
    fn the_input_is_what_was_written() {
        reserve(3);
        INPUT.with_borrow_mut(|input| input[..3].copy_from_slice(b"abc"));
        assert_eq!(with_input(3, <[u8]>::to_vec), b"abc");
        assert_eq!(with_input(1 << 30, <[u8]>::len), 0);
    }
}
