//! Facts of the provider.

use serde_json::Value as Json;

/// Token counts, and why the model stopped.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    usage: Usage,
    /// The sum of earlier attempts.
    earlier: Usage,
    /// The provider's own word.
    pub(crate) stop: Option<String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    read: Option<u64>,
    written: Option<u64>,
}

impl Facts {
    /// Adds a fact. Of several with the same name, the last counts.
    pub(crate) fn add(&mut self, name: &str, value: &Json) {
        match name {
            "usage" => {
                let of = |names: [&str; 3]| names.iter().find_map(|name| value.get(name)?.as_u64());
                let read = of(["prompt_tokens", "input_tokens", "prompt_eval_count"]);
                let written = of(["completion_tokens", "output_tokens", "eval_count"]);
                self.usage.read = read.or(self.usage.read);
                self.usage.written = written.or(self.usage.written);
            }
            "stop_reason" => self.stop = value.as_str().map(str::to_owned),
            _ => {}
        }
    }

    /// Input and output tokens of all attempts, if the provider reported them.
    pub(crate) fn tokens(&self) -> (Option<u64>, Option<u64>) {
        let Usage { read, written } = self.usage.and(self.earlier);
        (read, written)
    }

    pub(super) fn of_another_attempt(self) -> Self {
        Self { earlier: self.usage.and(self.earlier), ..Self::default() }
    }
}

impl Usage {
    fn and(self, other: Self) -> Self {
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        Self { read: sum(self.read, other.read), written: sum(self.written, other.written) }
    }
}

#[cfg(test)]
mod tests {
    use super::Facts;
    use serde_json::json;

    #[test]
    fn tokens_are_those_of_all_attempts() {
        let mut facts = Facts::default();
        assert_eq!(facts.tokens(), (None, None));
        facts.add("usage", &json!({"input_tokens": 12, "output_tokens": 1}));
        facts.add("usage", &json!({"output_tokens": 40}));
        facts.add("stop_reason", &json!("end_turn"));
        assert_eq!(
            (facts.tokens(), facts.stop.as_deref()),
            ((Some(12), Some(40)), Some("end_turn"))
        );
        let mut facts = facts.of_another_attempt();
        assert_eq!((facts.tokens(), facts.stop.as_deref()), ((Some(12), Some(40)), None));
        facts.add(
            "usage",
            &json!({"prompt_tokens": 20, "completion_tokens": 2, "total_tokens": 22}),
        );
        facts.add("model", &json!("m"));
        assert_eq!(facts.tokens(), (Some(32), Some(42)));
    }
}
