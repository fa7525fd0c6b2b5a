//! JSON of a client's, read. What is wrong with it is said of its members, and in no words of Rust.

use serde::de::DeserializeOwned;

/// Reads a value. The error names the member, and says what has to stand there; `whole` is what the
/// value itself is called.
pub(crate) fn read<T: DeserializeOwned>(json: &[u8], whole: &str) -> Result<T, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        // Of a member that is unknown the path is that of the object.
        let path = path.trim_end_matches('?').trim_end_matches('.');
        let name = if path.is_empty() { whole.to_owned() } else { format!("`{path}`") };
        said(&name, &error.into_inner())
    })?;
    deserializer.end().map_err(|error| said(whole, &error))?;
    Ok(value)
}

fn said(name: &str, error: &serde_json::Error) -> String {
    let said = error.to_string();
    if !error.is_data() {
        return format!("{name}: {said}");
    }
    // The place is the member's.
    let said = said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said);
    let wrong = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|begin| said.strip_prefix(begin)?.split_once(", expected "));
    match wrong {
        Some((is, wanted)) => format!("{name} has to be {}, not {}", plain(wanted), plain(is)),
        None => format!("{name}: {said}"),
    }
}

/// What serde calls by its own names.
fn plain(kind: &str) -> &str {
    match kind {
        "map" => "an object",
        "sequence" | "a sequence" => "a list",
        "unit value" => "null",
        "a borrowed string" => "a string",
        "usize" => "a number from 0 on",
        kind => kind,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::read;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, expecting = "an object with `a`")]
    #[expect(dead_code, reason = "only its errors are looked at")]
    struct Read {
        #[serde(default)]
        a: Vec<usize>,
        b: Option<String>,
    }

    #[test]
    fn errors_name_the_member_and_what_has_to_stand_there() {
        for (json, says) in [
            ("7", "the whole has to be an object with `a`, not integer `7`"),
            ("{\"a\": 7}", "`a` has to be a list, not integer `7`"),
            ("{\"a\": [1, {}]}", "`a[1]` has to be a number from 0 on, not an object"),
            ("{\"a\": [-1]}", "`a[0]` has to be a number from 0 on, not integer `-1`"),
            ("{\"b\": [1]}", "`b` has to be a string, not a list"),
            ("{\"c\": 1}", "unknown field `c`, expected `a` or `b`"),
            ("{\"a\": [1", "EOF while parsing a list at line 1 column 8"),
            ("{} {}", "the whole: trailing characters at line 1 column 4"),
        ] {
            let error = read::<Read>(json.as_bytes(), "the whole").expect_err(json);
            assert!(error.contains(says), "{json}: {error}");
        }
        assert!(read::<Read>(b"{\"a\": [1], \"b\": null}", "the whole").is_ok());
    }
}
