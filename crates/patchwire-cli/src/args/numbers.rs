//! Options that are numbers or addresses, with messages that say what to write.

#[cfg(feature = "serve")]
use std::num::NonZeroU32;
use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};
use std::str::FromStr;

/// Parses a whole number. The message says what to write.
fn whole<T: FromStr<Err = ParseIntError>>(
    text: &str,
    message: &'static str,
) -> Result<T, &'static str> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "the number is too large; write a smaller one",
        _ => message,
    })
}

/// Parses a whole number from 1.
pub(super) fn from_one(text: &str) -> Result<NonZeroUsize, &'static str> {
    whole(text, "write a whole number from 1, such as 16")
}

/// Parses a whole number from 0, such as a seed.
pub(super) fn from_zero(text: &str) -> Result<u64, &'static str> {
    whole(text, "write a whole number from 0, such as 7")
}

/// Parses how often something is done.
pub(super) fn times(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "write a whole number from 0 to 4294967295, such as 3")
}

/// Parses a time that is not zero.
#[cfg(feature = "serve")]
pub(super) fn seconds(text: &str) -> Result<NonZeroU32, &'static str> {
    whole(text, "write a whole number of seconds from 1, such as 60")
}

/// Parses a time that may be zero.
#[cfg(feature = "serve")]
pub(super) fn seconds_or_none(text: &str) -> Result<u64, &'static str> {
    whole(text, "write a whole number of seconds from 0, such as 30")
}

/// Parses the address of a host.
#[cfg(feature = "serve")]
pub(super) fn host(text: &str) -> Result<std::net::IpAddr, &'static str> {
    text.parse().map_err(|_| "write an IP address without a port, such as 10.0.0.1 or fd00::1")
}

/// Parses an address with its port.
#[cfg(feature = "serve")]
pub(super) fn address(text: &str) -> Result<std::net::SocketAddr, &'static str> {
    let local = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let what = "write an IP address and a port, such as 127.0.0.1:3000, [::1]:3000, or 0.0.0.0:8080 for every \
                address of this machine";
    local.as_deref().unwrap_or(text).parse().map_err(|_| what)
}
