//! Checks the winner that a judge names against the cast.

use patchwire::ValueRef;
use patchwire::schema::Choices;

use super::{Reply, WINNER};

/// The winner of a contest, or what to do without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers have to handle every verdict")]
pub enum Verdict<'c> {
    /// A member of the cast, as the cast spells the name.
    Winner(&'c str),
    /// Nobody won: `winner` is null or missing.
    NoWinner,
    /// The name is not in the cast: ask the judge once more.
    AskAgain,
    /// The name is not in the cast, and the judge was asked again already: the contest is void.
    NoContest,
}

impl Reply {
    /// The winner, if the cast has that name. Names may differ in case, in whitespace around them and in
    /// what joins their words, as long as only one of the cast matches.
    ///
    /// `attempt` counts the replies of this judge to this question, from 1. A winner from outside the cast
    /// means [`Verdict::AskAgain`] in the first and [`Verdict::NoContest`] in later ones.
    ///
    /// ```
    /// use patchwire_views::kinds::{Kinds, Verdict};
    ///
    /// let kinds = Kinds::builder(["judge.verdict"]).extras(["winner"]).build()?;
    /// let reply = kinds.parse(r#"{"kind": "judge.verdict", "text": "So be it.", "winner": "ada"}"#);
    /// assert_eq!(reply.verdict(&["Ada", "Brook"], 1), Verdict::Winner("Ada"));
    /// assert_eq!(reply.verdict(&["Brook", "Cy"], 1), Verdict::AskAgain);
    /// assert_eq!(reply.verdict(&["Brook", "Cy"], 2), Verdict::NoContest);
    /// # Ok::<(), patchwire_views::kinds::KindsError>(())
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

    /// The name in `winner`, in the cast or not.
    #[must_use]
    pub fn winner(&self) -> Option<&str> {
        self.extra(WINNER).and_then(ValueRef::as_str)
    }
}
