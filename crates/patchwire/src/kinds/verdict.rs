//! Whether the winner that a judge names takes part at all.

use super::{Kinded, WINNER};
use crate::document::ValueRef;
use crate::schema::Choices;

/// What a judge's answer comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "who acts on a verdict has to know them all")]
pub enum Verdict<'c> {
    /// This one of the cast, as the cast spells it.
    Winner(&'c str),
    /// Nobody: `winner` is null, or missing.
    NoWinner,
    /// Somebody who does not take part: the judge may be asked once more.
    AskAgain,
    /// The same again: the contest is void.
    NoContest,
}

impl Kinded {
    /// Who won, if it is one of the cast; names may differ in case, in blanks round them and in what
    /// joins their words, where that leaves one of the cast alone.
    ///
    /// `attempt` counts the answers of this judge on this question, from 1. In the first, a winner from
    /// outside the cast means [`Verdict::AskAgain`], later [`Verdict::NoContest`].
    ///
    /// ```
    /// use patchwire::kinds::{Kinds, Verdict};
    ///
    /// let kinds = Kinds::builder(["judge.verdict"]).extras(["winner"]).build()?;
    /// let judged = kinds.parse(r#"{"kind": "judge.verdict", "text": "So be it.", "winner": "ada"}"#);
    /// assert_eq!(judged.verdict(&["Ada", "Brook"], 1), Verdict::Winner("Ada"));
    /// assert_eq!(judged.verdict(&["Brook", "Cy"], 1), Verdict::AskAgain);
    /// assert_eq!(judged.verdict(&["Brook", "Cy"], 2), Verdict::NoContest);
    /// # Ok::<(), patchwire::kinds::KindsError>(())
    /// ```
    #[must_use]
    pub fn verdict<'c, S: AsRef<str>>(&self, cast: &'c [S], attempt: u32) -> Verdict<'c> {
        let Some(winner) = self.extra(WINNER).filter(|winner| !winner.is_null()) else {
            return Verdict::NoWinner;
        };
        let names = Choices::new(cast.iter().map(AsRef::as_ref));
        let named = winner.as_str().and_then(|winner| names.resolve(winner));
        let found = named.and_then(|name| cast.iter().find(|one| one.as_ref() == name));
        match found {
            Some(name) => Verdict::Winner(name.as_ref()),
            None if attempt <= 1 => Verdict::AskAgain,
            None => Verdict::NoContest,
        }
    }

    /// The name in `winner`, whoever that is.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.extra(WINNER).and_then(ValueRef::as_str)
    }
}
