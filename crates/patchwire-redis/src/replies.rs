//! What Redis answers.

use patchwire_web::store::{Entry, Standing, StoreError};
use redis::{ErrorKind, RedisError, ServerErrorKind, Value};

use crate::scripts::reply;

/// What an error means, and whether another try may help.
pub(crate) fn judged(error: &RedisError) -> (StoreError, Again) {
    let said = error.to_string();
    match error.kind() {
        ErrorKind::Server(
            ServerErrorKind::BusyLoading
            | ServerErrorKind::TryAgain
            | ServerErrorKind::ClusterDown
            | ServerErrorKind::MasterDown,
        ) => (StoreError::Unreachable(said), Again::Here),
        // The server has become a replica: another one may have the address now.
        ErrorKind::Server(ServerErrorKind::ReadOnly) => {
            (StoreError::Unreachable(said), Again::Reconnect)
        }
        ErrorKind::Io | ErrorKind::Parse => (StoreError::Unreachable(said), Again::Reconnect),
        // Older ones put the error of a command into that of the script.
        _ if error.code() == Some("OOM") || said.contains("-OOM ") => {
            (StoreError::Full(said), Again::No)
        }
        _ => (StoreError::Refused(said), Again::No),
    }
}

/// Whether an operation is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    Here,
    Reconnect,
}

/// The reply of a script that appends or renews.
pub(crate) fn done(code: i64) -> Result<(), StoreError> {
    match code {
        reply::GONE => Err(StoreError::Gone),
        reply::FENCED => Err(StoreError::Fenced),
        reply::CHANGED => Err(StoreError::Refused("the name is taken".to_owned())),
        code if code <= reply::BEHIND => {
            Err(StoreError::Lost { last: code.abs_diff(reply::BEHIND) })
        }
        _ => Ok(()),
    }
}

/// The reply of the script that takes over.
pub(crate) fn taken(code: i64) -> Result<Option<u64>, StoreError> {
    match code {
        reply::GONE => Err(StoreError::Gone),
        code => Ok(u64::try_from(code).ok()),
    }
}

pub(crate) fn standing(reply: &[u64]) -> Result<Standing, StoreError> {
    match *reply {
        [] => Err(StoreError::Gone),
        [epoch, last, leased, ended] => {
            Ok(Standing { epoch, last, is_leased: leased == 1, has_ended: ended == 1 })
        }
        _ => Err(foreign()),
    }
}

/// The entries of `XRANGE`, or of one stream of `XREAD`.
pub(crate) fn entries(reply: Value) -> Result<Vec<Entry>, StoreError> {
    let entries = match reply {
        Value::Nil => return Ok(Vec::new()),
        Value::Array(entries) => entries,
        _ => return Err(foreign()),
    };
    entries.into_iter().map(|entry| one(entry).ok_or_else(foreign)).collect()
}

/// `[id, [field, value]]`
fn one(entry: Value) -> Option<Entry> {
    let Value::Array(parts) = entry else { return None };
    let [Value::BulkString(id), Value::Array(fields)] = <[Value; 2]>::try_from(parts).ok()? else {
        return None;
    };
    let [_, Value::BulkString(bytes)] = <[Value; 2]>::try_from(fields).ok()? else { return None };
    let seq = str::from_utf8(&id).ok()?.split('-').next()?.parse().ok()?;
    Some(Entry { seq, bytes: bytes.into() })
}

/// The streams of `XREAD`: key and entries.
pub(crate) fn streams(reply: Value) -> Result<Vec<(Vec<u8>, Value)>, StoreError> {
    let streams = match reply {
        Value::Nil => return Ok(Vec::new()),
        Value::Array(streams) => streams,
        // As the newer protocol has it.
        Value::Map(streams) => {
            let pair = |(key, entries): (Value, Value)| Value::Array(vec![key, entries]);
            streams.into_iter().map(pair).collect()
        }
        _ => return Err(foreign()),
    };
    let pair = |stream: Value| {
        let Value::Array(parts) = stream else { return None };
        let [Value::BulkString(key), entries] = <[Value; 2]>::try_from(parts).ok()? else {
            return None;
        };
        Some((key, entries))
    };
    streams.into_iter().map(|stream| pair(stream).ok_or_else(foreign)).collect()
}

fn foreign() -> StoreError {
    StoreError::Refused("it answers as no Redis does".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::BulkString(text.into())
    }

    #[test]
    fn entries_are_read() {
        let entry = Value::Array(vec![text("7-0"), Value::Array(vec![text("d"), text("x")])]);
        let read = entries(Value::Array(vec![entry.clone()])).expect("an entry");
        assert_eq!(read, [Entry { seq: 7, bytes: "x".into() }]);
        assert_eq!(entries(Value::Nil), Ok(vec![]));
        for wrong in
            [Value::Int(1), Value::Array(vec![Value::Nil]), Value::Array(vec![text("7-0")])]
        {
            assert!(matches!(entries(wrong), Err(StoreError::Refused(_))));
        }
        let read = streams(Value::Array(vec![Value::Array(vec![text("k"), entry.clone()])]));
        assert_eq!(read, Ok(vec![(b"k".to_vec(), entry.clone())]));
        assert_eq!(
            streams(Value::Map(vec![(text("k"), entry.clone())])),
            Ok(vec![(b"k".to_vec(), entry)])
        );
    }

    #[test]
    fn codes_are_errors() {
        assert_eq!(done(0), Ok(()));
        assert_eq!(done(-1), Err(StoreError::Gone));
        assert_eq!(done(-2), Err(StoreError::Fenced));
        assert_eq!(done(-10), Err(StoreError::Lost { last: 0 }));
        assert_eq!(done(-17), Err(StoreError::Lost { last: 7 }));
        assert_eq!(
            (taken(-3), taken(2), taken(-1)),
            (Ok(None), Ok(Some(2)), Err(StoreError::Gone))
        );
        assert_eq!(standing(&[]), Err(StoreError::Gone));
    }

    #[test]
    fn errors_say_whether_to_try_again() {
        let said = |code: &str, detail: &str| {
            redis::make_extension_error(code.to_owned(), Some(detail.to_owned()))
        };
        let full = said("OOM", "command not allowed when used memory > 'maxmemory'.");
        assert!(matches!(judged(&full), (StoreError::Full(_), Again::No)));
        let refused = said("NOPERM", "this user has no permissions");
        assert!(matches!(judged(&refused), (StoreError::Refused(_), Again::No)));
        let broken = std::io::Error::other("broken").into();
        assert!(matches!(judged(&broken), (StoreError::Unreachable(_), Again::Reconnect)));
    }
}
