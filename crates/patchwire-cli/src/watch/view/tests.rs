//! The view on screens of several sizes.
//!
//! To accept changed screens: `BLESS=1 cargo test -p patchwire-cli --bin patchwire watch`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use patchwire::{Format, Limit, Limits, Schema, Spec, TagSet};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use super::{Palette, Screen, StreamInfo, draw};
use crate::watch::keys::KeyAction;
use crate::watch::model::{Model, StreamEnd};
use crate::watch::watched_stream::ViewContent;

pub(crate) const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (200, 60), (40, 10)];

/// A model and the screen it is drawn on.
struct Seen {
    shown: ViewContent,
    screen: Screen,
}

impl Seen {
    /// A stream without its end, one chunk every 25 ms.
    fn part(spec: &Spec, text: &str) -> Self {
        Self::read(spec, text, false)
    }

    fn whole(spec: &Spec, text: &str) -> Self {
        Self::read(spec, text, true)
    }

    fn read(spec: &Spec, text: &str, ends: bool) -> Self {
        let mut model = Model::new(spec.schema());
        if spec.format() == Format::Text {
            model = model.of_text();
        }
        let mut parser = spec.parser();
        let mut result = Ok(());
        for (number, piece) in text.as_bytes().chunks(5).enumerate() {
            model.chunk(piece.len(), Duration::from_millis(25 * number as u64));
            model.written.push(piece);
            result = parser.feed(piece, |event| model.event(&event.to_owned()));
        }
        if let Err(error) = result {
            model.over(StreamEnd::Error(error));
        }
        let held = parser.held();
        if ends && result.is_ok() {
            parser.finish(|event| model.event(&event.to_owned())).expect("it ends well");
        }
        let held = held.first().map(|held| (held.bytes.len(), held.by.what()));
        let info = StreamInfo {
            name: "answer.txt".to_owned(),
            format: "json".to_owned(),
            held: Some(held.unwrap_or((0, ""))),
        };
        Self { shown: ViewContent { model, info }, screen: Screen::new(Palette::new(true)) }
    }

    fn act(mut self, acts: &[KeyAction], (width, height): (u16, u16)) -> Self {
        for act in acts {
            self.buffer((width, height));
            self.screen.act(*act, &self.shown.model);
        }
        self
    }

    fn buffer(&mut self, size: (u16, u16)) -> Buffer {
        buffer_of(&self.shown, &mut self.screen, size)
    }

    fn picture(&mut self, size: (u16, u16)) -> String {
        picture_of(&self.shown, &mut self.screen, size)
    }
}

fn buffer_of(shown: &ViewContent, screen: &mut Screen, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
    terminal.draw(|frame| draw(frame, &shown.model, screen, &shown.info)).expect("it draws");
    terminal.backend().buffer().clone()
}

/// The screen as lines of text.
pub(crate) fn picture_of(shown: &ViewContent, screen: &mut Screen, size: (u16, u16)) -> String {
    let buffer = buffer_of(shown, screen, size);
    let lines = buffer.content().chunks(size.0.into()).map(|cells| {
        let mut line = String::new();
        let mut covered = 0;
        for cell in cells {
            if covered == 0 {
                line += cell.symbol();
                covered = crate::text::columns(cell.symbol()).max(1);
            }
            covered -= 1;
        }
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}

/// Compares screens, each under its size, with those in `tests/golden/watch`.
pub(crate) fn golden(name: &str, pictures: &[((u16, u16), String)]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/watch");
    let file = file.join(format!("{name}.txt"));
    let framed = pictures.iter().map(|((width, height), picture)| {
        format!("{width} x {height}\n{}\n{picture}\n", "=".repeat((*width).into()))
    });
    let now: String = framed.collect();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &now).expect("the picture can be written");
    }
    let blessed = fs::read_to_string(&file).expect("the picture is there").replace("\r\n", "\n");
    assert_eq!(blessed, now, "{name}");
}

fn in_all_sizes(name: &str, seen: impl Fn() -> Seen) {
    golden(name, &SIZES.map(|size| (size, seen().picture(size))));
}

