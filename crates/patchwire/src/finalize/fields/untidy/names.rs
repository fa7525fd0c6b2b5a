//! The declared names, as models spell them.

use std::collections::HashMap;

use crate::schema::{Schema, SchemaId};

/// The declared names by their folded spelling.
pub(in crate::finalize::fields) struct DeclaredNames<'s> {
    names: HashMap<String, &'s str>,
    longest: usize,
}

impl<'s> DeclaredNames<'s> {
    /// The names of the root.
    pub(super) fn of(schema: &'s Schema) -> Self {
        Self::of_type(schema, schema.root())
    }

    /// The names of the members of a type.
    pub(in crate::finalize::fields) fn of_type(schema: &'s Schema, id: SchemaId) -> Self {
        let mut names = HashMap::new();
        let lengths = schema.declared_keys(id).map(|name| 2 * name.len() + 8);
        let longest = lengths.max().unwrap_or_default();
        for name in schema.declared_keys(id) {
            names.entry(folded(name)).or_insert(name);
            names.insert(format!("={name}"), name);
            names.entry(format!("~{}", letters(name))).or_insert(name);
        }
        Self { names, longest }
    }

    /// Whether a name is declared in this spelling.
    pub(super) fn is_exact(&self, spelling: &str) -> bool {
        self.names.contains_key(&format!("={spelling}"))
    }

    /// The name that a spelling means: itself, or one in another letter case, or with other separators or none.
    pub(in crate::finalize::fields) fn find(&self, spelling: &str) -> Option<&'s str> {
        if spelling.is_empty() || spelling.len() > self.longest {
            return None;
        }
        let exact = self.names.get(&format!("={spelling}"));
        let other = exact.or_else(|| self.names.get(&folded(spelling)));
        let spelled = |text: &str| self.names.get(&format!("~{}", letters(text)));
        let other = other.or_else(|| spelled(spelling));
        other.or_else(|| spelled(&without_fillers(spelling)?)).copied()
    }
}

/// A name in lower case, with one underscore for each run of spaces, hyphens and underscores.
fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for char in name.chars() {
        match char {
            ' ' | '-' | '_' if out.ends_with('_') => {}
            ' ' | '-' | '_' => out.push('_'),
            // An underscore may be escaped, as Markdown demands in some places.
            '\\' => {}
            char => out.extend(char.to_lowercase()),
        }
    }
    out
}

/// The letters and digits of a name: `dueDate` and `Due Date` are one, and so are `ram_gb` and `RAM (GB)`.
pub(in crate::finalize::fields) fn letters(name: &str) -> String {
    const MARKS: [char; 8] = ['_', '(', ')', '[', ']', '/', '&', '\''];
    folded(name).replace(MARKS, "")
}

/// A name of several words without those that only join others: `Years of Experience`.
fn without_fillers(name: &str) -> Option<String> {
    const FILLERS: [&str; 5] = ["of", "the", "for", "a", "an"];
    let is_filler = |word: &&str| FILLERS.iter().any(|it| it.eq_ignore_ascii_case(word));
    let words: Vec<&str> = name.split(' ').filter(|word| !is_filler(word)).collect();
    (words.len() < name.split(' ').count()).then(|| words.concat())
}

#[cfg(test)]
mod tests {
    use super::DeclaredNames;
    use crate::schema::{Schema, int, object, str};

    #[test]
    fn spellings_of_declared_names() {
        let schema: Schema = object()
            .field("years_experience", int(""))
            .field("ram_gb", int(""))
            .field("n", str(""))
            .into();
        let names = DeclaredNames::of(&schema);
        for (spelling, want) in [
            ("Years of Experience", Some("years_experience")),
            ("RAM (GB)", Some("ram_gb")),
            ("RAM/GB", Some("ram_gb")),
            ("the n", Some("n")),
            ("n of it", None),
            ("of the", None),
            ("", None),
        ] {
            assert_eq!(names.find(spelling), want, "{spelling}");
        }
        // A spelling has at most twice the bytes of the longest name and eight more.
        let spread = |blanks: usize| names.find(&format!("years{}experience", " ".repeat(blanks)));
        assert_eq!((spread(25), spread(26)), (Some("years_experience"), None));
        // No text is no name, not even of a member without letters.
        let schema: Schema = object().field("_", str("")).into();
        let names = DeclaredNames::of(&schema);
        assert_eq!(
            (names.find("_"), names.find(" "), names.find("")),
            (Some("_"), Some("_"), None)
        );
    }
}
