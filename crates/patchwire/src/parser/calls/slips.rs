//! What was repaired in the bodies of calls, from the notices of the answer.

use std::collections::HashMap;

use crate::answer::{Answer, Element};
use crate::codes::Severity;
use crate::notice::OwnedNotice;
use crate::order;

/// Notices that one call keeps.
const MOST: usize = 64;

/// The notices that say what was repaired or lost, in the order in which their spans begin.
pub(super) struct Slips<'a>(Vec<&'a OwnedNotice>);

impl<'a> Slips<'a> {
    pub(super) fn of(answer: &'a Answer) -> Self {
        let is_slip = |notice: &&OwnedNotice| notice.code.severity() != Severity::Info;
        let mut all: Vec<_> = answer.notices().iter().filter(is_slip).collect();
        order::sort_by_key(&mut all, |notice| notice.span.start);
        Self(all)
    }

    /// The notices about the body of an element.
    pub(super) fn in_body(&self, element: &Element<'_>) -> Vec<OwnedNotice> {
        self.inside(element).take(MOST).cloned().collect()
    }

    /// The notices about the items of a list, which is the body of an element, by the place of the item.
    pub(super) fn by_item(&self, element: &Element<'_>) -> HashMap<usize, Vec<OwnedNotice>> {
        let mut all: HashMap<usize, Vec<OwnedNotice>> = HashMap::new();
        for notice in self.inside(element) {
            let Some(item) = item_of(&notice.path) else { continue };
            let own = all.entry(item).or_default();
            if own.len() < MOST {
                own.push(notice.clone());
            }
        }
        all
    }

    fn inside(&self, element: &Element<'_>) -> impl Iterator<Item = &'a OwnedNotice> {
        let body = element.body();
        let first = self.0.partition_point(|notice| notice.span.start < body.start);
        let begun = self.0[first..].iter().take_while(move |it| it.span.start <= body.end);
        begun.copied().filter(move |notice| notice.span.end <= body.end)
    }
}

/// The place of the item that a path begins with: 3 of `[3].arguments`.
fn item_of(path: &str) -> Option<usize> {
    path.strip_prefix('[')?.split_once(']')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::item_of;

    #[test]
    fn items_of_paths() {
        for (path, item) in
            [("[3].a", Some(3)), ("[12]", Some(12)), ("a[1]", None), ("", None), ("[x", None)]
        {
            assert_eq!(item_of(path), item, "{path}");
        }
    }
}