const SCHEMA: &str = r#"{
    "title": ["str", "one line", true],
    "summary": ["str", "what happened, for people", true],
    "who": {"name": ["str", "", true], "age": "int"},
    "steps": [{"do": "str", "minutes": "number"}],
    "tone": "str"}"#;

fn form() -> Spec {
    let schema = Schema::from_text(SCHEMA).expect("a schema");
    let spec = Spec::builder().schema(schema).strict_shape(true).build();
    spec.expect("the settings agree")
}

#[test]
fn a_form_waits() {
    in_all_sizes("waiting", || Seen::part(&form(), ""));
}

const STORY: &str = "The mill had stood by the river for two hundred years when the water rose. \
    Nobody had expected it, least of all the miller, who was asleep.";

#[test]
fn a_form_is_written() {
    let long = STORY.repeat(9);
    let text = format!(
        "<think>Be brief.</think>Here it is:\n{{\"title\": \"The mill\", \"summary\": \"{long}"
    );
    in_all_sizes("writing", || Seen::part(&form(), &text));
}

#[test]
fn a_form_is_done_with_what_was_repaired_and_what_is_wrong() {
    let text = "Sure!\n```json\n{\"title\": \"The mill\", 'who': {\"name\": \"\", \"age\": 41,}, \
        \"steps\": [{\"do\": \"call\", \"minutes\": 5}, {\"do\": \"wait\", \"minutes\": \"long\"}], \
        \"extra\": [1, null, true]}\n```\n";
    in_all_sizes("done", || Seen::whole(&form(), text));
}

#[test]
fn a_form_is_cut_off() {
    let text = "{\"title\": \"The mill\", \"summary\": \"It rained for";
    in_all_sizes("cut", || Seen::whole(&form(), text));
}

#[test]
fn reading_stops() {
    let limits = Limits::default().with(Limit::Depth, 3);
    let spec = Spec::builder().limits(limits).build().expect("the settings agree");
    in_all_sizes("error", || Seen::part(&spec, "{\"a\": [1, 2, [3, [4]]]}"));
}

#[test]
fn elements_open_and_close() {
    let text = "<<thinking>>First the timetable.<</thinking>>\n<<STEP_START>>I will find you a train.\n\
        <<TOOL_STEP_START/timetable:call_1>><<TOOL_STEP_INPUT_START>>{\"from\": \"A\", \"to\": \"B\"}\
        <<TOOL_STEP_INPUT_END>><<TOOL_STEP_RESULT_START>>{\"leaves\": \"9:12\", \"seats\": [11, 14]}\
        <<TOOL_STEP_RESULT_END>><<TOOL_STEP_END/timetable:call_1>>\n<<STEP_END>>\
        <<STEP_START>>Booking the se";
    let spec = Spec::builder().format(Format::Text).tags(TagSet::ubik()).build();
    let spec = spec.expect("the settings agree");
    in_all_sizes("elements", || Seen::part(&spec, text));
}

#[test]
fn wide_signs_align() {
    let text = "{\"名前\": \"東京で三日間、安いホテルと朝ごはん、それから美術館と温泉にも行きたいです。\", \
        \"e\u{301}tat\": \"cafe\u{301}\", \"家族\": \"👨\u{200d}👩\u{200d}👧 🇯🇵 🍜\", \"n\": 7}";
    in_all_sizes("wide", || Seen::whole(&Spec::json(), text));
}

const HOSTILE: &str = r#"{"a\u001b[2J\u009b": "\u001b]0;owned\u0007\u001b[31mred\u001b[0m\u0000\u0008\r\u007f",
    "b": "\u202etxt.exe\u202c \u200b\ufeff", "c": "z\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "\n": "a\tb"}"#;

#[test]
fn hostile_text_is_shown_and_never_sent() {
    in_all_sizes("hostile", || Seen::whole(&Spec::json(), HOSTILE));
    for size in SIZES {
        let buffer = Seen::whole(&Spec::json(), HOSTILE).buffer(size);
        for cell in buffer.content() {
            let symbol = cell.symbol();
            assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
            assert!(!symbol.contains(['\u{202e}', '\u{200b}', '\u{feff}']), "{symbol:?}");
        }
    }
}

