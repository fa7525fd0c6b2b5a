//! Tests with a real Redis.
