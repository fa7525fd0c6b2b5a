//! Files with the mutants of the sample in them, and the way back from a place in such a file.

use std::ops::Range;

use crate::mutant::{Mutant, Piece};

/// A mutant of the sample, with the number that switches it on.
#[derive(Clone, Copy)]
pub(crate) struct Numbered<'a> {
    pub(crate) number: usize,
    pub(crate) mutant: &'a Mutant,
}

/// A file as it is compiled.
#[derive(Default)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// Where stretches of the text come from, in order.
    stretches: Vec<Stretch>,
}

struct Stretch {
    start: usize,
    source: usize,
    /// Whether the text is that of the source; otherwise all of it comes from one place.
    is_copied: bool,
}

impl Rendered {
    /// The file `source` with these mutants.
    pub(crate) fn new(source: &str, mutants: &[Numbered<'_>]) -> Self {
        let mut stripped: Vec<_> =
            mutants.iter().filter_map(|it| it.mutant.const_keyword.clone()).collect();
        stripped.sort_by_key(|range| range.start);
        stripped.dedup();
        let mut sorted = mutants.to_vec();
        sorted.sort_by_key(|it| (it.mutant.range.start, usize::MAX - it.mutant.range.end));
        let mut rendered = Self::default();
        let writer = Writer { source, stripped: &stripped };
        writer.code(0..source.len(), &sorted, &mut rendered);
        rendered
    }

    /// The bytes of the source that the bytes of this text come from.
    pub(crate) fn source_of(&self, bytes: Range<usize>) -> Range<usize> {
        let start = self.source_at(bytes.start);
        start..self.source_at(bytes.end.max(bytes.start + 1) - 1) + 1
    }

    fn source_at(&self, byte: usize) -> usize {
        let after = self.stretches.partition_point(|stretch| stretch.start <= byte);
        let Some(stretch) = after.checked_sub(1).map(|at| &self.stretches[at]) else { return byte };
        if stretch.is_copied { stretch.source + byte - stretch.start } else { stretch.source }
    }

    fn push(&mut self, text: &str, source: usize, is_copied: bool) {
        self.stretches.push(Stretch { start: self.text.len(), source, is_copied });
        self.text.push_str(text);
    }
}

struct Writer<'a> {
    source: &'a str,
    /// Keywords that are left out.
    stripped: &'a [Range<usize>],
}

impl Writer<'_> {
    /// Writes a range of the source. The mutants are sorted by their starts, outer ones first.
    fn code(&self, range: Range<usize>, mutants: &[Numbered<'_>], into: &mut Rendered) {
        let mut at = range.start;
        for (index, numbered) in mutants.iter().enumerate() {
            let inner = &numbered.mutant.range;
            if inner.start < at || inner.end > range.end {
                continue;
            }
            self.copy(at..inner.start, into);
            for piece in &numbered.mutant.pieces {
                self.piece(piece, *numbered, &mutants[index + 1..], into);
            }
            at = inner.end;
        }
        self.copy(at..range.end, into);
    }

    fn piece(&self, piece: &Piece, of: Numbered<'_>, later: &[Numbered<'_>], into: &mut Rendered) {
        let source = of.mutant.range.start;
        let number = of.number;
        match piece {
            Piece::Text(text) => into.push(text, source, false),
            Piece::Owned(text) => into.push(text, source, false),
            Piece::Active => into.push(&format!("crate::mutant::is({number})"), source, false),
            Piece::Inactive => into.push(&format!("!crate::mutant::is({number})"), source, false),
            Piece::Code(range) => self.code(range.clone(), later, into),
        }
    }

    fn copy(&self, range: Range<usize>, into: &mut Rendered) {
        let mut at = range.start;
        for keyword in self.stripped {
            if keyword.start >= at && keyword.end <= range.end {
                into.push(&self.source[at..keyword.start], at, true);
                at = keyword.end;
            }
        }
        if at < range.end {
            into.push(&self.source[at..range.end], at, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Numbered, Rendered};
    use crate::candidates::candidates;
    use crate::modules::SourceFile;

    const SOURCE: &str =
        "impl A {\n    const fn f(a: u8, b: bool) -> bool {\n        a < 1 && b\n    }\n}\n";

    fn file() -> SourceFile {
        let syntax = syn::parse_file(SOURCE).unwrap();
        SourceFile { path: "a.rs".into(), module: "a".into(), text: SOURCE.into(), syntax }
    }

    #[test]
    fn every_operator_is_found_in_its_place() {
        let found = candidates("p", &file());
        let keys: Vec<_> = found.iter().map(|it| (it.line, it.key())).collect();
        let key = |line, change: &str| (line, format!("a.rs | A::f | {change}"));
        assert_eq!(
            keys,
            [
                key(2, "body returns true"),
                key(2, "body returns false"),
                key(3, "operand of && `a < 1` is true"),
                key(3, "`a < 1`: `<` becomes `<=`"),
                key(3, "1 becomes 2"),
                key(3, "1 becomes 0"),
                key(3, "operand of && `b` is true"),
                key(3, "operand of && `b` is false"),
            ]
        );
    }

    #[test]
    fn mutants_inside_and_beside_each_other_are_written() {
        let found = candidates("p", &file());
        let chosen: Vec<_> = [0, 2, 3, 4, 7]
            .into_iter()
            .map(|number| Numbered { number, mutant: &found[number] })
            .collect();
        let rendered = Rendered::new(SOURCE, &chosen);
        let syntax = syn::parse_file(&rendered.text);
        assert!(syntax.is_ok(), "{}", rendered.text);
        for part in [
            "{ if crate::mutant::is(0) { return true; }",
            " fn f(",
            "(!crate::mutant::is(7) && (b))",
        ] {
            assert!(rendered.text.contains(part), "{part}: {}", rendered.text);
        }
        assert!(!rendered.text.contains("const"));
        assert!(rendered.text.matches("is(4)").count() == 2, "{}", rendered.text);
    }

    #[test]
    fn a_place_is_found_again() {
        let found = candidates("p", &file());
        let chosen = [Numbered { number: 7, mutant: &found[7] }];
        let rendered = Rendered::new(SOURCE, &chosen);
        let out = rendered.text.find("(b)").unwrap();
        let source = rendered.source_of(out..out + 2);
        assert!(source.end > found[7].range.start && source.start <= found[7].range.end);
        let name = rendered.text.find("f(a").unwrap();
        assert_eq!(&SOURCE[rendered.source_of(name..name + 3)], "f(a");
    }
}
