//! Indented code of Markdown (CommonMark 0.31, section 4.4) outside elements: lines that are indented by four or more
//! columns, after a paragraph and a blank line.
//!
//! Lines of a list or a quote are never code here, however deep they are indented.

/// Indent from which on a line is code, in columns.
const CODE: u8 = 4;
/// Indent from which on a line belongs to the list before it, in columns.
const ITEM: u8 = 2;

/// Whether the text is in indented code. It is small and `Copy`, because the guard that contains it is copied often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndentedCode {
    block: Block,
    line: Line,
}

/// What the lines before this one are part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Nothing is code here, and nothing is noted.
    Off,
    Paragraph,
    /// A blank line after a paragraph.
    Blank,
    Code,
    List,
    /// A blank line in or after a list.
    ListBlank,
}

/// The current line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Spaces and tabs, in columns.
    Indent(u8),
    Text,
}

impl IndentedCode {
    pub(super) const OFF: Self = Self { block: Block::Off, line: Line::Indent(0) };
    /// Before the first line of a stream. The state after a list: it makes an indented first line no code.
    pub(super) const START: Self = Self { block: Block::ListBlank, line: Line::Indent(0) };

    /// Whether this place is in indented code.
    pub(super) const fn is_here(self) -> bool {
        match (self.block, self.line) {
            (Block::Code, Line::Text) => true,
            (Block::Blank | Block::Code, Line::Indent(columns)) => columns >= CODE,
            _ => false,
        }
    }

    /// Reads a byte other than a line feed.
    #[inline]
    pub(super) const fn see(&mut self, byte: u8) {
        let Line::Indent(columns) = self.line else { return };
        if let Block::Off = self.block {
            return;
        }
        match byte {
            b'\r' => {}
            b' ' => self.line = Line::Indent(columns.saturating_add(1)),
            // To the next multiple of four. That is enough for code, however far it is.
            b'\t' => self.line = Line::Indent(CODE),
            _ => {
                self.block = self.block.with(columns, byte);
                self.line = Line::Text;
            }
        }
    }

    /// Reads a line feed.
    pub(super) const fn end_line(&mut self) {
        if let Block::Off = self.block {
            return;
        }
        if let Line::Indent(_) = self.line {
            self.block = self.block.behind_blank_line();
        }
        self.line = Line::Indent(0);
    }
}

impl Block {
    /// The block after a line with this indent and this first byte. A line that only looks like a list item counts
    /// as one.
    const fn with(self, columns: u8, byte: u8) -> Self {
        let is_item = matches!(byte, b'-' | b'*' | b'+' | b'>' | b'0'..=b'9');
        match (self, columns) {
            (Self::Blank | Self::Code, CODE..) => Self::Code,
            (Self::List, _) | (Self::ListBlank, ITEM..) => Self::List,
            _ if is_item => Self::List,
            _ => Self::Paragraph,
        }
    }

    const fn behind_blank_line(self) -> Self {
        match self {
            Self::Paragraph => Self::Blank,
            Self::List => Self::ListBlank,
            block => block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IndentedCode;

    fn is_code_behind(text: &str, start: IndentedCode) -> bool {
        let mut place = start;
        for byte in text.bytes() {
            match byte {
                b'\n' => place.end_line(),
                _ => place.see(byte),
            }
        }
        place.is_here()
    }

    #[test]
    fn four_columns_behind_a_paragraph_and_a_blank_line_are_code() {
        for text in [
            "a\n\n    ",
            "a\n \n\tx",
            "a\n\n  \tx",
            "a\n\n    x\n\n    y",
            "a\r\n\r\n    x",
            "- a\n\nb\n\n    x",
        ] {
            assert!(is_code_behind(text, IndentedCode::START), "{text:?}");
            assert!(!is_code_behind(text, IndentedCode::OFF), "{text:?}");
        }
        for text in [
            "    x",
            "\n\n    x",
            "a\r\n    x",
            "a\n    x",
            "a\n\n   x",
            "a\n\n    x\ny",
            "- a\n\n    x",
            "- a\nb\n\n    x",
            "1. a\n\n   b\n\n    x",
            "> a\n\n    x",
            "a\n\nx    y",
        ] {
            assert!(!is_code_behind(text, IndentedCode::START), "{text:?}");
        }
    }
}
