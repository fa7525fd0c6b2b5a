//! Counters of a server, in the text form of Prometheus.
//!
//! The form is written by hand: a dozen families whose labels are names of ours. `prometheus-client`, the lightest crate
//! for it, would bring five more, among them a derive macro and locks.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    active: AtomicU64,
    streams: Family,
    outcomes: Family,
    notices: Family,
    retries: Family,
    upstream_errors: Family,
    responses: Family,
    tokens: Family,
    first_patch: Histogram,
    duration: Histogram,
    pub(crate) store: StoreMetrics,
}

/// What a gateway with a store counts beside.
#[derive(Debug, Default)]
pub(crate) struct StoreMetrics {
    /// Whether there is a store.
    is_used: bool,
    errors: Family,
    taken: Family,
    fenced: AtomicU64,
    appends: Histogram,
}

impl StoreMetrics {
    /// Counts a failure of the store by its code.
    pub(crate) fn error(&self, code: &'static str) {
        self.errors.add(code, 1);
    }

    /// Counts an entry that the store has, and how long that took.
    pub(crate) fn appended(&self, after: Duration) {
        self.appends.add(after);
    }

    /// Counts an answer that was taken over from an instance that is gone.
    pub(crate) fn taken_over(&self, is_repeated: bool) {
        self.taken.add(if is_repeated { "asked_again" } else { "ended" }, 1);
    }

    /// Counts an answer that another instance took over from this one.
    pub(crate) fn fenced(&self) {
        self.fenced.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, out: &mut String) {
        if !self.is_used {
            return;
        }
        let errors = ("patchwire_store_errors_total", "Failures of the store of the answers.");
        self.errors.write(errors, "code", out);
        let taken =
            ("patchwire_store_takeovers_total", "Answers taken over from instances that are gone.");
        self.taken.write(taken, "verdict", out);
        let name = "patchwire_store_fenced_total";
        head(out, name, "Answers that other instances took over from this one.", "counter");
        let _ = writeln!(out, "{name} {}", self.fenced.load(Ordering::Relaxed));
        let appends = ("patchwire_store_append_seconds", "How long the store takes for an entry.");
        self.appends.write(appends, out);
    }
}

