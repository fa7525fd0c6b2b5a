//! Prose inside JSON strings: mostly plain words, now and then an escape or a code point beyond ASCII.

use super::random::Random;

#[rustfmt::skip] // Words in lines, not one a line.
const WORDS: &[&str] = &[
    "a", "about", "after", "all", "and", "any", "are", "as", "at", "be", "before", "between",
    "both", "by", "can", "each", "every", "first", "for", "from", "has", "in", "into", "is", "it",
    "less", "more", "most", "no", "not", "of", "on", "once", "only", "or", "other", "over", "so",
    "some", "than", "that", "the", "their", "then", "there", "these", "they", "this", "through",
    "to", "under", "until", "was", "were", "what", "when", "which", "while", "will", "with",
    "anchor", "archive", "autumn", "balance", "bridge", "canal", "carrier", "ceiling", "chapter",
    "climate", "coastal", "column", "concrete", "courtyard", "current", "distance", "drainage",
    "engineer", "estimate", "evening", "fabric", "foundation", "gallery", "gradient", "harbour",
    "horizon", "instrument", "junction", "kilometre", "landscape", "lantern", "material",
    "measure", "mechanism", "monument", "northern", "observation", "orchard", "passenger",
    "pavement", "perimeter", "railway", "reservoir", "restoration", "sediment", "settlement",
    "signal", "structural", "surveyor", "temperature", "threshold", "timetable", "turbine",
    "underground", "ventilation", "viaduct", "warehouse", "waterproof", "workshop",
];

/// Beyond ASCII: two, three and four bytes a code point.
const WIDE: &[&str] = &[
    "Málaga",
    "Köln",
    "Łódź",
    "Ærø",
    "Πειραιάς",
    "Київ",
    "大阪",
    "서울",
    "مرفأ",
    "„so“",
    "–",
    "½",
    "3 m²",
    "20 °C",
    "£45",
    "🏗️",
    "🚧",
];

/// Escaped, as a JSON writer would. No surrogate pairs: not every peer reads them.
const ESCAPED: &[&str] =
    &["\\\"as built\\\"", "\\u00bd", "D:\\\\plans\\\\east", "\\tsee", "and\\/or"];

/// One word, to name things with.
pub(super) fn word(random: &mut Random) -> &'static str {
    random.pick(WORDS)
}

/// Appends prose of at most `len` bytes, and no more than a word less.
pub(super) fn prose(random: &mut Random, len: usize, out: &mut String) {
    let end = out.len() + len;
    let mut left_in_sentence = 0;
    loop {
        let starts = left_in_sentence == 0;
        if starts {
            left_in_sentence = 6 + random.below(16);
        }
        let mut piece = piece(random, starts);
        left_in_sentence -= 1;
        piece.push_str(after(random, left_in_sentence == 0));
        if out.len() + piece.len() > end {
            return;
        }
        out.push_str(&piece);
    }
}

/// A word or what stands in its place.
fn piece(random: &mut Random, starts: bool) -> String {
    if random.chance(12) {
        return random.pick(WIDE).to_owned();
    }
    if random.chance(11) {
        return random.pick(ESCAPED).to_owned();
    }
    if random.chance(8) {
        return format!("{}.{}", random.below(400), random.below(10));
    }
    let word = word(random);
    if starts { format!("{}{}", word[..1].to_uppercase(), &word[1..]) } else { word.to_owned() }
}

/// What follows a word.
fn after(random: &mut Random, ends: bool) -> &'static str {
    match (ends, random.below(14)) {
        (true, 0) => ".\\n\\n",
        (true, 1) => ".\\n- ",
        (true, _) => ". ",
        (false, 0) => ", ",
        (false, _) => " ",
    }
}
