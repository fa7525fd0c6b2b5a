//! Reads a body as a tree: elements, text and comments in order.

use super::XmlFormat;
use super::options::XmlBody;
use super::shape::resolve;
use crate::document::{TreeBuilder, tree::Tree};
use crate::error::Error;
use crate::lex::Input;
use crate::lex::xml::{XmlToken, XmlTokenKind};

/// Reads a whole body. A limit ends the tree where it ends the value.
pub(super) fn tree(body: &XmlBody, text: &str) -> Tree {
    let mut reader = Reader { format: body.format(), tree: TreeBuilder::default() };
    for (name, value) in body.own_attributes() {
        reader.tree.attribute(name, value);
    }
    let _ = reader.read(text);
    reader.tree.finish()
}

/// The machine, whose tokens are not used, and the tree that is built with it.
struct Reader {
    format: XmlFormat,
    tree: TreeBuilder,
}

impl Reader {
    fn read(&mut self, text: &str) -> Result<(), Error> {
        self.format.begin_body(0);
        let mut input = Input::new(text, 0);
        while let Some(read) = self.format.read(&mut input) {
            self.take(read, text)?;
        }
        while let Some(read) = self.format.read_end(text.len() as u64) {
            self.take(read, "")?;
        }
        if self.format.lexer.open_section() == Some(true) {
            self.tree.end_comment();
        }
        Ok(())
    }

    fn take(&mut self, read: XmlToken, input: &str) -> Result<(), Error> {
        let text = resolve(read.text, input, &self.format.out);
        match read.kind {
            XmlTokenKind::Text { explicit } => self.tree.text(text, explicit),
            XmlTokenKind::CommentText => self.tree.comment(text),
            XmlTokenKind::CommentEnd => self.tree.end_comment(),
            XmlTokenKind::Prolog | XmlTokenKind::Opener { .. } => {}
            XmlTokenKind::Closer => {
                let above = self.format.stack.above(self.format.lexer.name());
                (0..above.map_or(0, |above| above + 1)).for_each(|_| self.tree.close());
            }
        }
        self.format.take(read, input)?;
        if let XmlTokenKind::Opener { closed } = read.kind {
            self.tree.open(self.format.lexer.name());
            for (name, value) in self.format.attributes() {
                self.tree.attribute(&name, &value);
            }
            if closed {
                self.tree.close();
            }
        }
        self.format.queue.clear();
        self.format.out.clear();
        Ok(())
    }
}
