//! The names that headers may have.

/// A node of the trie.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct TitleNode {
    /// Where each character leads, sorted.
    next: Vec<(char, u32)>,
    /// The names that end here. Several names may fold to one spelling.
    ends: Vec<u32>,
}

/// The names that headers may have, in a trie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Titles {
    nodes: Vec<TitleNode>,
    names: Vec<Box<str>>,
    /// Whether case is ignored, and spaces and hyphens count as underscores.
    folds: bool,
    /// Whether any text is a name.
    any: bool,
}

/// A place in a name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TitlePlace {
    pub(super) node: u32,
    /// Whether the last character was a space or hyphen.
    in_run: bool,
}

impl Titles {
    /// A set of names. `folds`: case is ignored, and spaces and hyphens count as underscores.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, folds: bool) -> Self {
        let names: Vec<Box<str>> = names.into_iter().map(Box::from).collect();
        let mut titles =
            Self { nodes: vec![TitleNode::default()], names: Vec::new(), folds, any: false };
        for (number, name) in names.iter().enumerate() {
            titles.insert(name, number as u32);
        }
        titles.names = names;
        titles
    }

    /// Accepts any name.
    pub(crate) fn any() -> Self {
        Self { nodes: Vec::new(), names: Vec::new(), folds: false, any: true }
    }

    pub(super) const fn are_any(&self) -> bool {
        self.any
    }

    fn insert(&mut self, name: &str, number: u32) {
        let mut at = 0;
        let mut run = false;
        for char in name.chars() {
            let folded = self.fold(char);
            let joins = self.is_run(char);
            if joins && run {
                continue;
            }
            run = joins;
            at = self.child_or_new(at, folded);
        }
        if !name.is_empty() {
            self.nodes[at as usize].ends.push(number);
        }
    }

    fn child_or_new(&mut self, at: u32, char: char) -> u32 {
        let new = self.nodes.len() as u32;
        let next = &mut self.nodes[at as usize].next;
        match next.binary_search_by_key(&char, |(char, _)| *char) {
            Ok(found) => next[found].1,
            Err(place) => {
                next.insert(place, (char, new));
                self.nodes.push(TitleNode::default());
                new
            }
        }
    }

    /// Whether a run of this character counts as one underscore.
    const fn is_run(&self, char: char) -> bool {
        self.folds && matches!(char, ' ' | '-')
    }

    const fn fold(&self, char: char) -> char {
        match char {
            ' ' | '-' if self.folds => '_',
            _ if self.folds => char.to_ascii_lowercase(),
            _ => char,
        }
    }

    /// The place after one more character.
    pub(super) fn step(&self, place: TitlePlace, char: char) -> Option<TitlePlace> {
        let joins = self.is_run(char);
        if joins && place.in_run {
            return Some(place);
        }
        let (next, folded) = (&self.nodes[place.node as usize].next, self.fold(char));
        let found = next.binary_search_by_key(&folded, |(char, _)| *char).ok()?;
        Some(TitlePlace { node: next[found].1, in_run: joins })
    }

    /// Whether a name ends at a node.
    pub(super) fn ends(&self, at: u32) -> bool {
        !self.nodes[at as usize].ends.is_empty()
    }

    /// The name that ends at a node: the one with this spelling, or else the first.
    pub(super) fn name(&self, at: u32, spelling: &str) -> &str {
        let mut names =
            self.nodes[at as usize].ends.iter().map(|number| &*self.names[*number as usize]);
        let first = names.clone().next().unwrap_or("");
        names.find(|name| *name == spelling).unwrap_or(first)
    }
}

#[cfg(test)]
mod tests {
    use super::{TitlePlace, Titles};

    #[test]
    fn names_fold() {
        let titles = Titles::new(["final_answer", "x-y", "X Y", "p - q", "p - r_", ""], true);
        let find = |name: &str| {
            let end = name
                .chars()
                .try_fold(TitlePlace::default(), |place, char| titles.step(place, char))
                .map(|place| place.node);
            end.filter(|&at| titles.ends(at)).map(|at| titles.name(at, name))
        };
        assert_eq!(find("Final - ANSWER"), Some("final_answer"));
        assert_eq!(find("final__answer"), None);
        assert_eq!(find("final_answe"), None);
        assert_eq!(find("x_y"), Some("x-y"));
        assert_eq!(find("X Y"), Some("X Y"));
        assert_eq!(find("P-Q"), Some("p - q"));
        assert_eq!(find("p  --q"), Some("p - q"));
        assert_eq!(find("p_q"), Some("p - q"));
        assert_eq!(find("pq"), None);
        assert_eq!(find("p r "), Some("p - r_"));
        assert_eq!(find("p r"), None);
        assert_eq!(find(""), None);
    }

    #[test]
    fn runs_in_names_count_as_one_underscore() {
        for (name, folds, text, is_found) in [
            ("a - b", true, "a_b", true),
            ("a - b", true, "A--B", true),
            ("a - b", true, "a - - b", true),
            ("a - b", true, "ab", false),
            ("a-b-c", true, "a b c", true),
            ("a-b-c", true, "a bc", false),
            ("a_ b", true, "a_-b", true),
            ("a_ b", true, "a_b", false),
            ("-a", true, "_a", true),
            ("a-", true, "a", false),
            ("a - b", false, "a - b", true),
            ("a - b", false, "a_b", false),
            ("a--b", false, "a-b", false),
            ("Ab", false, "ab", false),
            ("Ab", true, "aB", true),
            ("", true, "", false),
            ("", false, "", false),
        ] {
            let titles = Titles::new([name], folds);
            let end = text
                .chars()
                .try_fold(TitlePlace::default(), |place, char| titles.step(place, char));
            let found = end.is_some_and(|place| titles.ends(place.node));
            assert_eq!(found, is_found, "{name:?} {folds} {text:?}");
        }
        assert!(Titles::any().are_any() && !Titles::new(["a"], false).are_any());
    }
}
