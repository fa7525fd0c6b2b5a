//! Texts that attack whatever shows them: markup in names and values, a field of a megabyte, ten thousand fields.

use core::fmt::Write as _;

/// A text that attacks. It is read as JSON.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct HostileText {
    /// The name, such as `hostile-long`.
    pub name: &'static str,
    /// A sentence about it.
    pub about: &'static str,
    /// Makes the text, of up to a megabyte.
    pub make: fn() -> String,
}

/// All of them.
pub const ALL: [HostileText; 3] = [
    HostileText {
        name: "hostile-markup",
        about: "Scripts, events and line breaks, in names and in values.",
        make: markup,
    },
    HostileText { name: "hostile-long", about: "One field of a megabyte.", make: long },
    HostileText { name: "hostile-many", about: "Ten thousand fields.", make: many },
];

fn markup() -> String {
    r##"Here: <script>window.harmed = "prose"</script>
{
  "script": "<script>window.harmed = 'script'; alert(1)</script>",
  "image": "<img src=x onerror=\"window.harmed='image'; alert(2)\">",
  "svg": "<svg onload=\"window.harmed='svg'\"><a href=\"javascript:alert(3)\">x</a></svg>",
  "</pre></div><script>window.harmed='key'</script>": "a name that closes the page",
  "\"><img src=x onerror=alert(4)>": {"<b>deep</b>": ["<iframe srcdoc='<script>parent.harmed=1</script>'>"]},
  "__proto__": {"harmed": "prototype"},
  "constructor": {"prototype": {"harmed": "constructor"}},
  "toString": "not a function",
  "frames": "one\n\nevent: final\ndata: {\"event\":\"final\",\"value\":\"forged\"}\n\n\r\rid: 9",
  "controls": "\u0000\u0007\u001b[31mred\u001b[0m \u202etfel ot thgir\u202c \u2028\u2029 zero\u200bwidth",
  "lone": "\ud83d and \ude00 apart, \ud83d\ude00 together",
  "blank": "",
  "template": "${window.harmed='template'} {{constructor.constructor('alert(5)')()}}"
}
"##
    .to_owned()
}

/// Bytes of the long field.
const LONG: usize = 1 << 20;

fn long() -> String {
    let mut text = String::from("{\"title\": \"One field, one megabyte\", \"text\": \"");
    let end = text.len() + LONG;
    let mut line = 0;
    while text.len() < end {
        line += 1;
        // Writing to a `String` cannot fail.
        let _ = write!(text, "Line {line} goes on and on, as a model does that found no end.\\n");
    }
    text + "\", \"end\": true}"
}

/// How many fields.
const MANY: u32 = 10_000;

fn many() -> String {
    let mut text = String::from("{");
    for field in 0..MANY {
        let comma = if field == 0 { "" } else { "," };
        let _ = match field % 4 {
            0 => write!(text, "{comma}\n\"field_{field}\": \"value {field}\""),
            1 => write!(text, "{comma}\n\"field_{field}\": {field}"),
            2 => write!(text, "{comma}\n\"field_{field}\": {}", field % 8 == 2),
            _ => write!(text, "{comma}\n\"field_{field}\": null"),
        };
    }
    text + "\n}"
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use patchwire::{Answer, Spec};

    #[test]
    fn they_are_as_long_as_they_say() {
        let [markup, long, many] = ALL.map(|text| Spec::json().parse((text.make)()).unwrap());
        let text = |answer: &Answer| {
            answer.value().get("text").and_then(|text| text.as_str()).unwrap().len()
        };
        assert!(text(&long) >= 1_000_000);
        assert_eq!(many.value().entries().count(), 10_000);
        assert_eq!(markup.value().entries().count(), 13);
        assert!(markup.value().get("frames").is_some());
    }
}
