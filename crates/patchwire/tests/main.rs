//! What the engine promises, tried through its public interface.

mod borrowing;
mod limits;
mod reasoning;
mod seam;
mod spans;
mod tidy;
