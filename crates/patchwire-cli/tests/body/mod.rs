//! The bodies of providers' responses, by `--input`.

mod checking;
mod ends;
mod events;
mod recorded;
mod samples;
mod values;
