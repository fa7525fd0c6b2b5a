//! A contract of kinds on both of its ways: a model that is asked again until it keeps to it, and what
//! becomes of its last answer if it never does.

use patchwire_async::{Attempt, OnExhausted, ask};
use patchwire_views::kinds::{Kinds, Tier};

use crate::source::{Dead, Script, pieces};

const GOOD: &str = r#"{"kind": "agent.spoke", "text": "I collect echoes.", "mood": "calm"}"#;
const OTHER: &str = r#"{"kind": "judge.verdict", "text": "I win.", "mood": "smug"}"#;
const PROSE: &str = "The mushrooms charge admission.";
const SHORT: &str = r#"{"kind": "agent.spoke", "text": "Ah."}"#;

fn kinds() -> Kinds {
    let kinds = Kinds::builder(["agent.spoke", "world.observed"]).fallback("world.observed");
    kinds.extras(["mood"]).build().expect("a contract")
}

/// The kind, text and tier that come of a script, and how often the model was asked.
async fn said(script: &'static [&'static str]) -> (String, String, Tier, u32) {
    let (kinds, asked) = (kinds(), std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0)));
    let count = std::sync::Arc::clone(&asked);
    let request = move |attempt: Attempt| {
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let text = script[(attempt.number as usize - 1).min(script.len() - 1)];
        async move { Ok::<_, Dead>(Script::of(pieces(text, 5))) }
    };
    let own = kinds.clone();
    let mut response = ask(kinds.spec(), request)
        .prompt(kinds.prompt())
        .max_retries(2)
        .on_exhausted(OnExhausted::Last)
        .validate(move |answer, _| own.read(answer).is_valid())
        .send();
    let answer = response.answer().await.expect("the last answer is taken");
    let said = kinds.read(&answer);
    let asked = asked.load(std::sync::atomic::Ordering::SeqCst);
    (said.kind().to_owned(), said.text().to_owned(), said.tier(), asked)
}

#[tokio::test]
async fn a_model_is_asked_again_until_it_keeps_to_the_contract() {
    for (script, asked) in
        [(&[GOOD][..], 1), (&[OTHER, GOOD][..], 2), (&[PROSE, SHORT, GOOD][..], 3)]
    {
        let (kind, text, tier, times) = said(script).await;
        assert_eq!((kind.as_str(), text.as_str()), ("agent.spoke", "I collect echoes."));
        assert_eq!((tier, times), (Tier::Strict, asked), "{script:?}");
    }
}

#[tokio::test]
async fn what_a_model_says_last_is_read_tolerantly() {
    for (script, kind, text, tier) in [
        (&[OTHER][..], "world.observed", "I win.", Tier::Strict),
        (&[GOOD, PROSE][1..], "world.observed", PROSE, Tier::Raw),
        (&[SHORT][..], "agent.spoke", "Ah.", Tier::Strict),
    ] {
        let (own_kind, own_text, own_tier, times) = said(script).await;
        assert_eq!((own_kind.as_str(), own_text.as_str(), own_tier), (kind, text, tier));
        assert_eq!(times, 3, "all that the budget allows");
    }
}
