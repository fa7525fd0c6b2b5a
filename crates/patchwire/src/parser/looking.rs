//! Looking at a parser: what it holds back, and which tokens its format made.

use super::Parser;
use super::ending::Stage;
use crate::format::TokenRecord;
use crate::held::Held;
use crate::tags::{Router, literal::LiteralMarker};

impl Parser {
    /// What of the text fed so far is held back, and why: layer by layer, the oldest bytes first.
    /// Empty when all is decided, when the stream was finished, and after an error.
    ///
    /// It is put together when it is asked for; asking changes nothing. Ask between chunks: while
    /// the events of a chunk are being pulled, the rest of the chunk is no part of it.
    ///
    /// ```
    /// use patchwire::{Spec, held::HeldBy};
    ///
    /// let mut parser = Spec::json().parser();
    /// parser.feed(r#"{"done": tr"#, |_| {})?;
    /// let held = parser.held();
    /// assert_eq!((held[0].by, held[0].from, &*held[0].bytes), (HeldBy::Word, 9, &b"tr"[..]));
    /// assert_eq!(held[0].could_be, ["true"]);
    ///
    /// parser.feed("ue, ", |_| {})?;
    /// assert!(parser.held().is_empty());
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    #[must_use]
    pub fn held(&self) -> Vec<Held> {
        if self.failed.is_some() || self.stage != Stage::Feeding {
            return Vec::new();
        }
        let marker = self.router.as_ref().and_then(|router| router.held(self.offset));
        let read = marker.as_ref().map_or(self.offset, |marker| marker.from);
        let emitted = self.fold.outbox.last_end;
        let mut all: Vec<Held> = self.fold.held().into_iter().collect();
        all.extend(self.format.get().held(emitted, read));
        all.extend(marker);
        all.extend(self.carry.held(self.offset));
        all
    }

    /// From now on the tokens of the format are written down, and markers that are text. Changes
    /// nothing of what is emitted.
    #[doc(hidden)]
    pub fn watch(&mut self) {
        self.token_log.start();
        if let Some(router) = &mut self.router {
            router.find_literals();
        }
    }

    /// The markers that turned out to be text since the last call, if they are written down.
    #[doc(hidden)]
    pub fn take_literals(&mut self) -> Vec<LiteralMarker> {
        self.router.as_mut().map(Router::take_literals).unwrap_or_default()
    }

    /// The tokens made since the last call, if they are written down.
    #[doc(hidden)]
    pub fn take_seen(&mut self) -> Vec<TokenRecord> {
        self.token_log.take()
    }
}
