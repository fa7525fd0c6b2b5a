//! What `--input auto` takes for the text of a model, and what it refuses: a response that holds no answer.

use crate::run::patchwire;

#[test]
fn responses_without_a_stream_are_no_text_of_a_model() {
    for (body, says) in [
        (
            r#"{"error":{"message":"bad key","type":"x"}}"#,
            "the provider reports an error at byte 0: x: bad key",
        ),
        (r#"[{"error":{"code":429,"message":"quota"}}]"#, "quota"),
        (r#"{"error":"model not found"}"#, "model not found"),
        (r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, "field required"),
        (
            r#"{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"{}"}}]}"#,
            "request a stream with `\"stream\": true`",
        ),
        (
            "data: {\"token\":{\"id\":1,\"text\":\"hi\",\"special\":false},\"generated_text\":null}\n\n",
            "a stream of text-generation-inference, which is not supported",
        ),
        ("event: output\ndata: hi\n\n", "a stream of Replicate, which is not supported"),
    ] {
        let run = patchwire(&["final", "--input", "auto"], body);
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(3), ""), "{body}");
        assert!(err.contains(says), "{body}: {err}");
    }
}

#[test]
fn answers_that_speak_of_errors_are_texts_of_a_model() {
    for text in [
        r#"{"error":"no such city","city":"Atlantis"}"#,
        r#"{"error":{"code":404}}"#,
        r#"{"detail":{"city":"Rome"}}"#,
        r#"{"choices":["a","b"]}"#,
        r#"{"output":"x","candidates":[1]}"#,
    ] {
        assert_eq!(patchwire(&["final", "--input", "auto"], text).ok().trim_end(), text);
    }
}
