//! The settings of a stream, from keyword arguments.

use std::sync::LazyLock;

use patchwire::schema::SchemaForm;
use patchwire::spec::{AnswerView, Roots, Unwrap};
use patchwire::tags::Channel;
use patchwire::{Format, Leniency, Limit, Limits, Schema, Spec, SpecBuilder, Strictness, TagSet};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors;
use crate::value;

/// Lenient JSON without a schema: a constant, made once.
pub(crate) fn standard() -> &'static Spec {
    static STANDARD: LazyLock<Spec> = LazyLock::new(Spec::json);
    &STANDARD
}

/// The settings of a stream, compiled once. Equal settings may be shared by any number of parsers and threads.
#[pyclass(frozen, module = "patchwire", name = "Spec")]
pub(crate) struct Settings {
    pub(crate) spec: Spec,
    /// The settings as plain values, for pickling. `type` is the type of the value, `tool_types` are those of arguments.
    given: Py<PyDict>,
}

#[pymethods]
impl Settings {
    #[new]
    #[pyo3(signature = (schema = None, **settings))]
    fn new(
        py: Python<'_>,
        schema: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if schema.is_none() && settings.is_none_or(|settings| settings.is_empty()) {
            return Ok(Self::standard(py));
        }
        let given = py.import("patchwire._spec")?.getattr("resolved")?.call((schema,), settings)?;
        Self::read(py, given.cast::<PyDict>()?)
    }

