//! The rules that hold for every format.

use crate::outline::{Form, Item};
use crate::schema::Presence;

/// The rules that the schema brings with it. `has_payload`: the answer is more than text.
pub(super) fn of_schema(root: &Item, has_payload: bool) -> Vec<&'static str> {
    let mut rules = Vec::new();
    if has_payload && has_presence(root) {
        rules.push("Required fields are never null, blank or empty.");
    }
    rules
}

fn has_presence(item: &Item) -> bool {
    item.presence == Presence::Meaningful || children(&item.form).any(has_presence)
}

fn children(form: &Form) -> impl Iterator<Item = &Item> {
    let (members, one) = match form {
        Form::Object { members, each } => (members.as_slice(), each.as_deref()),
        Form::List(item) => ([].as_slice(), Some(&**item)),
        Form::OneOf(items) | Form::Tuple(items) => (items.as_slice(), None),
        Form::Scalar(_) | Form::Same(_) => ([].as_slice(), None),
    };
    members.iter().chain(one)
}