fn many() -> Seen {
    let items: Vec<String> =
        (0..40).map(|n| format!("{{\"name\": \"item {n}\", \"n\": {n}}}")).collect();
    let long = STORY.repeat(12);
    let text = format!("{{\"text\": \"{long}\", \"list\": [{}]}}", items.join(","));
    Seen::whole(&Spec::json(), &text)
}

#[test]
fn a_person_scrolls_and_folds() {
    let (small, tiny) = (SIZES[0], SIZES[3]);
    let pictures = [
        (small, vec![KeyAction::Top]),
        (
            small,
            vec![
                KeyAction::Top,
                KeyAction::Down,
                KeyAction::Down,
                KeyAction::Down,
                KeyAction::Flip,
            ],
        ),
        (
            small,
            vec![
                KeyAction::Top,
                KeyAction::Down,
                KeyAction::Up,
                KeyAction::Up,
                KeyAction::Flip,
                KeyAction::Down,
                KeyAction::Down,
            ],
        ),
        (small, vec![KeyAction::Bottom]),
        (small, vec![KeyAction::Bottom, KeyAction::PageUp, KeyAction::PageUp, KeyAction::Down]),
        (tiny, vec![KeyAction::Top, KeyAction::PageDown, KeyAction::Down]),
    ];
    let pictures = pictures.map(|(size, acts)| (size, many().act(&acts, size).picture(size)));
    golden("scrolled", &pictures);
}

#[test]
fn what_is_folded_can_be_opened() {
    let size = SIZES[0];
    let folded = many().act(&[KeyAction::Top, KeyAction::Down, KeyAction::Fold], size);
    assert_eq!(folded.screen.flipped.len(), 1);
    let opened = folded.act(&[KeyAction::Fold, KeyAction::Open], size);
    assert_eq!(opened.screen.flipped.len(), 0);
}

#[test]
fn a_long_text_is_read_line_by_line_to_its_end() {
    let size = SIZES[3];
    let mut seen = many().act(&[KeyAction::Top, KeyAction::Open], size);
    seen.buffer(size);
    let text = seen.screen.rows[0].clone();
    assert!(text.lines > 30, "{text:?}");
    let mut scrolls = vec![seen.screen.scroll];
    while seen.screen.selected == Some(text.id) {
        seen = seen.act(&[KeyAction::Down], size);
        scrolls.push(seen.screen.scroll);
        assert!(scrolls.len() < 200, "it ends");
    }
    assert!(scrolls.windows(2).all(|pair| pair[1] - pair[0] <= 1), "{scrolls:?}");
    while seen.screen.scroll > 0 {
        seen = seen.act(&[KeyAction::Up], size);
    }
    assert_eq!(seen.screen.selected, Some(text.id));
}

#[test]
fn what_is_written_is_followed_until_a_person_moves() {
    let items: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let text = format!("{{\"list\": [{}", items.join(","));
    let size = SIZES[0];
    let mut seen = Seen::part(&Spec::json(), &text);
    assert!(seen.picture(size).contains("[198]"));
    let mut seen = seen.act(&[KeyAction::Top], size);
    let picture = seen.picture(size);
    assert!(picture.contains("[0]") && !picture.contains("[198]"), "{picture}");
    let mut seen = seen.act(&[KeyAction::Follow], size);
    assert!(seen.picture(size).contains("[198]"));
}

#[test]
fn there_is_help_on_every_screen() {
    let help = |size| {
        let mut seen = Seen::part(&form(), "{\"title\": \"x");
        seen.screen.help = true;
        (size, seen.picture(size))
    };
    golden("help", &SIZES.map(help));
}

#[test]
fn notices_can_be_more_or_none() {
    let slips: Vec<String> = (0..12).map(|n| format!("'key{n}': nul")).collect();
    let text = format!("{{{}}}", slips.join(", "));
    let size = SIZES[0];
    let seen = |acts: &[KeyAction]| {
        (size, Seen::whole(&Spec::json(), &text).act(acts, size).picture(size))
    };
    golden(
        "notices",
        &[seen(&[]), seen(&[KeyAction::Notes]), seen(&[KeyAction::Notes, KeyAction::Notes])],
    );
}

