//! Parsers by number, and the buffers that JavaScript reads and writes.
//!
//! What a call works on is taken out of the store and put back. A panic ends the call without putting it back: so
//! that parser is gone, and everything else is as it was.

use core::mem::ManuallyDrop;
use core::sync::atomic::{AtomicU32, Ordering};
use std::cell::{Cell, RefCell};

use patchwire::Parser;

use crate::records::{Recorder, Records};

/// A parser, and what JavaScript knows of its events.
#[derive(Debug)]
pub struct Stream {
    /// The parser.
    pub parser: Parser,
    /// What turns its events into records.
    pub recorder: Recorder,
}

/// Things by number, from 1.
#[derive(Debug)]
pub struct Numbered<T> {
    all: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Numbered<T> {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { all: Vec::new(), free: Vec::new() }
    }

    /// Gives a thing a number.
    pub fn add(&mut self, one: T) -> u32 {
        if let Some(number) = self.free.pop() {
            self.all[number as usize - 1] = Some(one);
            return number;
        }
        self.all.push(Some(one));
        self.all.len() as u32
    }

    /// The place of a number. It is empty while its thing is out of the store.
    pub fn slot(&mut self, number: u32) -> Option<&mut Option<T>> {
        self.all.get_mut((number as usize).checked_sub(1)?)
    }

    /// Gives a number back, and returns what had it.
    pub fn remove(&mut self, number: u32) -> Option<T> {
        let one = self.slot(number)?.take()?;
        self.free.push(number);
        Some(one)
    }
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Boxed: a stream is taken out and put back with each chunk, and a parser is some kilobytes long. Nothing here drops
/// one, so that what drops all parts of a parser is not compiled for speed.
type Kept = ManuallyDrop<Box<Stream>>;

thread_local! {
    static STREAMS: RefCell<Numbered<Kept>> = const { RefCell::new(Numbered::new()) };
    static INPUT: Cell<Option<Box<Input>>> = const { Cell::new(None) };
    static OUTPUT: Cell<Option<Box<Records>>> = const { Cell::new(None) };
}

/// What JavaScript writes. Boxed like the records: each call takes both, and a panic leaves none.
#[derive(Debug, Default)]
struct Input(Vec<u8>);

/// Keeps a stream, and returns its number.
pub fn add_stream(stream: Box<Stream>) -> u32 {
    STREAMS.with_borrow_mut(|all| all.add(ManuallyDrop::new(stream)))
}

/// Works on a stream, which is out of the store meanwhile. `None` if there is none of this number.
pub fn with_stream<R>(number: u32, work: impl FnOnce(&mut Stream) -> R) -> Option<R> {
    let mut stream = STREAMS.with_borrow_mut(|all| all.slot(number)?.take())?;
    let result = work(&mut stream);
    STREAMS.with_borrow_mut(|all| {
        if let Some(slot) = all.slot(number) {
            *slot = Some(stream);
        }
    });
    Some(result)
}

/// Takes a stream out for good. The caller drops it.
#[must_use]
pub fn remove_stream(number: u32) -> Option<Box<Stream>> {
    STREAMS.with_borrow_mut(|all| all.remove(number)).map(ManuallyDrop::into_inner)
}

/// Makes room for so many bytes that JavaScript writes, and returns their address.
#[must_use]
pub fn reserve(len: usize) -> usize {
    let mut input = INPUT.take().unwrap_or_default();
    if input.0.len() < len {
        input.0.resize(len.next_power_of_two().max(1 << 12), 0);
    }
    let address = input.0.as_ptr() as usize;
    INPUT.set(Some(input));
    address
}

/// Works on the first bytes of what JavaScript wrote. The buffer is given back.
pub fn with_input<R>(len: usize, work: impl FnOnce(&[u8]) -> R) -> R {
    let input = INPUT.take().unwrap_or_default();
    let result = work(input.0.get(..len).unwrap_or_default());
    // Big inputs are rare; their memory is not kept.
    if input.0.len() <= MOST_KEPT {
        INPUT.set(Some(input));
    }
    result
}

/// Where the last result is.
static PLACE: [AtomicU32; 4] = [const { AtomicU32::new(0) }; 4];

/// The address of four numbers: the address and length of the words of a result, and of its text.
#[must_use]
pub fn place() -> usize {
    PLACE.as_ptr() as usize
}

/// Writes a result, and says where it is.
pub fn answer(work: impl FnOnce(&mut Records)) {
    let mut out = OUTPUT.take().filter(|out| out.text.capacity() <= MOST_KEPT).unwrap_or_default();
    out.clear();
    work(&mut out);
    let Records { words, text } = &*out;
    let found = [words.as_ptr() as usize, words.len(), text.as_ptr() as usize, text.len()];
    for (word, place) in found.into_iter().zip(&PLACE) {
        place.store(word as u32, Ordering::Relaxed);
    }
    OUTPUT.set(Some(out));
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
        assert_eq!(all.remove(1), Some('a'));
        for number in [1, 0, 9] {
            assert_eq!(all.remove(number), None);
        }
        assert_eq!((all.add('c'), all.add('d')), (1, 3));
        assert_eq!(all.slot(2).and_then(|slot| slot.take()), Some('b'));
        // It is out of the store, as after a panic: its number stays taken.
        assert_eq!(all.add('e'), 4);
    }

    #[test]
    fn the_input_is_what_was_written() {
        let _ = reserve(3);
        let mut input = INPUT.take().unwrap();
        input.0[..3].copy_from_slice(b"abc");
        INPUT.set(Some(input));
        assert_eq!(with_input(3, <[u8]>::to_vec), b"abc");
        assert_eq!(with_input(1 << 30, <[u8]>::len), 0);
    }
}
