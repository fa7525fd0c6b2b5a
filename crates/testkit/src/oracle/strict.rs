//! RFC 8259 by recursive descent over the whole text, with one function per production.

use super::Json;

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// The position, in characters, or in bytes if the bytes are not UTF-8.
    pub at: usize,
    /// The error.
    pub why: &'static str,
}

/// Reads one JSON text: a value with whitespace around it, nested at most `depth` levels deep.
///
/// # Errors
/// If the text is not valid JSON.
pub fn read(bytes: &[u8], depth: usize) -> Result<Json, Reject> {
    let text = core::str::from_utf8(bytes)
        .map_err(|error| Reject { at: error.valid_up_to(), why: "not UTF-8" })?;
    let mut reader = Reader { chars: text.chars().collect(), at: 0, depth };
    reader.blanks();
    let value = reader.value()?;
    reader.blanks();
    if reader.at < reader.chars.len() {
        return reader.reject("text after the value");
    }
    Ok(value)
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    /// The number of levels that may still open.
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn reject<T>(&self, why: &'static str) -> Result<T, Reject> {
        Err(Reject { at: self.at, why })
    }

    fn eat(&mut self, char: char) -> bool {
        let found = self.peek() == Some(char);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, char: char, why: &'static str) -> Result<(), Reject> {
        if self.eat(char) { Ok(()) } else { self.reject(why) }
    }

    /// §2 `ws`.
    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    /// §3
    fn value(&mut self) -> Result<Json, Reject> {
        match self.peek() {
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::list),
            Some('"') => self.string().map(Json::String),
            Some('-' | '0'..='9') => self.number(),
            Some('t') => self.literal("true", Json::Bool(true)),
            Some('f') => self.literal("false", Json::Bool(false)),
            Some('n') => self.literal("null", Json::Null),
            _ => self.reject("no value"),
        }
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Result<Json, Reject>) -> Result<Json, Reject> {
        if self.depth == 0 {
            return self.reject("too deep");
        }
        self.depth -= 1;
        let value = read(self);
        self.depth += 1;
        value
    }

    fn literal(&mut self, name: &str, value: Json) -> Result<Json, Reject> {
        for char in name.chars() {
            self.expect(char, "not a literal")?;
        }
        Ok(value)
    }

    /// §4
    fn object(&mut self) -> Result<Json, Reject> {
        self.expect('{', "no object")?;
        let mut members = Vec::new();
        self.blanks();
        if self.eat('}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let key = self.string()?;
            self.blanks();
            self.expect(':', "no colon")?;
            self.blanks();
            members.push((key, self.value()?));
            self.blanks();
            if self.eat('}') {
                return Ok(Json::Object(members));
            }
            self.expect(',', "neither a comma nor a brace")?;
        }
    }

    /// §5
    fn list(&mut self) -> Result<Json, Reject> {
        self.expect('[', "no list")?;
        let mut items = Vec::new();
        self.blanks();
        if self.eat(']') {
            return Ok(Json::List(items));
        }
        loop {
            self.blanks();
            items.push(self.value()?);
            self.blanks();
            if self.eat(']') {
                return Ok(Json::List(items));
            }
            self.expect(',', "neither a comma nor a bracket")?;
        }
    }

    /// §6
    fn number(&mut self) -> Result<Json, Reject> {
        let start = self.at;
        self.eat('-');
        if !self.eat('0') {
            self.digits()?;
        }
        if self.eat('.') {
            self.digits()?;
        }
        if self.eat('e') || self.eat('E') {
            let _sign = self.eat('+') || self.eat('-');
            self.digits()?;
        }
        Ok(Json::Number(self.chars[start..self.at].iter().collect()))
    }

    /// Reads one or more digits.
    fn digits(&mut self) -> Result<(), Reject> {
        let start = self.at;
        while matches!(self.peek(), Some('0'..='9')) {
            self.at += 1;
        }
        if self.at == start { self.reject("no digit") } else { Ok(()) }
    }

    /// §7
    fn string(&mut self) -> Result<String, Reject> {
        self.expect('"', "no quote")?;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.reject("the string does not end"),
                Some('"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some('\\') => text.push(self.escape()?),
                Some(char) if char < ' ' => return self.reject("a control character"),
                Some(char) => {
                    self.at += 1;
                    text.push(char);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Reject> {
        self.expect('\\', "no backslash")?;
        let Some(char) = self.peek() else { return self.reject("the escape does not end") };
        let meant = match char {
            '"' | '\\' | '/' => char,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.code_point(),
            _ => return self.reject("an unknown escape"),
        };
        self.at += 1;
        Ok(meant)
    }

    /// Reads `uXXXX`, or a pair of surrogates.
    fn code_point(&mut self) -> Result<char, Reject> {
        let first = self.unit()?;
        if !(0xD800..0xDC00).contains(&first) {
            return match char::from_u32(first) {
                Some(char) => Ok(char),
                None => self.reject("a low surrogate alone"),
            };
        }
        self.expect('\\', "a high surrogate alone")?;
        let second = self.unit()?;
        if !(0xDC00..0xE000).contains(&second) {
            return self.reject("a high surrogate alone");
        }
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        char::from_u32(code).ok_or(Reject { at: self.at, why: "no code point" })
    }

    fn unit(&mut self) -> Result<u32, Reject> {
        self.expect('u', "a high surrogate alone")?;
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|char| char.to_digit(16)) else {
                return self.reject("not a hexadecimal digit");
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}
