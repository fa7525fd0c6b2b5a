//! Lines that may open or close a fence other than the payload's. Their text is emitted at once.

use super::super::fence::{FenceLine, FenceStep};
use super::Finder;
use crate::lex::Input;

impl Finder {
    /// Whether the position is in a fence line whose text is emitted in any case, or at the first byte of
    /// one.
    pub(super) fn passes_line(&mut self, byte: u8) -> bool {
        let closes = self.fence.is_some() && self.line_start && !self.after_root;
        if closes && self.passing.is_none() && matches!(byte, b'`' | b'~') {
            self.passing = Some(FenceLine::begin(byte));
        }
        self.passing.is_some()
    }

    pub(super) fn pass_line(&mut self, input: &mut Input<'_>) {
        let Some(mut line) = self.passing.take() else { return };
        if self.line_start {
            // The first mark of the line.
            self.see();
            input.pos += 1;
        }
        self.after_word = false;
        while let Some(char) = input.peek_char() {
            match line.step(char, self.fence, self.caps.info) {
                FenceStep::Pass | FenceStep::Hold => input.pos += char.len_utf8(),
                FenceStep::Text => return,
                FenceStep::Closes => {
                    self.fence = None;
                    return;
                }
                FenceStep::Opens(fence) => {
                    input.pos += char.len_utf8();
                    self.fence = Some(fence);
                    self.line_start = true;
                    return;
                }
            }
        }
        self.passing = Some(line);
    }
}
