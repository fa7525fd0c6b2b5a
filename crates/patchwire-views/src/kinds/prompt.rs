//! The contract as text for a prompt.

use patchwire::schema::Literal;

use super::{Kinds, SCORES, WINNER};

impl Kinds {
    /// The block to end a prompt with. It asks for one JSON object and nothing else, and gives its form,
    /// the granted kinds, the rule for the text, and an example.
    ///
    /// ```
    /// use patchwire_views::kinds::Kinds;
    ///
    /// let kinds = Kinds::builder(["world.observed", "judge.verdict"])
    ///     .example(r#"{"kind": "world.observed", "text": "A bell rings."}"#)
    ///     .build()?;
    /// assert_eq!(
    ///     kinds.prompt(),
    ///     r#"OUTPUT FORMAT
    /// Reply with a single JSON object and nothing else: no prose before or after it.
    /// Schema: {"kind": "...", "text": "..."}
    /// kind must be one of: world.observed | judge.verdict
    /// text must be one or two sentences, vivid and specific.
    /// Example: {"kind": "world.observed", "text": "A bell rings."}
    /// "#,
    /// );
    /// # Ok::<(), patchwire_views::kinds::KindsError>(())
    /// ```
    #[must_use]
    pub fn prompt(&self) -> String {
        let schema = self.object(r#""...""#, r#""...""#, |name| match name {
            WINNER => r#""<a player's name, or null>""#,
            SCORES => r#"{"<player>": 0-10}"#,
            _ => r#""...""#,
        });
        let rule = self.0.text_rule.trim_end_matches('.');
        format!(
            "OUTPUT FORMAT\n\
             Reply with a single JSON object and nothing else: no prose before or after it.\n\
             Schema: {schema}\n\
             kind must be one of: {}\n\
             text must be {rule}.\n\
             Example: {}\n",
            self.0.granted.join(" | "),
            self.example(),
        )
    }

    /// The example on one line.
    fn example(&self) -> String {
        match &self.0.example {
            Some(json) if !json.trim().contains(['\n', '\r']) => json.trim().to_owned(),
            Some(json) => self.parse(json).value().to_string(),
            None => {
                let kind = quoted(&self.0.granted[0]);
                self.object(&kind, r#""A bell rings, though nobody is at the rope.""#, |name| {
                    match name {
                        WINNER => "null",
                        SCORES => "{}",
                        _ => r#""...""#,
                    }
                })
            }
        }
    }

    fn object(&self, kind: &str, text: &str, extra: impl Fn(&str) -> &'static str) -> String {
        let mut object = format!(r#"{{"kind": {kind}, "text": {text}"#);
        for name in &self.0.extras {
            object.push_str(&format!(", {}: {}", quoted(name), extra(name)));
        }
        object.push('}');
        object
    }
}

/// The text as a JSON string.
fn quoted(text: &str) -> String {
    Literal::from(text).to_string()
}
