//! Contracts, and replies to them.

use core::fmt::Write;

use patchwire::spec::Roots;
use patchwire::{Format, Spec, Strictness};
use patchwire_views::kinds::{Kinds, KindsBuilder, Reply, Tally, Tier};

use super::Random;

const EXTRAS: [&str; 6] = ["emotion", "winner", "scores", "a \"b\"", "n", "emotion"];
const KINDS: [&str; 5] = ["world.observed", "agent.spoke", "judge.verdict", "a", "b c"];

fn builder(random: &mut Random) -> KindsBuilder {
    let granted: Vec<&str> = (0..1 + random.below(3)).map(|at| KINDS[at]).collect();
    let extras: Vec<&str> = (0..random.below(5)).map(|_| random.pick(&EXTRAS)).collect();
    let mut builder = Kinds::builder(granted.iter().copied()).extras(extras);
    if random.below(2) == 0 {
        builder = builder.fallback(random.pick(&granted));
    }
    builder
}

/// The words of a contract, or why there is none.
pub(super) fn contract(random: &mut Random) -> String {
    let mut builder = builder(random);
    if random.below(3) == 0 {
        builder = builder.text_rule(random.pick(&["one line.", "short", "a \"b\"..", ""]));
    }
    if random.below(3) == 0 {
        builder = builder.example(text(random));
    }
    match random.below(12) {
        0 => builder = builder.fallback("none"),
        1 => builder = builder.extras([random.pick(&["kind", "text", "_raw_fallback"])]),
        _ => {}
    }
    let kinds = match builder.build() {
        Ok(kinds) => kinds,
        Err(error) => return format!("{error} {error:?}"),
    };
    let (granted, extras): (Vec<&str>, Vec<&str>) =
        (kinds.granted().collect(), kinds.extras().collect());
    format!(
        "{granted:?} {} {extras:?}\n{}\n{}\n{}",
        kinds.fallback(),
        kinds.json_schema(),
        kinds.schema().to_json_schema(),
        kinds.prompt()
    )
}

/// A reply, as models give it.
fn text(random: &mut Random) -> String {
    let mut members = Vec::new();
    let kind = random.pick(&[
        "\"world.observed\"",
        "\"agent.spoke\"",
        "\"World Observed\"",
        "\"b-c\"",
        "\"no\"",
        "null",
        "7",
        "[\"a\"]",
    ]);
    let text = random.pick(&[
        "\"Ah.\"",
        "\"Ah.\"",
        "\"é \\\"x\\\"\"",
        "\"\"",
        "null",
        "1",
        "{\"kind\": \"a\", \"text\": \"in\"}",
    ]);
    for (name, value, one_in) in [("kind", kind, 8), ("text", text, 8)] {
        if random.below(one_in) > 0 {
            members.push(format!("\"{name}\": {value}"));
        }
    }
    let values =
        ["\"m\"", "null", "1.50", "{}", "{\"Ada\": 7.5}", "{\"Ada\": \"x\"}", "[]", "\"Ada\""];
    for name in ["emotion", "winner", "scores", "more", "_raw_fallback", "a \\\"b\\\""] {
        if random.below(3) == 0 {
            members.push(format!("\"{name}\": {}", random.pick(&values)));
        }
    }
    if random.below(4) == 0 {
        members.reverse();
    }
    let object = format!("{{{}}}", members.join(random.pick(&[", ", ",", ",\n"])));
    let object = match random.below(12) {
        0 => format!("{{\"response\": {object}}}"),
        1 => object.replace('"', "'"),
        2 => object[..object.len() - 1].to_owned(),
        _ => object,
    };
    let pieces = [
        "",
        "",
        "Sure: ",
        "<think>hm {\"kind\": \"x\"}</think>",
        "I plan.</think>",
        "```json\n",
        "\n```",
        " ",
        "[1]",
        "</answer>",
        "A bell é rings.",
    ];
    match random.below(12) {
        0 => pieces[random.below(pieces.len())].to_owned() + random.pick(&pieces),
        1..=4 => format!("{}{object}{}", random.pick(&pieces), random.pick(&pieces)),
        5 => format!("{object} {object}"),
        6 => format!("{{\"note\": 1}} {object}"),
        _ => object,
    }
}

fn shown(reply: &Reply, out: &mut String) {
    let tier = reply.tier().name();
    let is = (reply.is_raw_fallback(), reply.is_valid());
    writeln!(out, "{} {:?} {tier} {is:?} {}", reply.kind(), reply.text(), reply.value()).unwrap();
    for (name, value) in reply.extras() {
        let same = reply.extra(name).map(|it| it.to_string());
        writeln!(out, "{name}: {value} {same:?}").unwrap();
    }
    for notice in reply.notices() {
        writeln!(out, "{} {} {:?}", notice.code.name(), notice.path, notice.span).unwrap();
    }
    let json = serde_json::to_string(reply).unwrap();
    writeln!(
        out,
        "{json} {} {:?} {:?}",
        reply.to_value(),
        reply.winner(),
        reply.extra("kind").is_some()
    )
    .unwrap();
}

pub(super) fn reply(random: &mut Random) -> String {
    let (kinds, tally) = (builder(random).build().unwrap(), Tally::default());
    let mut out = String::new();
    for _ in 0..3 {
        let text = text(random);
        writeln!(out, "{text:?}").unwrap();
        let reply = if random.below(16) == 0 {
            kinds.parse([text.as_bytes(), b"\xff".as_slice()].concat())
        } else {
            kinds.parse(&text)
        };
        shown(&reply, &mut out);
        tally.count(&reply);
    }
    let tiers = [Tier::Strict, Tier::Embedded, Tier::Raw].map(|tier| tally.of(tier));
    let all = (tally.replies(), tally.raw_fallbacks(), tally.not_granted());
    out + &format!("{tiers:?} {all:?}")
}

/// Answers that were read with settings of the caller's own.
pub(super) fn reply_of_another_spec(random: &mut Random) -> String {
    let kinds = builder(random).build().unwrap();
    let spec = match random.below(3) {
        0 => Spec::builder().format(random.pick(&[Format::Json, Format::Text, Format::XmlField])),
        1 => Spec::builder(),
        _ => kinds.spec_builder(),
    };
    let spec = match random.below(6) {
        0 => spec.without_raw(),
        1 => spec.roots(Roots::Last),
        2 => spec.without_value(),
        3 => spec.strictness(Strictness::Strict),
        _ => spec,
    };
    let spec = spec.build().unwrap();
    let mut out = String::new();
    for _ in 0..2 {
        let text = text(random);
        match spec.parse(&text) {
            Ok(answer) => shown(&kinds.read(&answer), &mut out),
            Err(error) => writeln!(out, "{error}").unwrap(),
        }
    }
    out
}

pub(super) fn verdict(random: &mut Random) -> String {
    let kinds = Kinds::builder(["a"]).extras(["winner"]).build().unwrap();
    let casts: [&[&str]; 4] = [&[], &["Ada"], &["Ada", "Brook Hill"], &["ada", "Ada"]];
    let mut out = String::new();
    for winner in ["\"Ada\"", "\" brook-hill\"", "\"ADA\"", "\"Cy\"", "null", "\"\"", "3", "[]"] {
        let cast = random.pick(&casts);
        let attempt = random.below(4) as u32;
        let reply =
            kinds.parse(format!("{{\"kind\": \"a\", \"text\": \"x\", \"winner\": {winner}}}"));
        writeln!(out, "{:?} {:?}", reply.verdict(cast, attempt), reply.winner()).unwrap();
    }
    out
}
