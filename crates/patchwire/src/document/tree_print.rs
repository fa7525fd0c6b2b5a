//! Prints a tree as JSON, without recursion.

use core::fmt::{self, Write};
use std::collections::HashSet;

use super::tree::{Children, TreeNode, TreeRef};
use crate::text::escape;

/// The form in which an element prints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Only its text.
    Text,
    /// Members: attributes, and text or children of different names.
    Object,
    /// Items in order.
    List,
}

/// An element whose opener was written.
struct Open<'t> {
    form: Form,
    rest: Children<'t>,
    begun: bool,
    /// Whether it is the only member of an object that is an item.
    alone: bool,
}

impl fmt::Display for TreeRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            TreeNode::Text(text) | TreeNode::Comment(text) => string(f, "", text),
            TreeNode::Element(_) => print(f, *self),
        }
    }
}

fn print(f: &mut fmt::Formatter<'_>, element: TreeRef<'_>) -> fmt::Result {
    let mut open: Vec<Open<'_>> = Vec::new();
    begin(f, element, false, &mut open)?;
    while let Some(top) = open.last_mut() {
        let Some(child) = top.rest.next() else {
            f.write_str(if top.form == Form::List { "]" } else { "}" })?;
            if top.alone {
                f.write_char('}')?;
            }
            open.pop();
            continue;
        };
        if core::mem::replace(&mut top.begun, true) {
            f.write_char(',')?;
        }
        let list = top.form == Form::List;
        match child.node() {
            TreeNode::Text(text) if list => string(f, "", text)?,
            TreeNode::Text(text) => member(f, "#", "text", text)?,
            TreeNode::Comment(text) => {
                f.write_char('{')?;
                member(f, "#", "comment", text)?;
                f.write_char('}')?;
            }
            TreeNode::Element(name) => {
                if list {
                    f.write_char('{')?;
                }
                string(f, "", name)?;
                f.write_char(':')?;
                begin(f, child, list, &mut open)?;
            }
        }
    }
    Ok(())
}

/// Writes an element's text, or its opener and its attributes.
fn begin<'t>(
    f: &mut fmt::Formatter<'_>,
    element: TreeRef<'t>,
    alone: bool,
    open: &mut Vec<Open<'t>>,
) -> fmt::Result {
    let form = form(element);
    if form == Form::Text {
        let text = element.children().next().map(TreeRef::node);
        string(f, "", if let Some(TreeNode::Text(text)) = text { text } else { "" })?;
        return if alone { f.write_char('}') } else { Ok(()) };
    }
    let list = form == Form::List;
    f.write_char(if list { '[' } else { '{' })?;
    let mut begun = false;
    for (name, value) in element.attributes() {
        if core::mem::replace(&mut begun, true) {
            f.write_char(',')?;
        }
        if list {
            f.write_char('{')?;
        }
        member(f, "@", name, value)?;
        if list {
            f.write_char('}')?;
        }
    }
    open.push(Open { form, rest: element.children(), begun, alone });
    Ok(())
}

fn form(element: TreeRef<'_>) -> Form {
    let (mut names, mut texts, mut others, mut repeated) = (HashSet::new(), 0, false, false);
    for child in element.children() {
        match child.node() {
            TreeNode::Text(_) => texts += 1,
            TreeNode::Comment(_) => {
                others = true;
                repeated = true;
            }
            TreeNode::Element(name) => {
                others = true;
                repeated |= !names.insert(name);
            }
        }
    }
    let bare = element.attributes().len() == 0;
    match (texts, others) {
        (_, false) if bare => Form::Text,
        (0 | 1, false) => Form::Object,
        (0, true) if !repeated => Form::Object,
        _ => Form::List,
    }
}

fn member(f: &mut fmt::Formatter<'_>, mark: &str, name: &str, value: &str) -> fmt::Result {
    string(f, mark, name)?;
    f.write_char(':')?;
    string(f, "", value)
}

fn string(f: &mut fmt::Formatter<'_>, mark: &str, text: &str) -> fmt::Result {
    f.write_char('"')?;
    f.write_str(mark)?;
    escape::write(f, text)?;
    f.write_char('"')
}
