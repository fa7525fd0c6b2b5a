//! What a source knows of the tokens it feeds.

use super::Parser;
use crate::tags::Run;

impl Parser {
    /// Says what the tokens are that come next, until it is said again: for sources that see tokens.
    /// Where no tags are looked for it says nothing.
    ///
    /// ```
    /// use patchwire::{Run, Spec, TagSet};
    ///
    /// let mut parser = Spec::builder().tags(TagSet::think()).build()?.parser();
    /// for (run, text) in [(Run::Special, "<think>"), (Run::Plain, "I close with </think>."), (Run::Special, "</think>")] {
    ///     parser.set_run(run);
    ///     parser.feed(text, |_| {})?;
    /// }
    /// assert_eq!(parser.finish(|_| {})?.reasoning(), "I close with </think>.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_run(&mut self, run: Run) {
        if let Some(router) = &mut self.router {
            router.set_run(self.fed, run);
        }
    }
}
