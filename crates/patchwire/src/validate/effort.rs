//! How much work the verdict about a value is, counted before it is made.
//!
//! A validator applies schemas to values. Schemas that apply to one value through several others multiply with
//! each level of the value: a schema of a hundred bytes and a value of a hundred can take years. So the
//! applications are counted first, up to a bound that grows with the value.

use std::collections::HashMap;

use serde_json::Value as Json;

/// Applications that may be made for any value.
const FREE: usize = 1 << 21;
/// Applications that may be made for each list, object and scalar in the value.
const A_VALUE: usize = 64;
/// The bytes of values that the messages of alternatives may copy.
const COPIED_MAX: usize = 64 << 20;
/// So many names or scalars of a keyword are compared in the time of one application.
const ENTRIES_A_STEP: usize = 8;

/// What a schema applies to a value and to the values in it, by the numbers of the schemas.
#[derive(Debug, Default)]
pub(super) struct Applied {
    /// To the value itself.
    pub(super) same: Vec<usize>,
    /// To the members of these names.
    pub(super) named: HashMap<String, usize>,
    /// To each member and item, as far as is known.
    pub(super) each: Vec<usize>,
    /// The names and scalars that its keywords compare with the value.
    pub(super) entries: usize,
    /// The patterns that each name of a member is compared with.
    pub(super) patterns: usize,
    /// The alternatives of which each may have a message about the value.
    pub(super) alternatives: usize,
}

/// The work of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// The verdict and its messages can be made.
    Fair,
    /// The verdict can be made, but messages about alternatives would copy too much.
    WithoutMessages,
    /// The verdict takes too long.
    TooMuch,
}

/// The work of the verdict of `schemas`, of which the first is the root.
pub(super) fn of(schemas: &[Applied], value: &Json) -> Effort {
    if schemas.is_empty() {
        return Effort::Fair;
    }
    let sizes = Sizes::of(value);
    let mut left = FREE.saturating_add(A_VALUE.saturating_mul(sizes.values));
    let mut copied = 0_usize;
    let mut open = vec![(value, 0)];
    while let Some((value, number)) = open.pop() {
        let Some(schema) = schemas.get(number) else { continue };
        let names = value.as_object().map_or(0, |members| schema.patterns * members.len());
        let step = 1 + schema.entries / ENTRIES_A_STEP + names;
        let Some(rest) = left.checked_sub(step) else { return Effort::TooMuch };
        left = rest;
        if schema.alternatives > 1 {
            copied = copied.saturating_add(schema.alternatives * sizes.bytes(value));
        }
        open.extend(schema.same.iter().map(|next| (value, *next)));
        below(schema, value, &mut open);
    }
    if copied > COPIED_MAX { Effort::WithoutMessages } else { Effort::Fair }
}

fn below<'v>(schema: &Applied, value: &'v Json, open: &mut Vec<(&'v Json, usize)>) {
    if schema.named.is_empty() && schema.each.is_empty() {
        return;
    }
    let each = |child: &'v Json| schema.each.iter().map(move |next| (child, *next));
    match value {
        Json::Array(items) => open.extend(items.iter().flat_map(each)),
        Json::Object(members) => {
            for (name, child) in members {
                open.extend(schema.named.get(name).map(|next| (child, *next)));
                open.extend(each(child));
            }
        }
        _ => {}
    }
}

/// The sizes of a value and of the lists and objects in it.
struct Sizes {
    values: usize,
    bytes: HashMap<*const Json, usize>,
}

impl Sizes {
    fn of(root: &Json) -> Self {
        let (mut open, mut order) = (vec![(root, None)], Vec::new());
        while let Some((value, above)) = open.pop() {
            let at = order.len();
            order.push((value, above, own_bytes(value)));
            match value {
                Json::Array(items) => open.extend(items.iter().map(|item| (item, Some(at)))),
                Json::Object(members) => {
                    open.extend(members.values().map(|item| (item, Some(at))));
                }
                _ => {}
            }
        }
        // Each comes after the one around it.
        for at in (0..order.len()).rev() {
            let (_, above, bytes): (&Json, Option<usize>, usize) = order[at];
            if let Some(above) = above {
                order[above].2 += bytes;
            }
        }
        let containers = order.iter().filter(|(value, ..)| value.is_array() || value.is_object());
        let bytes = containers.map(|(value, _, bytes)| (core::ptr::from_ref(*value), *bytes));
        Self { values: order.len(), bytes: bytes.collect() }
    }

    fn bytes(&self, value: &Json) -> usize {
        self.bytes.get(&core::ptr::from_ref(value)).copied().unwrap_or_else(|| own_bytes(value))
    }
}

/// About the bytes of a copy, without the values in it.
fn own_bytes(value: &Json) -> usize {
    const EACH: usize = 32;
    match value {
        Json::String(text) => EACH + text.len(),
        Json::Object(members) => EACH + members.keys().map(|key| EACH + key.len()).sum::<usize>(),
        _ => EACH,
    }
}

#[cfg(test)]
mod tests {
    use super::{Applied, Effort, of};
    use serde_json::{Value as Json, json};

    fn each(to: &[usize]) -> Applied {
        Applied { each: to.to_vec(), ..Applied::default() }
    }

    /// A schema that applies itself twice to each item: twice as much at each level.
    #[test]
    fn levels_multiply() {
        let doubling = [each(&[0, 0])];
        let deep = |levels: usize| (0..levels).fold(json!(1), |value, _| json!([value]));
        assert_eq!(of(&doubling, &deep(12)), Effort::Fair);
        assert_eq!(of(&doubling, &deep(40)), Effort::TooMuch);
        assert_eq!(of(&[each(&[0])], &deep(40)), Effort::Fair);
    }

    #[test]
    fn members_patterns_and_entries_count() {
        let members: serde_json::Map<String, Json> =
            (0..2_000).map(|at| (format!("m{at}"), json!(at))).collect();
        let wide = Json::Object(members);
        let patterns = |patterns| [Applied { patterns, ..Applied::default() }];
        assert_eq!(of(&patterns(100), &wide), Effort::Fair);
        assert_eq!(of(&patterns(5_000), &wide), Effort::TooMuch);
        let list = [each(&[1]), Applied { entries: 100_000, ..Applied::default() }];
        assert_eq!(of(&list, &json!([1, 2, 3])), Effort::Fair);
        assert_eq!(of(&list, &json!(vec![1; 1_000])), Effort::TooMuch);
    }

    #[test]
    fn alternatives_copy_values() {
        let many = [Applied { alternatives: 4_000, ..Applied::default() }];
        assert_eq!(of(&many, &json!("short")), Effort::Fair);
        assert_eq!(of(&many, &json!("x".repeat(100_000))), Effort::WithoutMessages);
        // 64 copies of a megabyte, of which 32 bytes are those around the text.
        let some = [Applied { alternatives: 64, ..Applied::default() }];
        assert_eq!(of(&some, &json!("x".repeat((1 << 20) - 32))), Effort::Fair);
        assert_eq!(of(&some, &json!("x".repeat((1 << 20) - 31))), Effort::WithoutMessages);
    }
}
