//! Short forms of numbers.

use std::time::Duration;

/// Bytes: `812 B`, `1.4 KB`, `23 MB`.
pub(super) fn bytes(bytes: f64) -> String {
    let (amount, unit) = match bytes {
        _ if bytes < 999.5 => return format!("{bytes:.0} B"),
        _ if bytes < 999.5e3 => (bytes / 1e3, "KB"),
        _ if bytes < 999.5e6 => (bytes / 1e6, "MB"),
        _ => (bytes / 1e9, "GB"),
    };
    if amount < 9.95 { format!("{amount:.1} {unit}") } else { format!("{amount:.0} {unit}") }
}

/// Counts: `812`, `1.4k`, `23k`.
pub(super) fn count(count: f64) -> String {
    match count {
        _ if count < 10_000.0 => format!("{count:.0}"),
        _ if count < 1e6 => format!("{:.0}k", count / 1e3),
        _ => format!("{:.1}M", count / 1e6),
    }
}

/// Times: `0.21 s`, `12 s`, `3 min`.
pub(super) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        _ if seconds < 9.995 => format!("{seconds:.2} s"),
        _ if seconds < 120.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}

/// A count with its noun: `1 field`, `2 fields`.
pub(super) fn things(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, things, time};
    use std::time::Duration;

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 999.0, 1000.0, 9_940.0, 999_700.0, 1_048_576.0, 5e9].map(bytes),
            ["0 B", "999 B", "1.0 KB", "9.9 KB", "1.0 MB", "1.0 MB", "5.0 GB"],
        );
        assert_eq!([7.4, 9_999.0, 12_345.0, 2.5e6].map(count), ["7", "9999", "12k", "2.5M"]);
        let times = [0, 214, 9_990, 59_900, 240_000].map(Duration::from_millis);
        assert_eq!(times.map(time), ["0.00 s", "0.21 s", "9.99 s", "60 s", "4 min"]);
        assert_eq!((things(1, "field"), things(2, "item")), ("1 field".into(), "2 items".into()));
    }
}