/// A counter for each value of a label.
#[derive(Debug, Default)]
struct Family(Mutex<BTreeMap<&'static str, u64>>);

impl Family {
    fn add(&self, label: &'static str, more: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(label).or_default() += more;
    }

    fn write(&self, (name, help): (&str, &str), label: &str, out: &mut String) {
        head(out, name, help, "counter");
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (value, count) in counts.iter() {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{name}{{{label}=\"{value}\"}} {count}");
        }
    }
}

/// The upper bounds of the buckets in seconds, as OpenTelemetry advises for answers of models.
const BOUNDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// How many times are up to each bound.
#[derive(Debug, Default)]
struct Histogram {
    buckets: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Histogram {
    fn add(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        if let Some(at) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            self.buckets[at].fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, (name, help): (&str, &str), out: &mut String) {
        head(out, name, help, "histogram");
        let mut below = 0;
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            below += bucket.load(Ordering::Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {below}");
        }
        let count = self.count.load(Ordering::Relaxed).max(below);
        let seconds = Duration::from_micros(self.micros.load(Ordering::Relaxed)).as_secs_f64();
        let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(out, "{name}_sum {seconds}\n{name}_count {count}");
    }
}

fn head(out: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

impl Metrics {
    /// Counters of a server with or without a store.
    pub(crate) fn of(has_store: bool) -> Self {
        let store = StoreMetrics { is_used: has_store, ..StoreMetrics::default() };
        Self { store, ..Self::default() }
    }

    /// Counts a stream that begins at this endpoint, until the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>, endpoint: &'static str) -> RunningStream {
        self.streams.add(endpoint, 1);
        self.active.fetch_add(1, Ordering::AcqRel);
        RunningStream(Arc::clone(self))
    }

    /// How many streams run.
    pub(crate) fn active(&self) -> u64 {
        self.active.load(Ordering::Acquire)
    }

    /// Counts an answer by how it ended: an outcome, or the code of an error.
    pub(crate) fn outcome(&self, outcome: &'static str, after: Duration) {
        self.outcomes.add(outcome, 1);
        self.duration.add(after);
    }

    pub(crate) fn notice(&self, code: &'static str) {
        self.notices.add(code, 1);
    }

    pub(crate) fn retry(&self, cause: &'static str) {
        self.retries.add(cause, 1);
    }

    pub(crate) fn upstream_error(&self, code: &'static str) {
        self.upstream_errors.add(code, 1);
    }

    /// Counts a response by its code: `ok`, or that of its error.
    pub(crate) fn response(&self, code: &'static str) {
        self.responses.add(code, 1);
    }

    pub(crate) fn tokens(&self, kind: &'static str, count: u64) {
        self.tokens.add(kind, count);
    }

    pub(crate) fn first_patch(&self, after: Duration) {
        self.first_patch.add(after);
    }

    /// All counters in the text form of Prometheus.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        let active = self.active();
        head(&mut out, "patchwire_streams_active", "Streams that run now.", "gauge");
        let _ = writeln!(out, "patchwire_streams_active {active}");
        for (family, name, help, label) in [
            (&self.streams, "patchwire_streams_total", "Streams that began.", "endpoint"),
            (&self.outcomes, "patchwire_answers_total", "Answers by how they ended.", "outcome"),
            (&self.notices, "patchwire_notices_total", "Notices in answers.", "code"),
            (
                &self.retries,
                "patchwire_retries_total",
                "Requests to the model that were repeated.",
                "cause",
            ),
            (
                &self.upstream_errors,
                "patchwire_upstream_errors_total",
                "Errors of the model's server.",
                "code",
            ),
            (
                &self.responses,
                "patchwire_responses_total",
                "Responses by the code of their error.",
                "code",
            ),
            (
                &self.tokens,
                "gen_ai_client_token_usage_total",
                "Tokens, as the model's server counts them.",
                "gen_ai_token_type",
            ),
        ] {
            family.write((name, help), label, &mut out);
        }
        let first =
            ("patchwire_time_to_first_patch_seconds", "From the request to the first patch.");
        self.first_patch.write(first, &mut out);
        let whole = (
            "gen_ai_client_operation_duration_seconds",
            "From the request to the end of the answer.",
        );
        self.duration.write(whole, &mut out);
        self.store.write(&mut out);
        out
    }
}

/// A stream that runs.
#[derive(Debug)]
pub(crate) struct RunningStream(Arc<Metrics>);

impl Drop for RunningStream {
    fn drop(&mut self) {
        self.0.active.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_printed_as_prometheus_reads_them() {
        let metrics = Arc::new(Metrics::default());
        let active = metrics.begin("/v1/fields");
        metrics.notice("trailing_comma");
        metrics.notice("trailing_comma");
        metrics.first_patch(Duration::from_millis(15));
        metrics.first_patch(Duration::from_secs(100));
        let text = metrics.print();
        for line in [
            "# TYPE patchwire_streams_active gauge\npatchwire_streams_active 1\n",
            "# TYPE patchwire_notices_total counter\npatchwire_notices_total{code=\"trailing_comma\"} 2\n",
            "patchwire_streams_total{endpoint=\"/v1/fields\"} 1\n",
            "patchwire_time_to_first_patch_seconds_bucket{le=\"0.01\"} 0\n",
            "patchwire_time_to_first_patch_seconds_bucket{le=\"0.02\"} 1\n",
            "patchwire_time_to_first_patch_seconds_bucket{le=\"+Inf\"} 2\n",
            "patchwire_time_to_first_patch_seconds_sum 100.015\n",
        ] {
            assert!(text.contains(line), "{line}\nis not in\n{text}");
        }
        drop(active);
        assert_eq!(metrics.active(), 0);
        assert!(!text.contains("patchwire_store"), "{text}");
    }

    #[test]
    fn a_store_has_counters_of_its_own() {
        let store = StoreMetrics { is_used: true, ..StoreMetrics::default() };
        store.error("store_lost");
        store.fenced();
        store.taken_over(true);
        store.appended(Duration::from_millis(15));
        let mut text = String::new();
        store.write(&mut text);
        for line in [
            "patchwire_store_errors_total{code=\"store_lost\"} 1\n",
            "patchwire_store_takeovers_total{verdict=\"asked_again\"} 1\n",
            "patchwire_store_fenced_total 1\n",
            "patchwire_store_append_seconds_count 1\n",
        ] {
            assert!(text.contains(line), "{line}\nis not in\n{text}");
        }
    }
}
