//! A stream of chunks for other libraries. The one of `arrow-array` has batches, whose rows cannot be null.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use super::field;

/// What a stream still has to give.
struct Chunks {
    left: std::vec::IntoIter<ArrayRef>,
    of: DataType,
}

/// The code of the interface for a schema that cannot be written: `EINVAL` everywhere.
const INVALID: c_int = 22;

/// A stream of chunks of one type.
pub(super) fn stream(chunks: Vec<ArrayRef>, of: DataType) -> FFI_ArrowArrayStream {
    let chunks = Box::new(Chunks { left: chunks.into_iter(), of });
    // SAFETY: the callbacks expect `Chunks` behind the private data, `release` frees it once and then marks the stream
    // as released.
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            Box::into_raw(chunks).cast::<c_void>(),
        )
    }
}

/// The chunks behind a stream.
///
/// # Safety
/// The stream was made by [`stream`] and is not released.
unsafe fn chunks<'s>(stream: *mut FFI_ArrowArrayStream) -> &'s mut Chunks {
    // SAFETY: see above.
    unsafe { &mut *(*stream).private_data().cast::<Chunks>() }
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: consumers call it with a stream that is not released and a place to write to.
    let chunks = unsafe { chunks(stream) };
    let Ok(schema) = FFI_ArrowSchema::try_from(field(&chunks.of)) else { return INVALID };
    // SAFETY: the same.
    unsafe { ptr::write_unaligned(out, schema) };
    0
}

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: consumers call it with a stream that is not released and a place to write to.
    let chunks = unsafe { chunks(stream) };
    let next = chunks.left.next();
    let next = next.map_or_else(FFI_ArrowArray::empty, |it| FFI_ArrowArray::new(&it.to_data()));
    // SAFETY: the same. An empty array is the end.
    unsafe { ptr::write_unaligned(out, next) };
    0
}

/// There are no messages.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: it is called once: afterwards there is no callback to call.
    unsafe {
        let stream = &mut *stream;
        drop(Box::from_raw(stream.set_private_data(ptr::null_mut()).cast::<Chunks>()));
        stream.set_release(None);
    }
}
