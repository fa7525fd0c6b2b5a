//! Places in a text of JSON.

use core::fmt;
use std::rc::Rc;

/// A JSON Pointer that shares its beginning with those of the places around it: many places may lie below one
/// long name.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextPath(Option<Rc<PathPart>>);

#[derive(Debug)]
struct PathPart {
    above: TextPath,
    /// One or several steps, each with its `/`.
    steps: String,
    /// The bytes of the whole pointer.
    len: usize,
}

impl TextPath {
    /// The place at this pointer.
    pub(crate) fn at(pointer: String) -> Self {
        Self::default().with(pointer)
    }

    /// The place at this keyword.
    pub(crate) fn keyword(&self, keyword: &str) -> Self {
        self.with(format!("/{keyword}"))
    }

    /// The place at this item of a keyword.
    pub(crate) fn item(&self, keyword: &str, index: usize) -> Self {
        self.with(format!("/{keyword}/{index}"))
    }

    /// The place at this member of a keyword.
    pub(crate) fn member(&self, keyword: &str, name: &str) -> Self {
        self.with(format!("/{keyword}/{}", escaped(name)))
    }

    /// The place at this name.
    pub(crate) fn name(&self, name: &str) -> Self {
        self.with(format!("/{}", escaped(name)))
    }

    /// The bytes of the pointer.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |part| part.len)
    }

    /// Whether this is the root.
    pub(crate) fn is_root(&self) -> bool {
        self.len() == 0
    }

    fn with(&self, steps: String) -> Self {
        let (above, len) = (self.clone(), self.len() + steps.len());
        Self(Some(Rc::new(PathPart { above, steps, len })))
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl fmt::Display for TextPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut up, mut at) = (Vec::new(), self.0.as_deref());
        while let Some(part) = at {
            up.push(&part.steps);
            at = part.above.0.as_deref();
        }
        up.iter().rev().try_for_each(|steps| f.write_str(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::TextPath;

    #[test]
    fn a_pointer_with_its_steps() {
        let root = TextPath::default();
        let place = root.member("properties", "a/b~c").item("anyOf", 3).keyword("items");
        assert_eq!(place.to_string(), "/properties/a~1b~0c/anyOf/3/items");
        assert_eq!(place.len(), place.to_string().len());
        assert_eq!(TextPath::at("/$defs/x".to_owned()).name("y").to_string(), "/$defs/x/y");
        assert!(root.is_root() && root.to_string().is_empty());
    }
}
