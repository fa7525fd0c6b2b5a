//! Reads JSON of a client. Errors name the member, without words of Rust.

use serde::de::DeserializeOwned;

/// Reads an object. The error names the member and what it must be.
pub(crate) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, String> {
    // Serde would read a list as the members in order.
    if json.trim_ascii_start().starts_with(b"[") {
        return Err("it has to be an object, not a list".to_owned());
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        said(Some(&*path).filter(|path| *path != "."), &error.into_inner())
    })?;
    deserializer.end().map_err(|error| said(None, &error))?;
    Ok(value)
}

fn said(member: Option<&str>, error: &serde_json::Error) -> String {
    let said = error.to_string();
    if !error.is_data() {
        return said;
    }
    // The path of the member replaces line and column.
    let said = said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said);
    let name = member.map_or_else(|| "it".to_owned(), |path| format!("`{path}`"));
    let wrong = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|begin| said.strip_prefix(begin)?.split_once(", expected "));
    match wrong {
        Some((is, wanted)) => format!("{name} has to be {}, not {}", plain(wanted), plain(is)),
        None if member.is_none() || said.starts_with("unknown field") => said.to_owned(),
        None => format!("{name}: {said}"),
    }
}

/// Plain words for serde's names of types.
fn plain(kind: &str) -> &str {
    match kind {
        "map" => "an object",
        "sequence" | "a sequence" => "a list",
        "unit value" => "null",
        "a borrowed string" => "a string",
        "usize" | "u32" | "u64" => "a whole number from 0 on",
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
            ("7", "it has to be an object with `a`, not integer `7`"),
            (" []", "it has to be an object, not a list"),
            ("{\"d\": 1, \"a\": []}", "unknown field `d`"),
            ("{\"a\": 7}", "`a` has to be a list, not integer `7`"),
            ("{\"a\": [1, {}]}", "`a[1]` has to be a whole number from 0 on, not an object"),
            ("{\"a\": [-1]}", "`a[0]` has to be a whole number from 0 on, not integer `-1`"),
            ("{\"b\": [1]}", "`b` has to be a string, not a list"),
            ("{\"c\": 1}", "unknown field `c`, expected `a` or `b`"),
            ("{\"a\": [1", "EOF while parsing a list at line 1 column 8"),
            ("{} {}", "trailing characters at line 1 column 4"),
        ] {
            let error = read::<Read>(json.as_bytes()).expect_err(json);
            assert!(error.starts_with(says), "{json}: {error}");
        }
        assert!(read::<Read>(b"{\"a\": [1], \"b\": null}").is_ok());
    }
}