    /// The type of the value that `data` gives; `None` for plain values.
    #[getter]
    pub(crate) fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.given.bind(py).get_item("type")
    }

    /// The types of the arguments of tools, by name.
    #[getter]
    pub(crate) fn tool_types<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.given.bind(py).get_item("tool_types")
    }

    /// The name of the format; "auto" is decided by the schema.
    #[getter]
    fn format(&self) -> &'static str {
        self.spec.format().name()
    }

    /// The instructions for a model.
    fn prompt(&self, py: Python<'_>) -> PyResult<String> {
        errors::guarded(py, || Ok(self.spec.prompt().as_str().to_owned()))
    }

    /// An answer in the wire form, with placeholders.
    fn skeleton(&self, py: Python<'_>) -> PyResult<String> {
        errors::guarded(py, || Ok(self.spec.prompt().skeleton().to_owned()))
    }

    /// The schema as JSON Schema; `None` without a schema. A closed schema requires every declared member and
    /// allows no other, for endpoints that enforce it.
    #[pyo3(signature = (closed = false))]
    fn json_schema<'py>(&self, py: Python<'py>, closed: bool) -> PyResult<Bound<'py, PyAny>> {
        let Some(schema) = self.spec.schema() else { return Ok(py.None().into_bound(py)) };
        let schema = if closed { schema.to_closed_json_schema() } else { schema.to_json_schema() };
        value::to_python(py, schema.as_ref())
    }

    /// The keywords of the schema that no check uses.
    fn unchecked(&self) -> Vec<String> {
        self.spec.schema().map_or_else(Vec::new, |schema| {
            schema.unchecked().iter().map(ToString::to_string).collect()
        })
    }

    /// A copy of these settings in which more paths are required.
    fn ensuring(&self, py: Python<'_>, paths: Vec<String>) -> PyResult<Self> {
        let spec = self.spec.ensure_all(paths.iter().map(String::as_str));
        let spec = spec.map_err(|error| errors::spec(py, &error))?;
        let given = self.given.bind(py).copy()?;
        let mut all: Vec<String> = match given.get_item("ensure")? {
            Some(known) => known.extract()?,
            None => Vec::new(),
        };
        all.extend(paths);
        given.set_item("ensure", all)?;
        Ok(Self { spec, given: given.unbind() })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        Ok((py.import("patchwire._core")?.getattr("_settings")?, (self.given.bind(py).copy()?,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let given = self.given.bind(py);
        let schema = match self.r#type(py)? {
            Some(of) => format!(
                " of {}",
                of.getattr("__name__").map_or_else(|_| of.repr(), |name| name.str())?
            ),
            None if given.contains("schema")? => " with a schema".to_owned(),
            None => String::new(),
        };
        Ok(format!("<Spec {}{schema}>", self.format()))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.given.bind(py).eq(&other.given)
    }

    fn __hash__(&self) -> isize {
        // Settings are compared rarely, and their parts have no hash.
        self.format().len() as isize
    }
}

/// Settings from what was pickled.
#[pyfunction]
#[pyo3(name = "_settings")]
pub(crate) fn unpickled(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Settings> {
    Settings::read(py, given)
}

impl Settings {
    /// Lenient JSON without a schema.
    pub(crate) fn standard(py: Python<'_>) -> Self {
        Self { spec: standard().clone(), given: PyDict::new(py).unbind() }
    }

    fn read(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        errors::guarded(py, || Self::read_all(py, given))
    }

    fn read_all(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut builder = Spec::builder();
        for (name, value) in given {
            let name = name.cast::<PyString>()?.to_str()?;
            builder = setting(py, builder, name, &value)?;
        }
        // Without a format and a schema, the body of the answer's own element decides.
        if !given.contains("format")? && !given.contains("schema")? && has_answer(py, given)? {
            builder = builder.format(Format::Text);
        }
        let spec = builder.build().map_err(|error| errors::spec(py, &error))?;
        Ok(Self { spec, given: given.copy()?.unbind() })
    }
}

/// Applies one setting.
fn setting(
    py: Python<'_>,
    builder: SpecBuilder,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<SpecBuilder> {
    Ok(match name {
        "schema" => builder.schema(schema(py, value)?),
        "format" => builder.format(format(py, &text(value)?)?),
        "tags" => tags(py, builder, value)?,
        "tools" => tools(py, builder, value)?,
        "strict" if value.is_truthy()? => builder.strictness(Strictness::Strict),
        "strict" => builder,
        "ensure" => all(value)?.into_iter().fold(builder, SpecBuilder::ensure),
        "ensure_present" => all(value)?.into_iter().fold(builder, SpecBuilder::ensure_present),
        "valid" => builder.valid(value.is_truthy()?),
        "exact" => builder.strict_shape(value.is_truthy()?),
        "forbid" => forbidden(py, builder, value)?,
        "limits" => builder.limits(limits(py, value)?),
        "roots" => builder.roots(roots(py, &text(value)?)?),
        "view" => builder.view(view(py, &text(value)?)?),
        "start_in" => builder.start_in(text(value)?),
        "root_tag" => builder.root_tag(text(value)?),
        "document_name" => builder.document_name(text(value)?),
        "unwrap_fences" => builder.unwrap_fences(unwrap(py, &text(value)?)?),
        "keep_raw" if !value.is_truthy()? => builder.without_raw(),
        "keep_value" if !value.is_truthy()? => builder.without_value(),
        "align" if !value.is_truthy()? => builder.without_alignment(),
        "keep_raw" | "keep_value" | "align" | "type" | "tool_types" => builder,
        _ => {
            return Err(errors::raised(
                py,
                "SpecError",
                format_args!("there is no setting `{name}`"),
            ));
        }
    })
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract()
}

fn all(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    value.extract()
}

/// A name that is none of those known.
fn unknown(py: Python<'_>, what: &str, name: &str, known: &[&str]) -> PyErr {
    let known = known.join(", ");
    errors::raised(
        py,
        "SpecError",
        format_args!("no {what} is called `{name}`; write one of {known}"),
    )
}

/// A schema as a text and its form: "json_schema", "output_dsl" or "auto".
fn schema(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Schema> {
    let (form, text): (String, String) = value.extract()?;
    let read = match &*form {
        "json_schema" => Schema::from_text_in(SchemaForm::JsonSchema, &text),
        "output_dsl" => Schema::from_text_in(SchemaForm::OutputDsl, &text),
        _ => Schema::from_text(&text),
    };
    read.map_err(|error| errors::schema(py, &error))
}

fn format(py: Python<'_>, name: &str) -> PyResult<Format> {
    Format::from_name(name)
        .ok_or_else(|| unknown(py, "format", name, &Format::ALL.map(Format::name)))
}

/// Tag sets, each as its kind ("preset", "json" or "toml") and its name or text. An empty list is no tags.
fn tags(py: Python<'_>, builder: SpecBuilder, value: &Bound<'_, PyAny>) -> PyResult<SpecBuilder> {
    let given: Vec<(String, String)> = value.extract()?;
    let mut sets = given.iter().map(|(kind, text)| tag_set(py, kind, text));
    Ok(match (sets.next(), sets.len()) {
        (None, _) => builder.without_tags(),
        // A single set is used as it is: merging would lose its set-wide settings.
        (Some(only), 0) => builder.tags(only?),
        (Some(first), _) => {
            let mut merged = TagSet::builder().include(&first?);
            for set in sets {
                merged = merged.include(&set?);
            }
            let merged = merged.build().map_err(|error| {
                errors::raised(py, "SpecError", format_args!("the tag sets conflict: {error}"))
            })?;
            builder.tags(merged)
        }
    })
}

fn tag_set(py: Python<'_>, kind: &str, text: &str) -> PyResult<TagSet> {
    let read = match kind {
        "json" => TagSet::from_json(text),
        "toml" => TagSet::from_toml(text),
        _ => {
            let known = || unknown(py, "tag set", text, TagSet::PRESETS);
            return TagSet::preset(text).ok_or_else(known);
        }
    };
    read.map_err(|error| {
        errors::raised(py, "SpecError", format_args!("the tag set cannot be used: {error}"))
    })
}

/// Tools by name, with the schemas of their arguments.
fn tools(py: Python<'_>, builder: SpecBuilder, value: &Bound<'_, PyAny>) -> PyResult<SpecBuilder> {
    value.cast::<PyDict>()?.iter().try_fold(builder, |builder, (name, arguments)| {
        Ok(builder.tool(text(&name)?, schema(py, &arguments)?))
    })
}

/// Whether a family of the tags has the channel of the answer.
fn has_answer(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<bool> {
    let Some(tags) = given.get_item("tags")? else { return Ok(false) };
    for (kind, text) in tags.extract::<Vec<(String, String)>>()? {
        let set = tag_set(py, &kind, &text)?;
        if set.families().iter().any(|family| *family.channel() == Channel::Answer) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn forbidden(
    py: Python<'_>,
    builder: SpecBuilder,
    value: &Bound<'_, PyAny>,
) -> PyResult<SpecBuilder> {
    all(value)?.iter().try_fold(builder, |builder, name| {
        let slip = Leniency::ALL.into_iter().find(|slip| slip.name() == name);
        let known = || unknown(py, "leniency", name, &Leniency::ALL.map(Leniency::name));
        Ok(builder.forbid(slip.ok_or_else(known)?))
    })
}

fn limits(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Limits> {
    value.cast::<PyDict>()?.iter().try_fold(Limits::default(), |limits, (name, most)| {
        let name = text(&name)?;
        let limit: Limit =
            name.parse().map_err(|_| unknown(py, "limit", &name, &Limit::ALL.map(Limit::name)))?;
        Ok(limits.with(limit, most.extract()?))
    })
}

fn roots(py: Python<'_>, name: &str) -> PyResult<Roots> {
    Ok(match name {
        "best" => Roots::Best,
        "first_fit" => Roots::FirstFit,
        "first" => Roots::First,
        "last" => Roots::Last,
        "concatenated" => Roots::Concatenated,
        _ => {
            let known = ["best", "first_fit", "first", "last", "concatenated"];
            return Err(unknown(py, "choice of roots", name, &known));
        }
    })
}

fn view(py: Python<'_>, name: &str) -> PyResult<AnswerView> {
    Ok(match name {
        "concat" => AnswerView::Concat,
        "first" => AnswerView::First,
        "last" => AnswerView::Last,
        "first_closed_else_last" => AnswerView::FirstClosedElseLast,
        _ => {
            let known = ["concat", "first", "last", "first_closed_else_last"];
            return Err(unknown(py, "view", name, &known));
        }
    })
}

fn unwrap(py: Python<'_>, name: &str) -> PyResult<Unwrap> {
    Ok(match name {
        "never" => Unwrap::Never,
        "auto" => Unwrap::Auto,
        "always" => Unwrap::Always,
        _ => return Err(unknown(py, "way to unwrap fences", name, &["never", "auto", "always"])),
    })
}
