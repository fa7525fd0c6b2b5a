//! The target for schemas with answers.

use std::time::Duration;

use cpu_time::ThreadTime;
use patchwire::schema::{SchemaError, SchemaForm};
use patchwire::{Format, Schema, Spec, Strictness};

use super::Job;
use crate::cuts::Cuts;
use crate::event_log::{run_cut, run_whole};
use crate::laws;

/// The longest schema and the longest answer, in bytes.
const LONGEST: (usize, usize) = (4096, 1024);
/// The longest schema and the longest answer under which every law is checked, which takes longer.
const LAWS: (usize, usize) = (512, 96);
/// The most CPU time of an input, in a build with a sanitizer on a busy machine.
const TIME: Duration = Duration::from_secs(8);
/// The longest prompt of a schema without bytes, and what each byte of the schema may add.
const PROMPT: (usize, usize) = (1 << 14, 1 << 6);

/// The settings that an input chooses with its first byte.
struct Choice(usize);

impl Choice {
    fn schema(&self, text: &str) -> Result<Schema, SchemaError> {
        match self.0 & 3 {
            0 => Schema::from_text_in(SchemaForm::JsonSchema, text),
            1 => Schema::from_text_in(SchemaForm::OutputDsl, text),
            _ => Schema::from_text(text),
        }
    }

    fn format(&self) -> Format {
        let all =
            [Format::Json, Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral];
        // Of eight numbers, four choose JSON.
        all[(self.0 >> 2 & 7) % all.len()]
    }

    /// `None` if the settings contradict each other, as a schema without fields in a format of fields does.
    fn spec(&self, schema: Schema) -> Option<Spec> {
        let is_strict = self.0 >> 7 & 1 == 1 && self.format() == Format::Json;
        let strictness = if is_strict { Strictness::Strict } else { Strictness::Lenient };
        let builder = Spec::builder().format(self.format()).schema(schema).strictness(strictness);
        let builder = builder.strict_shape(self.0 >> 5 & 1 == 1).valid(self.0 >> 6 & 1 == 1);
        match builder.build() {
            Ok(spec) => Some(spec),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                None
            }
        }
    }
}

/// Asserts for a schema and an answer: the schema is read, or an error says why not; it survives being
/// written as JSON Schema; its prompt is bounded; the answer, its checks and verdicts do not depend on cuts;
/// and all of that takes bounded time.
///
/// The document is the text of the schema (JSON Schema, output DSL, either in JSON or YAML), a zero byte, and
/// the answer. Bits of byte 0: the form of the schema (two), the format (three), `strict_shape`, `valid`, and
/// strict reading.
///
/// # Panics
/// If one of these does not hold.
pub fn schemas(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let mut parts = job.document.splitn(2, |byte| *byte == 0);
    let schema = parts.next().unwrap_or_default();
    let answer = parts.next().unwrap_or(schema);
    let Ok(text) = core::str::from_utf8(schema) else { return };
    if text.len() > LONGEST.0 || answer.len() > LONGEST.1 {
        return;
    }
    let began = ThreadTime::now();
    let choice = Choice(job.setup);
    match choice.schema(text) {
        Ok(schema) => {
            written(&schema);
            if let Some(spec) = choice.spec(schema) {
                prompted(&spec, text);
                answered(&spec, text, answer, job.cuts);
            }
        }
        Err(error) => assert!(error.to_string().len() > 10, "{error:?}"),
    }
    let took = began.elapsed();
    assert!(took < TIME, "{took:?}");
}

/// What is written as JSON Schema is read again, and is then written as it was.
fn written(schema: &Schema) {
    let text = schema.to_json_schema();
    let again = Schema::from_json_schema(text.as_ref());
    let again = again.unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again.to_json_schema().to_string(), text.to_string());
    let closed = schema.to_closed_json_schema();
    if let Err(error) = Schema::from_json_schema(closed.as_ref()) {
        panic!("{error}: {closed}");
    }
}

fn prompted(spec: &Spec, schema: &str) {
    let prompt = spec.prompt();
    let most = PROMPT.0 + PROMPT.1 * schema.len();
    let len = prompt.as_str().len().max(prompt.skeleton().len());
    assert!(len <= most, "a prompt of {len} bytes for a schema of {}", schema.len());
    assert!(prompt.as_str().ends_with('\n'), "{prompt}");
}

fn answered(spec: &Spec, schema: &str, answer: &[u8], cuts: Vec<usize>) {
    let whole = run_whole(spec, answer);
    let cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (answer.len() + 1)).collect();
    for cuts in [Cuts::at(cuts), Cuts::bytewise(answer.len())] {
        if let Some(found) = whole.difference(&run_cut(spec, answer, &cuts)) {
            panic!("{cuts}: uncut, {found}");
        }
    }
    if let Ok(answer) = spec.parse(answer) {
        answer.failures().iter().for_each(|failure| assert!(!failure.to_string().is_empty()));
    }
    if schema.len() <= LAWS.0
        && answer.len() <= LAWS.1
        && let Err(why) = laws::all(spec, answer)
    {
        panic!("{why}");
    }
}
