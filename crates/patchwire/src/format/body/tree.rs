//! Bodies of markup: their machine in the stream, and their tree in the answer.

use crate::answer::Element;
use crate::document::tree::Tree;
use crate::format::xml::XmlBody;
use crate::limits::Limits;
use crate::tags::{BodyFormat, Family};

/// The machine for a body of this family. The attributes of the element belong to its value, except the one
/// that names the element.
pub(super) fn body(family: &Family, params: &[(String, String)], limits: &Limits) -> XmlBody {
    let own = params.iter().filter(|(name, _)| Some(name) != family.named_by.as_ref());
    let own = own.map(|(name, value)| (&**name, &**value));
    let body = if family.body.names.is_empty() {
        XmlBody::any()
    } else {
        XmlBody::known(family.body.names.iter().map(String::as_str))
    };
    let body = body.limits(limits.clone()).attributes(own);
    if family.body.typed { body.typed_by_content() } else { body }
}

impl Element<'_> {
    /// The body as a tree that keeps elements with their attributes, text and comments in their order.
    /// [`value`](Self::value) is this body as JSON, where children of one name are a list.
    ///
    /// Elements of the tag set inside the body are not part of the tree; [`nodes`](Self::nodes) returns
    /// them. Each call parses the body again. `None` if the family's body is not XML, or if the raw text
    /// was not kept.
    ///
    /// ```
    /// use patchwire::document::tree::TreeNode;
    /// use patchwire::{Format, Spec, TagSet};
    ///
    /// let spec = Spec::builder().format(Format::Text).tags(TagSet::hermes()).build()?;
    /// let answer = spec.parse("<report>\n<a n=\"1\">x</a><b>y</b><a>z</a>\n</report>")?;
    /// let report = answer.elements().next().expect("a report");
    /// assert_eq!(report.value().expect("a tree").at("a[1]").and_then(|a| a.as_str()), Some("z"));
    ///
    /// let tree = report.tree().expect("the raw text is kept");
    /// let nodes: Vec<_> = tree.body().children().map(|child| child.node()).collect();
    /// let element = TreeNode::Element;
    /// assert_eq!(nodes, [element("a"), element("b"), element("a")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tree(&self) -> Option<Tree> {
        let family = self.family().filter(|family| family.body() == BodyFormat::Xml)?;
        let text = self.own_raw()?;
        let params: Vec<(String, String)> =
            self.params().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let body = body(family, &params, self.limits());
        Some(body.tree(&String::from_utf8_lossy(&text)))
    }
}