#[test]
fn no_screen_is_too_small() {
    for width in 1..60 {
        for height in 1..16 {
            for mut seen in [many(), Seen::part(&form(), "{\"title\": \"x"), {
                Seen::whole(&Spec::json(), HOSTILE)
            }] {
                seen.screen.help = height % 2 == 0;
                seen.buffer((width, height));
            }
        }
    }
}

#[test]
fn the_same_screen_may_change_its_size() {
    let mut seen = many();
    for size in [SIZES[0], SIZES[2], SIZES[1], SIZES[2], SIZES[0]] {
        seen.picture(size);
    }
    assert_eq!(seen.picture(SIZES[0]), many().picture(SIZES[0]));
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let is_plain = |buffer: &Buffer| {
        buffer.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset)
    };
    let mut seen = many();
    assert!(!is_plain(&seen.buffer(SIZES[0])));
    seen.screen = Screen::new(Palette::new(false));
    assert!(is_plain(&seen.buffer(SIZES[0])));
}

#[test]
fn of_a_megabyte_only_what_is_seen_is_wrapped() {
    let text = format!("{{\"long\": \"{}\"}}", "word ".repeat(200_000));
    let mut seen = Seen::whole(&Spec::json(), &text);
    let picture = seen.picture(SIZES[0]);
    assert!(picture.contains("1.0 MB more"), "{picture}");
    assert!(seen.screen.blocks.lines_known() < 20, "{}", seen.screen.blocks.lines_known());
}

#[test]
fn ten_thousand_fields_take_no_more_than_a_row_each() {
    let members: Vec<String> = (0..10_000).map(|n| format!("\"key{n}\": \"v{n}\"")).collect();
    let text = format!("{{{}}}", members.join(", "));
    let mut seen = Seen::whole(&Spec::json(), &text);
    assert!(seen.picture(SIZES[0]).contains("key9999"));
    assert_eq!((seen.screen.rows.len(), seen.screen.blocks.lines_known()), (10_000, 0));
    let mut seen = seen.act(&[KeyAction::Top], SIZES[0]);
    assert!(seen.picture(SIZES[0]).contains("key0"));
}

/// To accept changed screens: `BLESS=1 cargo test -p patchwire-cli --bin patchwire watch`.
#[test]
fn the_pages_show_the_view() {
    let text = "<think>Two facts and a list.</think>Here you are: {\"title\": 'The mill', \
        \"summary\": \"The water rose in the night. Nobody had expected it, least of all the miller, who";
    let picture = Seen::part(&form(), text).picture((80, 16));
    let block = format!("```text\n{picture}```\n");
    let page = "docs/watch.md";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(&file).expect("the page is there").replace("\r\n", "\n");
    if std::env::var_os("BLESS").is_some() {
        let start = text.find("```text\n answer.txt").or_else(|| text.find("```text\nPICTURE"));
        let (before, after) = text.split_at(start.expect("there is a picture"));
        let after = after[3..].split_once("```\n").expect("it ends").1;
        fs::write(&file, format!("{before}{block}{after}")).expect("the page can be written");
    } else {
        assert!(text.contains(&block), "{page} shows\n{block}");
    }
}

#[test]
fn one_chunk_is_one() {
    let header = |text| Seen::part(&Spec::json(), text).picture((80, 24));
    assert!(header("[1").contains("   1 chunk  "), "{}", header("[1"));
    assert!(header("[1, 2, 3").contains("   2 chunks"), "{}", header("[1, 2, 3"));
}

const ORDERS: &str = r##"{"note": "# Orders\n\nAll of **May**, in `EUR`:\n\n- *mill* and 2 * 3\n> paid\n```sh\ncat a_b_c\n```",
    "orders": [{"sku": "A-1", "count": 2, "name": "Oak table", "tags": ["wood", "large"]},
    {"sku": "B-22", "name": "\u6771\u4eac lamp\nwith a switch", "price": 12.50},
    {"sku": "C-3", "count": 140, "gone": {"since": "May", "why": null}}], "mixed": [1, {"a": 2}]}"##;

