//! What a source knows of the tokens it feeds.

use super::Parser;
use crate::tags::TokenRun;

impl Parser {
    /// Says what the tokens are that come next, until it is said again: for sources that see tokens.
    /// Where no tags are looked for it says nothing.
    ///
    /// ```
    /// use patchwire::{Spec, TagSet, tags::TokenRun};
    ///
    /// let mut parser = Spec::builder().tags(TagSet::think()).build()?.parser();
    /// for (run, text) in [(TokenRun::Special, "<think>"), (TokenRun::Plain, "I close with </think>."), (TokenRun::Special, "</think>")] {
    ///     parser.set_run(run);
    ///     parser.feed(text, |_| {})?;
    /// }
    /// assert_eq!(parser.finish(|_| {})?.reasoning(), "I close with </think>.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_run(&mut self, run: TokenRun) {
        if let Some(router) = &mut self.router {
            router.set_run(self.fed, run);
        }
    }
}
