//! Events as the bytes of a body: in the framing of their protocol or another one, whole, cut or damaged.

use patchwire_sources::Protocol;
use serde_json::Value as Json;

use super::made::Pool;
use super::numbers::Random;

/// Bytes that break a framing or a text.
const FOREIGN: [&[u8]; 12] =
    [b"\n", b"\n\n", b"\r", b"\"", b"{", b"}", b"]", b"\\", b"\xff", b"data: ", b"[DONE]", b"x"];

/// A body of the protocol.
pub(super) fn body(pool: &Pool, random: &mut Random) -> Vec<u8> {
    let events = pool.events(random);
    let own = match pool.protocol {
        Protocol::Ollama => 1,
        Protocol::Bedrock => random.pick(&[1, 2, 3, 3, 3]),
        Protocol::Gemini => random.pick(&[0, 2]),
        _ => 0,
    };
    let framing = if random.below(14) == 0 { random.below(5) } else { own };
    let mut body = match framing {
        0 => stream(&events, random),
        1 => separated(&events, random.pick(&["\n", "\r\n", "\n\n", " \n\t"])),
        2 => list(&events, random),
        3 => binary(&events, random),
        _ => separated(&events, random.pick(&["", ",", " "])),
    };
    match random.below(9) {
        0 => body.truncate(random.below(body.len() + 1)),
        1 => {
            let at = random.below(body.len() + 1);
            body.splice(at..at, random.pick(&FOREIGN).iter().copied());
        }
        2 if !body.is_empty() => drop(body.remove(random.below(body.len()))),
        _ => {}
    }
    body
}

/// Server-sent events as they should be.
pub(super) fn sse(events: &[Json]) -> Vec<u8> {
    let events = events.iter().map(|event| format!("data: {}\n\n", text(event)));
    (events.collect::<String>() + "data: [DONE]\n\n").into_bytes()
}

/// The text of an event. `⁁` and `⁂` stand for the halves of a character, which no value can hold.
fn text(event: &Json) -> String {
    event.to_string().replace('⁁', "\\ud83d").replace('⁂', "\\ude00")
}

/// Server-sent events with what servers put between them.
fn stream(events: &[Json], random: &mut Random) -> Vec<u8> {
    let mut body = String::new();
    let end_of_event = random.pick(&["\n\n", "\n\n", "\n\n", "\n\n", "\n", "\n\n\n"]);
    let lead = random.pick(&["data: ", "data: ", "data:", "data:  "]);
    let done_at = match random.below(4) {
        0 => random.below(events.len() + 1),
        1 => usize::MAX,
        _ => events.len(),
    };
    for at in 0..=events.len() {
        between(&mut body, random);
        if at == done_at {
            body += "data: [DONE]\n\n";
        }
        let Some(event) = events.get(at) else { break };
        match random.below(24) {
            0 => body += "event: error\n",
            1 | 2 => body += "event: message\n",
            3 => body += "id: 7\n",
            _ => {}
        }
        if random.below(12) == 0 {
            let lines = format!("{event:#}").replace('⁁', "\\ud83d").replace('⁂', "\\ude00");
            lines.lines().for_each(|line| body.push_str(&format!("{lead}{line}\n")));
            body += "\n";
        } else {
            body += &format!("{lead}{}{end_of_event}", text(event));
        }
    }
    let body = match random.below(8) {
        0 => body.replace('\n', "\r\n"),
        1 => body.replace('\n', "\r"),
        2 => format!("\u{feff}{body}"),
        3 => body.trim_end().to_owned(),
        _ => body,
    };
    body.into_bytes()
}

fn between(body: &mut String, random: &mut Random) {
    let most = if random.below(5) == 0 { 13 } else { 100 };
    body.push_str(match random.below(most) {
        0 => ": ping\n\n",
        1 => "retry: 10\n\n",
        2 => "data: \n\n",
        3 => "data: hello\n\n",
        4 => "event: error\ndata: it broke\n\n",
        5 => "event: error\ndata: \"busy\"\n\n",
        6 => "data: [1]\n\n",
        7 => "data: {\"choices\":[\n\n",
        8 => "data: \"x\"\ndata: {\"a\":\n\n",
        9 => "event: other\ndata: {\"other\":1}\n\n",
        10 => "event: error\ndata: {\"other\":1}\n\n",
        11 => "event: error\ndata: {\"error\":{\"message\":\"m\",\"code\":\"c\"}}\n\n",
        12 => "data: {\n\ndata: [DONE]\ndata: {}\n\n",
        _ => "",
    });
}

fn separated(events: &[Json], separator: &str) -> Vec<u8> {
    events.iter().map(|event| text(event) + separator).collect::<String>().into_bytes()
}

fn list(events: &[Json], random: &mut Random) -> Vec<u8> {
    let texts: Vec<String> = events.iter().map(text).collect();
    let separator = random.pick(&[",", ",\n", "\n,\n"]);
    let before = random.pick(&["", "", " ", "\n\t"]);
    format!("{before}[{}]\n", texts.join(separator)).into_bytes()
}

/// AWS's framing, with zeros in place of checksums, and headers of all kinds.
fn binary(events: &[Json], random: &mut Random) -> Vec<u8> {
    let mut body = Vec::new();
    for event in events {
        let Some((name, content)) = event.as_object().and_then(|all| all.iter().next()) else {
            continue;
        };
        let headers = headers(name, random);
        let payload = match content {
            Json::String(text) => text.clone(),
            content => text(content),
        };
        let len = 16 + headers.len() + payload.len();
        let len = if random.below(60) == 0 { random.below(2 * len) } else { len };
        let headers_len =
            if random.below(60) == 0 { random.below(2 * len + 1) } else { headers.len() };
        body.extend_from_slice(&u32::try_from(len).unwrap().to_be_bytes());
        body.extend_from_slice(&u32::try_from(headers_len).unwrap().to_be_bytes());
        body.extend_from_slice(&[0; 4]);
        body.extend_from_slice(&headers);
        body.extend_from_slice(payload.as_bytes());
        body.extend_from_slice(&[0; 4]);
    }
    body
}

fn headers(name: &str, random: &mut Random) -> Vec<u8> {
    let mut headers = Vec::new();
    for _ in 0..random.below(3) {
        let kind = u8::try_from(random.below(11)).unwrap();
        let size = match kind {
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            4 => 4,
            5 | 8 => 8,
            9 => 16,
            10 if random.below(4) > 0 => continue,
            _ => 5,
        };
        headers.push(3);
        headers.extend_from_slice(b":ab");
        headers.push(kind);
        if matches!(kind, 6 | 7) {
            headers.extend_from_slice(&[0, size]);
        }
        headers.extend((0..size).map(|at| at + 1));
    }
    let known = [":event-type", ":event-type", ":exception-type", ":error-code", ":other"];
    let most = if random.below(8) == 0 { known.len() } else { 2 };
    let key = known[random.below(most)];
    headers.push(u8::try_from(key.len()).unwrap());
    headers.extend_from_slice(key.as_bytes());
    headers.push(if random.below(30) == 0 { 6 } else { 7 });
    headers.extend_from_slice(&u16::try_from(name.len()).unwrap().to_be_bytes());
    headers.extend_from_slice(name.as_bytes());
    headers
}
