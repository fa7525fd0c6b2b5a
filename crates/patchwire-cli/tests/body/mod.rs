//! The bodies of providers' responses, by `--input`.

mod checking;
mod detected;
mod ends;
mod events;
mod recorded;
pub(crate) mod samples;
mod values;
