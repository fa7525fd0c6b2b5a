//! Reasoning that came beside the text of an answer, which its bytes do not have.

use std::sync::Arc;

/// How much text was read, and the reasoning that came beside it: each piece with the place in the text where it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Beside {
    fed: usize,
    pieces: Arc<Vec<(usize, Vec<u8>)>>,
}

impl Beside {
    /// So much text was read.
    #[inline]
    pub(crate) const fn text(&mut self, bytes: &[u8]) {
        self.fed += bytes.len();
    }

    pub(crate) fn reasoning(&mut self, bytes: &[u8]) {
        let pieces = Arc::make_mut(&mut self.pieces);
        match pieces.last_mut() {
            Some((at, piece)) if *at == self.fed => piece.extend_from_slice(bytes),
            _ => pieces.push((self.fed, bytes.to_vec())),
        }
    }

    /// How many bytes of text were read.
    pub(crate) const fn fed(&self) -> usize {
        self.fed
    }

    pub(super) fn pieces(&self) -> &[(usize, Vec<u8>)] {
        &self.pieces
    }
}
