//! Mark-up mixed with prose: hidden scratch pads, reviews as trees, fenced code, metadata.

use patchwire::{Answer, Format, Spec, TagSet};

use super::{shown, spec, texts, uncut, values};

const REVIEW: &str = r#"<code_review>
  <summary severity="high">
    Two open doors, one draught
  </summary>
  <findings>
    <issue id="001" severity="high" line="42" file="login.py">
      <type>SQL injection</type>
      <code_snippet>query = f"SELECT * FROM t WHERE id = {id}"</code_snippet>
      <fix>
        <description>Pass the value apart</description>
        <code>run("SELECT * FROM t WHERE id = %s", (id,))</code>
      </fix>
      <references>
        <ref>A03 &#8211; Injection</ref>
        <ref>CWE-89</ref>
      </references>
    </issue>
    <issue id="002" severity="medium" line="78" file="login.py">
      <type>Secret in the source</type>
      <fix>
        <description>Read it from outside</description>
      </fix>
    </issue>
  </findings>
  <metrics>
    <files_analyzed>15</files_analyzed>
  </metrics>
</code_review>
"#;

fn read(text: &str) -> Answer {
    uncut(&spec(&TagSet::hermes()), text).1
}

#[test]
fn a_review_as_a_tree() {
    let answer = spec(&TagSet::hermes()).parse(REVIEW).unwrap();
    let review = answer.elements().next().unwrap();
    assert_eq!((review.name(), review.channel()), ("code_review", "custom"));
    let value = review.value().unwrap();
    let issue = |number: usize| value.at(&format!("findings.issue[{number}]")).unwrap();
    let said =
        |number: usize, path: &str| issue(number).at(path).unwrap().as_str().map(str::to_owned);
    assert_eq!(said(0, "_attributes.line").as_deref(), Some("42"));
    assert_eq!(
        said(0, "fix.code").as_deref(),
        Some(r#"run("SELECT * FROM t WHERE id = %s", (id,))"#)
    );
    assert_eq!(
        issue(0).at("references.ref").unwrap().to_string(),
        r#"["A03 – Injection","CWE-89"]"#
    );
    assert_eq!(said(1, "_attributes.id").as_deref(), Some("002"));
    assert_eq!(said(1, "type").as_deref(), Some("Secret in the source"));
    // Only metadata is typed by its content.
    assert_eq!(value.at("metrics.files_analyzed").unwrap().as_str(), Some("15"));
    assert_eq!(value.at("summary._attributes.severity").unwrap().as_str(), Some("high"));
}

#[test]
fn everything_in_a_response() {
    let text = "<!-- as asked -->\n<response>\n  <scratchpad>\n    2 + 3 = 5\n  </scratchpad>\n\n  <thinking>\
                Add them.</thinking>\n  <result>The sum is **5**.</result>\n  <metadata>\n    \
                <files>15</files>\n    <seconds>3.2</seconds>\n    <agent>007</agent>\n    <version>1.10\
                </version>\n  </metadata>\n</response>";
    let answer = read(text);
    assert_eq!(answer.reasoning(), "\n    2 + 3 = 5\n  Add them.");
    let metadata = r#"{"files":15,"seconds":3.2,"agent":"007","version":"1.10"}"#;
    assert_eq!(values(&answer, "metadata"), [metadata]);
    assert_eq!(answer.value().as_str(), Some("The sum is **5**."));
}

#[test]
fn a_result_with_fields_and_prose_around_it() {
    let text = "Here you are:\n<result>\n<overall_score>72</overall_score>\n<issues><issue>a</issue>\
                <issue>b</issue></issues>\n</result>\nAsk if you like.";
    let answer = read(text);
    let result = r#"{"overall_score":"72","issues":{"issue":["a","b"]}}"#;
    assert_eq!(values(&answer, "result"), [result]);
    assert_eq!(answer.value().to_string(), result);
}

/// A pad in a tree goes where pads go, not into the tree.
#[test]
fn a_pad_in_a_tree() {
    let text = "<code_analysis>\n  <scratchpad>the password is x</scratchpad>\n  <overall_score>80\
                </overall_score>\n  <recommendations>none</recommendations>\n</code_analysis>";
    let answer = read(text);
    assert_eq!(answer.reasoning(), "the password is x");
    let expected = r#"{"overall_score":"80","recommendations":"none"}"#;
    assert_eq!(values(&answer, "code_analysis"), [expected]);
    assert!(!answer.value().to_string().contains("password"));
}

/// The tree of a body keeps the order, and what is routed out of the body stays out.
#[test]
fn a_body_as_a_tree() {
    let text = "<code_analysis level=\"2\">\n<a>1</a>so\n<b/><!-- c --><a>2</a>\n<scratchpad>secret</scratchpad>\n\
                </code_analysis>";
    let answer = read(text);
    let tree = answer.elements().next().unwrap().tree().unwrap();
    let printed = tree.body().to_string();
    let order = ["@level", "{\"a\":\"1\"}", "\"so", "{\"b\":\"\"}", "#comment", "{\"a\":\"2\"}"];
    let places: Vec<_> = order.iter().map(|one| printed.find(one).expect(&printed)).collect();
    assert!(places.is_sorted() && !printed.contains("secret"), "{printed}");
    assert!(answer.elements().nth(1).unwrap().tree().is_none(), "a pad is no tree");
    let spec = Spec::builder().format(Format::Text).tags(TagSet::hermes()).without_raw();
    let answer = spec.build().unwrap().parse(text).unwrap();
    assert!(answer.elements().next().unwrap().tree().is_none());
}

/// The text of an answer that users see, and the hidden text. The result is a document, even if it only has
/// text.
fn result(text: &str, result: &str, reasoning: &str) {
    let answer = read(text);
    assert_eq!((answer.value().as_str(), answer.reasoning()), (Some(result), reasoning), "{text}");
}

/// Several candidates in a pad that names tags, and one that never ends.
#[test]
fn pads() {
    let tags = TagSet::hermes();
    let text = "<scratchpad>\nA: process() - vague\nB: vec<T> or <result-like>\n</scratchpad>\n\n\
                <result>Take `validate()`.</result>";
    let pad = "\nA: process() - vague\nB: vec<T> or <result-like>\n";
    result(text, "Take `validate()`.", pad);
    shown(&tags, "<scratchpad>Required: id, fix", "", "Required: id, fix");
    result("<scratchpad>a <result>b</result>", "b", "a ");
    shown(&tags, "Just prose: a < b.", "Just prose: a < b.", "");
}

#[test]
fn a_tree_with_fenced_code_in_it() {
    let text = "<architecture_analysis>\n  <summary>Three tiers</summary>\n  <diagram type=\"mermaid\">\n\
                ```mermaid\ngraph TB\n    subgraph \"Front\"\n        A[App] --> B[Proxy]\n    end\n\
                \x20   H[(Store)]\n```\n  </diagram>\n</architecture_analysis>\n\n<state_diagram>\n\
                \x20 <diagram type=\"mermaid\">\n```mermaid\nstateDiagram-v2\n    [*] --> Idle: ready\n\
                \x20   Idle --> Thinking: asked\n```\n  </diagram>\n</state_diagram>\n";
    let value = &values(&read(text), "architecture_analysis")[0];
    assert!(value.contains("\"summary\":\"Three tiers\""), "{value}");
    assert!(value.contains("```mermaid\\ngraph TB"), "{value}");
}

#[test]
fn trees_gone_wrong() {
    let answer = read("<report>\n<a>1<b>2</report>\nmore");
    assert_eq!(values(&answer, "report"), [r#"{"a":{"_text":"1","b":"2"}}"#]);
    assert_eq!(answer.text(), "\nmore");
    assert_eq!(texts(&read("x </result> y"), "result"), [""; 0]);
    let cut = read("<result><title>Hel");
    assert_eq!(values(&cut, "result"), [r#"{"title":"Hel"}"#]);
}
