//! Costly settings: schemas, answers to them, paths to ensure, and tag sets, each a function from a size.
//!
//! The other shapes are what a model writes. These are what a client of a service sends, and what a model
//! writes for them.

mod ensures;
mod fields;
mod schemas;
mod tag_sets;
mod types;
mod verdicts;

use patchwire::{Answer, Format, Schema, Spec, SpecBuilder, TagSet};

/// Settings of any size, and an answer to be read with them.
#[derive(Debug, Clone, Copy)]
pub struct SettingsShape {
    /// Its name, unique.
    pub name: &'static str,
    /// Makes settings and an answer of about this many bytes together.
    pub make: fn(usize) -> Task,
}

/// What a client sends: settings, and an answer to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// The schema, as JSON or YAML. Empty: none.
    pub schema: String,
    /// A tag set, as JSON. Empty: the default.
    pub tags: String,
    /// Paths that have to exist.
    pub ensures: Vec<String>,
    /// Tools without arguments.
    pub tools: Vec<String>,
    /// How the answer is written.
    pub format: Format,
    /// The rules for the value.
    pub verdict: JudgedBy,
    /// The answer.
    pub answer: String,
}

/// How a value is judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JudgedBy {
    /// By nothing but needed members.
    #[default]
    Needs,
    /// By its whole schema.
    Valid,
    /// By its whole schema, and without members beside those that it declares.
    Exact,
}

impl Task {
    /// A schema, and an answer to it.
    fn of(schema: String, answer: impl Into<String>) -> Self {
        Self { schema, answer: answer.into(), ..Self::default() }
    }

    /// Sets how the answer is judged.
    fn judged(self, verdict: JudgedBy) -> Self {
        Self { verdict, ..self }
    }

    /// The bytes of the settings and of the answer.
    #[must_use]
    pub fn len(&self) -> usize {
        let lists = self.ensures.iter().chain(&self.tools).map(String::len).sum::<usize>();
        self.schema.len() + self.tags.len() + lists + self.answer.len()
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the settings, writes the prompt and the schema, and reads the answer in chunks.
    ///
    /// # Errors
    /// The message of the setting that is refused, or of the limit that the answer reached.
    pub fn run(&self) -> Result<Done, String> {
        let spec = self.spec()?;
        let prompt = spec.prompt().as_str().len();
        let written = spec.schema().map_or(0, |it| it.to_json_schema().to_string().len());
        let answer = self.read(&spec).map_err(|error| error.to_string())?;
        Ok(Done { prompt, written, failures: answer.failures().len() })
    }

    /// The settings, compiled.
    ///
    /// # Errors
    /// The message of the setting that is refused.
    pub fn spec(&self) -> Result<Spec, String> {
        let mut builder = Spec::builder()
            .format(self.format)
            .valid(self.verdict != JudgedBy::Needs)
            .strict_shape(self.verdict == JudgedBy::Exact);
        if !self.schema.is_empty() {
            builder = builder.schema(Schema::from_text(&self.schema).map_err(|it| it.to_string())?);
        }
        if !self.tags.is_empty() {
            builder = builder.tags(TagSet::from_json(&self.tags).map_err(|it| it.to_string())?);
        }
        let builder = self.ensures.iter().fold(builder, |it, path| it.ensure(path.as_str()));
        let tool = |it: SpecBuilder, name: &String| it.tool(name.as_str(), Schema::object());
        let builder = self.tools.iter().fold(builder, tool);
        builder.build().map_err(|it| it.to_string())
    }

    fn read(&self, spec: &Spec) -> Result<Answer, patchwire::Error> {
        let mut parser = spec.parser();
        for chunk in self.answer.as_bytes().chunks(4096) {
            parser.feed(chunk, |_| {})?;
        }
        parser.finish(|_| {})
    }
}

/// What came of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// The bytes of the prompt.
    pub prompt: usize,
    /// The bytes of the schema as it is written.
    pub written: usize,
    /// How many failures the answer has.
    pub failures: usize,
}

/// All shapes.
#[must_use]
pub fn all() -> Vec<SettingsShape> {
    [
        schemas::SHAPES,
        types::SHAPES,
        fields::SHAPES,
        verdicts::SHAPES,
        ensures::SHAPES,
        tag_sets::SHAPES,
    ]
    .concat()
}

/// The shape with this name.
#[must_use]
pub fn named(name: &str) -> Option<SettingsShape> {
    all().into_iter().find(|shape| shape.name == name)
}

/// `unit(0)`, `unit(1)` and so on up to `n` bytes, with commas between them.
fn listed(n: usize, unit: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        let one = unit(at);
        if at > 0 && text.len() + one.len() + 1 > n {
            break;
        }
        if at > 0 {
            text.push(',');
        }
        text.push_str(&one);
    }
    text
}

/// How many units [`listed`] makes.
fn count(n: usize, unit: impl Fn(usize) -> String) -> usize {
    let (mut bytes, mut count) = (0, 0);
    while count == 0 || bytes + unit(count).len() < n {
        bytes += unit(count).len() + 1;
        count += 1;
    }
    count
}
