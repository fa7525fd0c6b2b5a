//! The settings and the limits of a server.

use core::fmt;
use core::net::IpAddr;
use core::num::NonZeroUsize;
use core::time::Duration;
use std::sync::Arc;
use std::thread::available_parallelism;

use axum::http::HeaderValue;
use axum::http::uri::Authority;

use crate::store::{Store, StoreSettings};
use crate::upstream::Upstream;

/// What a server may cost. Any value is fine.
///
/// ```
/// use patchwire_web::Limits;
///
/// let limits = Limits { streams: 16, ..Limits::default() };
/// assert!(limits.connections > limits.streams);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Streams at a time, including those that wait for their client to return.
    pub streams: usize,
    /// Connections at a time. Further connections wait to be accepted.
    pub connections: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Connections of one address at a time, or `None` for no limit; see [`Options::trust_proxy`] and
    /// [`Options::trust_loopback`]. An address of IPv6 counts with its network of 64 bits.
    pub per_address: Option<NonZeroUsize>,
    /// Threads for work that takes long, such as a schema or the end of a long answer: so many for requests, and
    /// as many again for streams. By default, as many as there are processors.
    pub workers: usize,
    /// Requests that wait for one of these threads.
    pub waiting: usize,
    /// The time of the processor that a request may take, with all its events.
    pub work_time: Duration,
    /// Deltas without content that may follow one another in an answer.
    pub empty_deltas: u64,
    /// Bytes that wait in the system to be sent over one connection. Systems take it as a hint.
    pub send_bytes: usize,
    /// Bytes of a request's head.
    pub head_bytes: usize,
    /// The time for a request's head, and again for its body.
    pub request_time: Duration,
    /// The time until a model begins its answer.
    pub open_time: Duration,
    /// The time of a whole stream.
    pub stream_time: Duration,
    /// Bytes of an answer.
    pub answer_bytes: u64,
    /// How long a stream waits for a client that disconnected. Zero disables resuming.
    pub resume_time: Duration,
    /// Bytes of events that are kept for a client that returns.
    pub resume_bytes: usize,
    /// How long a stream is silent before a heartbeat is sent.
    pub heartbeat: Duration,
    /// How long running streams may continue after the server was told to stop. Meanwhile it takes no other requests. By
    /// default they end at once.
    pub grace_time: Duration,
    /// How long a server that stops waits for its connections.
    pub drain_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            streams: 256,
            connections: 1024,
            per_address: None,
            workers: available_parallelism().map_or(1, NonZeroUsize::get),
            waiting: 1024,
            work_time: Duration::from_secs(10),
            empty_deltas: 100_000,
            send_bytes: 16 << 10,
            head_bytes: 16 << 10,
            body_bytes: 4 << 20,
            request_time: Duration::from_secs(10),
            open_time: Duration::from_secs(60),
            stream_time: Duration::from_secs(600),
            answer_bytes: 16 << 20,
            resume_time: Duration::from_secs(30),
            resume_bytes: 256 << 10,
            heartbeat: Duration::from_secs(15),
            grace_time: Duration::ZERO,
            drain_time: Duration::from_secs(5),
        }
    }
}

/// The settings of a server. By default it serves the page, the built-in streams and a gateway to
/// them, for clients on this machine only.
#[derive(Clone, Default)]
#[must_use]
pub struct Options {
    pub(crate) limits: Limits,
    pub(crate) upstream: Option<Arc<dyn Upstream>>,
    pub(crate) store: Option<(Arc<dyn Store>, StoreSettings)>,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<HeaderValue>,
    pub(crate) proxies: Vec<IpAddr>,
    /// Whether addresses of this machine are trusted, too.
    pub(crate) loopback: bool,
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The text is no host name.
    #[error("`{0}` is no host name; write it without a scheme and a port, like `models.example`")]
    Host(String),
    /// The text is no origin of a page. `*` and `null` are refused, because they would allow every
    /// page.
    #[error("`{0}` is no origin; write one like `https://app.example`, each by itself")]
    Origin(String),
}

impl Options {
    /// Sets the limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the model behind the gateway. By default it is the built-in streams, by name.
    pub fn with_upstream(mut self, upstream: impl Upstream) -> Self {
        self.upstream = Some(Arc::new(upstream));
        self
    }

    /// Sets where the answers of `/v1/fields` are kept, so that any instance with the same store goes on with them. By default they
    /// are streams of this server alone.
    pub fn with_store(mut self, store: impl Store, settings: StoreSettings) -> Self {
        self.store = Some((Arc::new(store), settings));
        self
    }

    /// Adds a host name of this server, in addition to `localhost` and addresses.
    ///
    /// # Errors If the text is no host name.
    pub fn allow_host(mut self, host: &str) -> Result<Self, OptionsError> {
        let wrong = || OptionsError::Host(host.to_owned());
        let name: Authority = host.parse().map_err(|_| wrong())?;
        if name.host() != host || host.contains(['@', '*']) {
            return Err(wrong());
        }
        self.hosts.push(host.to_ascii_lowercase());
        Ok(self)
    }

    /// Adds an address that may have any number of connections, whatever [`Limits::per_address`] is: a proxy, behind
    /// which many clients have one address.
    pub fn trust_proxy(mut self, address: IpAddr) -> Self {
        self.proxies.push(address.to_canonical());
        self
    }

    /// Lets clients on this machine have any number of connections, whatever [`Limits::per_address`] is.
    pub const fn trust_loopback(mut self) -> Self {
        self.loopback = true;
        self
    }

    /// One more origin whose pages may use this server.
    ///
    /// ```
    /// use patchwire_web::Options;
    ///
    /// assert!(Options::default().allow_origin("https://app.example").is_ok());
    /// assert!(Options::default().allow_origin("*").is_err());
    /// ```
    ///
    /// # Errors
    /// If it is no origin: a scheme, a host, perhaps a port.
    pub fn allow_origin(mut self, origin: &str) -> Result<Self, OptionsError> {
        let wrong = || OptionsError::Origin(origin.to_owned());
        let rest = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        let host: Authority = rest.and_then(|rest| rest.parse().ok()).ok_or_else(wrong)?;
        if host.as_str().contains(['@', '*']) {
            return Err(wrong());
        }
        self.origins.push(HeaderValue::from_str(origin).map_err(|_| wrong())?);
        Ok(self)
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("limits", &self.limits)
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .field("proxies", &self.proxies)
            .field("loopback", &self.loopback)
            .finish_non_exhaustive()
    }
}
