//! The address and the protocol of a model.

use core::fmt;

use patchwire_async::sources::Protocol;
use reqwest::Url;

/// A secret. Its text is only used in the header of a request. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key. Whitespace around it is removed.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// The address of a model: a URL, its protocol, and a key if it needs one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    protocol: Protocol,
    url: Url,
    key: Option<Key>,
}

const NEEDS_SCHEME: &str = "it has to begin with http:// or https://";

/// A URL that cannot be an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{url:?} is no URL to ask: {reason}; write it as https://api.example.com/v1")]
#[non_exhaustive]
pub struct EndpointError {
    /// The URL.
    pub url: String,
    /// Why it cannot be one.
    pub reason: String,
}

impl Endpoint {
    /// The protocols that a request can be made in. The others are only read.
    pub const PROTOCOLS: [Protocol; 4] =
        [Protocol::OpenAiChat, Protocol::OpenAiResponses, Protocol::Anthropic, Protocol::Ollama];

    /// The endpoint of a protocol below a base URL, as providers write it: `https://api.openai.com/v1`,
    /// `https://api.anthropic.com`, `http://localhost:11434`. A URL that ends in the protocol's own path
    /// stays unchanged.
    ///
    /// # Errors
    /// The text is not a URL with the scheme http or https, or the protocol is none of
    /// [`PROTOCOLS`](Self::PROTOCOLS).
    pub fn new(protocol: Protocol, base: &str) -> Result<Self, EndpointError> {
        let error = |reason: String| EndpointError { url: base.to_owned(), reason };
        if !Self::PROTOCOLS.contains(&protocol) {
            return Err(error(format!("no requests can be made in the protocol {protocol}")));
        }
        if !base.contains("://") {
            return Err(error(NEEDS_SCHEME.to_owned()));
        }
        let mut url = Url::parse(base).map_err(|it| error(it.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(error(NEEDS_SCHEME.to_owned()));
        }
        let (path, below) = (url.path().trim_end_matches('/').to_owned(), path_of(protocol));
        let ends = |path: &str, end: &str| path == end || path.ends_with(&format!("/{end}"));
        if ends(&path, below) || protocol == Protocol::Ollama && ends(&path, "api/generate") {
            url.set_path(&path);
        } else if let Some(rest) = below.strip_prefix("v1/").filter(|_| ends(&path, "v1")) {
            url.set_path(&format!("{path}/{rest}"));
        } else {
            let missing = match protocol {
                // A host without a path: these servers use `/v1`.
                Protocol::OpenAiChat | Protocol::OpenAiResponses if !path.is_empty() => {
                    below.trim_start_matches("v1/")
                }
                _ => below,
            };
            url.set_path(&format!("{path}/{missing}"));
        }
        Ok(Self { protocol, url, key: None })
    }

    /// A server with OpenAI's chat completions: `https://api.openai.com/v1`, vLLM, llama.cpp, Groq.
    ///
    /// # Errors
    /// The text is not a URL with the scheme http or https.
    pub fn openai(base: &str) -> Result<Self, EndpointError> {
        Self::new(Protocol::OpenAiChat, base)
    }

    /// A server with Anthropic's messages: `https://api.anthropic.com`.
    ///
    /// # Errors
    /// The text is not a URL with the scheme http or https.
    pub fn anthropic(base: &str) -> Result<Self, EndpointError> {
        Self::new(Protocol::Anthropic, base)
    }

    /// An Ollama server: `http://localhost:11434`.
    ///
    /// # Errors
    /// The text is not a URL with the scheme http or https.
    pub fn ollama(base: &str) -> Result<Self, EndpointError> {
        Self::new(Protocol::Ollama, base)
    }

    /// Sets the key, which is sent in the protocol's header.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// The protocol.
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The full URL of requests.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// The host, with the port if it is not the default. Unlike the user, the path and the query, it
    /// contains no secret.
    ///
    /// ```
    /// use patchwire_chat::Endpoint;
    ///
    /// let endpoint = Endpoint::openai("http://me:secret@localhost:8000/v1?key=secret")?;
    /// assert_eq!(endpoint.host(), "localhost:8000");
    /// # Ok::<(), patchwire_chat::EndpointError>(())
    /// ```
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        self.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The URL of the list of models beside the endpoint, or of one of them.
    pub(crate) fn models(&self, name: Option<&str>) -> Url {
        let mut url = self.url.clone();
        let own = path_of(self.protocol).rsplit("v1/").next().unwrap_or_default();
        let path = url.path().strip_suffix(own).unwrap_or_else(|| url.path()).to_owned();
        url.set_path(&format!("{path}models"));
        if let (Some(name), Ok(mut segments)) = (name, url.path_segments_mut()) {
            segments.extend(name.split('/'));
        }
        url
    }

    pub(crate) const fn parsed(&self) -> &Url {
        &self.url
    }

    pub(crate) const fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }
}

/// The protocol's own path.
const fn path_of(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::OpenAiResponses => "v1/responses",
        Protocol::Anthropic => "v1/messages",
        Protocol::Ollama => "api/chat",
        _ => "v1/chat/completions",
    }
}
