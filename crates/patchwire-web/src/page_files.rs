//! The files of the page, which are compiled in. `page/worker.js` and `page/offline.js` are of the page without a
//! server, which `bindings/js/site` builds from the same files.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

use crate::state::Server;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// For each file its path, its type and its content.
const FILES: [(&str, &str, &str); 27] = [
    ("/", HTML, include_str!("../page/index.html")),
    ("/style.css", STYLE, include_str!("../page/style.css")),
    ("/panels.css", STYLE, include_str!("../page/panels.css")),
    ("/ask.css", STYLE, include_str!("../page/ask.css")),
    ("/own.css", STYLE, include_str!("../page/own.css")),
    ("/icon.svg", PICTURE, include_str!("../page/icon.svg")),
    ("/main.js", SCRIPT, include_str!("../page/main.js")),
    ("/ask.js", SCRIPT, include_str!("../page/ask.js")),
    ("/answer_stream.js", SCRIPT, include_str!("../page/answer_stream.js")),
    ("/play.js", SCRIPT, include_str!("../page/play.js")),
    ("/stage.js", SCRIPT, include_str!("../page/stage.js")),
    ("/raw.js", SCRIPT, include_str!("../page/raw.js")),
    ("/theme.js", SCRIPT, include_str!("../page/theme.js")),
    ("/events.js", SCRIPT, include_str!("../page/events.js")),
    ("/fold.js", SCRIPT, include_str!("../page/fold.js")),
    ("/fields.js", SCRIPT, include_str!("../page/fields.js")),
    ("/log.js", SCRIPT, include_str!("../page/log.js")),
    ("/cut.js", SCRIPT, include_str!("../page/cut.js")),
    ("/compare.js", SCRIPT, include_str!("../page/compare.js")),
    ("/connect.js", SCRIPT, include_str!("../page/connect.js")),
    ("/own.js", SCRIPT, include_str!("../page/own.js")),
    ("/share.js", SCRIPT, include_str!("../page/share.js")),
    ("/infer.js", SCRIPT, include_str!("../page/infer.js")),
    ("/notes.js", SCRIPT, include_str!("../page/notes.js")),
    ("/lights.js", SCRIPT, include_str!("../page/lights.js")),
    ("/programs.js", SCRIPT, include_str!("../page/programs.js")),
    ("/result.js", SCRIPT, include_str!("../page/result.js")),
];

pub(crate) fn routes() -> Router<Server> {
    FILES.into_iter().fold(Router::new(), |router, (path, kind, file)| {
        router.route(path, get(move || serve(kind, file)))
    })
}

async fn serve(kind: &'static str, file: &'static str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        // Another version of the command has another page.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_ask_nobody_else_for_anything_and_make_no_markup() {
        for (path, _, file) in FILES {
            let outside = file.replace("http://www.w3.org/2000/svg", "");
            // Of a program that is shown, and asks nothing here.
            let outside = outside.replace("base_url=\"http://${host}/v1\"", "");
            for word in ["http://", "https://", "//cdn", "@import", "url("] {
                assert!(!outside.contains(word), "{path} names {word}");
            }
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("]
            {
                assert!(!file.contains(word), "{path} uses {word}");
            }
            assert!(!file.contains(" style=\""), "{path} has a style that the policy forbids");
        }
    }
}