#[test]
fn markdown_in_a_text_is_drawn() {
    let seen = |size| Seen::whole(&Spec::json(), ORDERS).act(&[KeyAction::Top], size);
    golden("markdown", &SIZES.map(|size| (size, seen(size).picture(size))));
    let buffer = seen(SIZES[0]).buffer(SIZES[0]);
    let cell =
        |symbol: &str| buffer.content().iter().find(|cell| cell.symbol() == symbol).expect(symbol);
    assert!(cell("#").modifier.contains(Modifier::DIM), "signs are faint");
    assert!(cell("O").modifier.contains(Modifier::BOLD), "a heading is bold");
    assert!(cell("M").modifier.contains(Modifier::BOLD), "so is strong text");
    assert_eq!(cell("E").fg, Color::Magenta, "code has a colour");
}

#[test]
fn a_list_of_objects_is_a_table() {
    let acts = [KeyAction::Top, KeyAction::Down, KeyAction::Down, KeyAction::Table];
    let pictures =
        SIZES.map(|size| (size, Seen::whole(&Spec::json(), ORDERS).act(&acts, size).picture(size)));
    golden("table", &pictures);
    let size = SIZES[0];
    let back =
        Seen::whole(&Spec::json(), ORDERS).act(&[&acts[..], &[KeyAction::Table]].concat(), size);
    assert!(back.screen.tables.is_empty());
    let acts = [KeyAction::Bottom, KeyAction::Table];
    let mixed = Seen::whole(&Spec::json(), ORDERS).act(&acts, size);
    assert_eq!(mixed.screen.message.as_deref(), Some("only a list of objects is a table"));
}

#[test]
fn what_is_searched_is_selected_and_opened() {
    let size = SIZES[0];
    let mut seen =
        many().act(&[KeyAction::Top, KeyAction::Down, KeyAction::Fold, KeyAction::Search], size);
    for typed in "ITEM 3".chars() {
        seen.screen.type_query(Some(typed), &seen.shown.model);
    }
    assert_eq!(seen.screen.search.found, Some((1, 11)));
    let picture = seen.picture(size);
    assert!(picture.contains("item 3") && picture.contains("/ITEM 3▌  1 of 11"), "{picture}");
    seen.screen.search.is_open = false;
    let mut seen = seen.act(&[KeyAction::NextMatch, KeyAction::NextMatch], size);
    assert!(seen.picture(size).contains("item 31"), "{}", seen.picture(size));
    let mut seen =
        seen.act(&[KeyAction::MatchBefore, KeyAction::MatchBefore, KeyAction::MatchBefore], size);
    assert_eq!(seen.screen.search.found, Some((11, 11)), "it goes round");
    golden("search", &[(size, seen.picture(size))]);
    seen.screen.type_query(Some('?'), &seen.shown.model);
    assert_eq!(seen.screen.search.found, Some((0, 0)));
    seen.screen.type_query(None, &seen.shown.model);
    assert_eq!(seen.screen.search.found, Some((11, 11)));
}

#[test]
fn the_text_beside_the_fields_can_be_hidden() {
    let size = SIZES[1];
    let mut seen = Seen::part(&form(), "{\"title\": \"The mill");
    assert!(seen.picture(size).contains("{\"title\": \"The mill▌"));
    let mut seen = seen.act(&[KeyAction::Written], size);
    assert!(!seen.picture(size).contains("{\"title\""));
    assert!(
        !Seen::part(&form(), "{\"title\": \"x").picture(SIZES[0]).contains("{\"title\""),
        "no room"
    );
}

#[test]
fn elements_that_are_the_answer_are_shown_once_and_counted() {
    let spec = Spec::builder().format(Format::Text).tags(TagSet::scratchpad()).build();
    let spec = spec.expect("the settings agree");
    let text = "<scratch_pad>Think.</scratch_pad><output>The market opens at six.</output>";
    let picture = Seen::whole(&spec, text).picture(SIZES[0]);
    assert_eq!(picture.matches("The market").count(), 1, "{picture}");
    assert!(picture.contains(" 2 elements") && !picture.contains("fields"), "{picture}");
}
