//! Fields that an answer gives more than once.

use std::collections::{HashMap, HashSet};

use super::RawField;

/// How repeated fields were settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// The first of each name counts.
    First,
    /// A later one of a name counts, because the first has no value, or a worse one.
    LaterField,
    /// The last draft counts.
    LaterDraft,
}

/// How well the text of a field says a value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quality {
    /// Not at all.
    Bad,
    /// As one that was guessed from a text.
    Guessed,
    /// As text, or as JSON.
    Good,
}

/// One value for each name.
///
/// A repeated name begins a draft. The last draft counts if it has two fields or more, and all that any
/// draft has. Otherwise the first of the best values of each field counts.
pub(super) fn settle<'t>(
    fields: Vec<RawField<'t>>,
    quality: impl Fn(&RawField<'t>) -> Quality,
) -> (Vec<RawField<'t>>, Settled) {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut last = 0;
    for (at, field) in fields.iter().enumerate() {
        if !seen.insert(&field.name) {
            seen.clear();
            seen.insert(&field.name);
            last = at;
        }
    }
    let all: HashSet<&str> = fields.iter().map(|field| &*field.name).collect();
    let good = |field: &&RawField<'t>| quality(field) > Quality::Bad;
    let is_whole = last > 0
        && all.len() > 1
        && fields[last..].iter().filter(good).map(|field| &*field.name).collect::<HashSet<_>>()
            == all;
    if is_whole {
        return (fields.into_iter().skip(last).collect(), Settled::LaterDraft);
    }
    let mut chosen: Vec<RawField<'t>> = Vec::new();
    let mut settled = Settled::First;
    let mut places: HashMap<String, (usize, Quality)> = HashMap::new();
    for field in fields {
        let good = quality(&field);
        match places.get_mut(&field.name) {
            Some((place, known)) if good > *known => {
                *known = good;
                settled = Settled::LaterField;
                chosen[*place] = field;
            }
            Some(_) => {}
            None => {
                places.insert(field.name.clone(), (chosen.len(), good));
                chosen.push(field);
            }
        }
    }
    (chosen, settled)
}
