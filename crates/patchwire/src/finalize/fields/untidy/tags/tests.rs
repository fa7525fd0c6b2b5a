//! Fields in tags as models write them: which text they hold, and how sure the reading is.

use super::read;
use crate::schema::{Schema, int, list, object, str};
use crate::spec::Spec;

/// The fields of a text, and how sure they are of it. A reading of a later draft begins with `later`.
fn fields(text: &str) -> String {
    let schema: Schema = object()
        .field("a", str(""))
        .field("b", str(""))
        .field("n", int(""))
        .field("l", list(str("")))
        .field("o", object().field("k", str("")))
        .into();
    let Some(found) = read(text, &Spec::json().0, &schema) else { return "none".to_owned() };
    let later = if found.code == crate::Code::UntidyFields { "" } else { "later " };
    let fields: Vec<String> =
        found.fields.iter().map(|field| format!("{}={:?}", field.name, field.text)).collect();
    format!("{later}{} {:?}", fields.join(" "), found.sure)
}

fn all(rows: &[(&str, &str)]) {
    for (text, want) in rows {
        assert_eq!(fields(text), *want, "{text:?}");
    }
}

#[test]
fn closers_with_words_behind_them() {
    all(&[
        ("<field name=\"a\">x</a> words\n<field name=\"b\">y</field>\n", "a=\"x\" b=\"y\" OfCuts"),
        (
            "<field name=\"a\">x</field> words\n<field name=\"b\">y</field>\n",
            "a=\"x\" b=\"y\" OfCuts",
        ),
        ("<field name=\"a\">x</A> words\n<field name=\"b\">y</field>\n", "a=\"x\" b=\"y\" OfCuts"),
        (
            "<field name=\"a\">x</i> words\n<field name=\"b\">y</field>\n",
            "a=\"x</i> words\" b=\"y\" No",
        ),
        ("<a>x</a> words\n<b>y</b>\n", "a=\"x\" b=\"y\" OfCuts"),
        ("<a>x</a> w</a> words\n<b>y</b>\n", "a=\"x</a> w</a> words\" b=\"y\" No"),
        ("<a>x <a> w</a> words\n<b>y</b>\n", "a=\"x <a> w</a> words\" b=\"y\" No"),
        ("<a>x</a> words\n", "a=\"x</a> words\" No"),
        ("<a>x</a> words </a>\n<b>y</b>\n", "a=\"x</a> words\" b=\"y\" No"),
        ("<n>3</n> apples\n<b>y</b>\n", "n=\"3\" b=\"y\" OfCuts"),
        ("<a>x</a> <!-- a remark -->\n<b>y</b>\n", "a=\"x\" b=\"y\" No"),
        ("<a>x</a>`\n<b>y</b>\n", "a=\"x\" b=\"y\" OfCuts"),
    ]);
}

#[test]
fn closers_of_other_names_and_of_forms() {
    all(&[
        ("<field name=\"a\">x</feild>\n<field name=\"b\">y</field>\n", "a=\"x\" b=\"y\" OfCuts"),
        (
            "<field name=\"a\">x</feild> so\n<field name=\"b\">y</field>\n",
            "a=\"x</feild> so\" b=\"y\" No",
        ),
        (
            "<field name=\"a\">x<i>y</i>\n<field name=\"b\">y</field>\n",
            "a=\"x<i>y</i>\" b=\"y\" No",
        ),
        ("<form>\n<a>x</a>\n<b>y</b>\n</form>\n", "a=\"x\" b=\"y\" OfCuts"),
        ("<form>\n<a>x\n<b>y\n</form>\n", "a=\"x\" b=\"y\" OfCuts"),
        ("<form>\n<a>x</a>\n<b>y</form>", "a=\"x\" b=\"y\" OfCuts"),
        ("<form>\n<a>x</a>\n<b>y</form> z</form>", "a=\"x\" b=\"y</form> z\" OfCuts"),
        ("<form>\n<a>x</a>\n<b>y</form>\nso", "a=\"x\" b=\"y\" OfCuts"),
        ("<form>\n<a>x</a>\n<b>y</form> so\n", "a=\"x\" b=\"y</form> so\" No"),
        ("<a>x</a>\n<b>y</b>\n</form>\nGoodbye.</b>\n", "a=\"x\" b=\"y\" OfCuts"),
        ("<field name=\"n\">3</field></field>\n<field name=\"b\">y</field>", "n=\"3\" b=\"y\" No"),
        ("<field name=\"n\"><field>3</field></field>", "n=\"<field>3</field>\" No"),
        ("<field name=\"a\">x\n<field name=\"b\">y", "a=\"x\" b=\"y\" No"),
        ("<a>x</a>\n<a>z</a>\n<b>y</b>", "later a=\"z\" b=\"y\" Yes"),
        ("<fields>\n<field name=\"a\">x</fields>", "a=\"x\" No"),
    ]);
}

#[test]
fn ways_to_name_a_field() {
    all(&[
        ("<field name=a>x</field>", "a=\"x\" No"),
        ("<field name='a'>x</field>", "a=\"x\" No"),
        ("<field name=“a”>x</field>", "a=\"x\" No"),
        ("<field name=\\\"a\\\">x</field>", "a=\"x\" No"),
        ("<field key=\"a\">x</field>\n<field id=\"b\">y</field>", "a=\"x\" b=\"y\" No"),
        ("<field field=\"a\">x</field>", "a=\"x\" No"),
        ("<field type=\"text\" NAME = \"a\">x</field>", "a=\"x\" No"),
        ("<field a>x</field>\n<field=b>y</field>", "a=\"x\" b=\"y\" No"),
        (
            "<field:a>x</field:a>\n<field_b>y</field_b>\n<field-n>3</field-n>",
            "a=\"x\" b=\"y\" n=\"3\" No",
        ),
        ("< field name=\"a\">x</ field >", "a=\"x\" No"),
        ("<A>x</A>", "a=\"x\" No"),
        ("<a name=\"z\">x</a>", "none"),
        ("<a class=\"z\">x</a>", "a=\"x\" No"),
        ("<field name=\"z\">x</field>", "none"),
        ("<field name=\"z\">x</field>\n<field name=\"a\">y</field>", "a=\"y\" No"),
        ("<field>x</field>", "none"),
        ("<item name=\"a\">x</item>", "a=\"x\" No"),
        ("&lt;a&gt;x &amp;amp; y&lt;/a&gt;", "a=\"x &amp; y\" No"),
        ("&lt;a&gt;x&lt;/a&gt; <", "none"),
    ]);
}

#[test]
fn contents_of_fields() {
    all(&[
        (
            "<field name=\"a\" value=\"x\"/>\n<field name=\"b\" text=\"y\"></field>",
            "a=\"x\" b=\"y\" OfCuts",
        ),
        ("<field name=\"a\" content=\"x\">z</field>", "a=\"z\" No"),
        ("<field name=\"a\"/>", "a=\"\" No"),
        ("<a><![CDATA[ x <b> ]]></a>", "a=\"x <b>\" No"),
        ("<a>\n  <![CDATA[\n  x\n  ]]>\n</a>", "a=\"  x\" No"),
        ("  <a>\n    x\n      y\n  </a>", "a=\"x\\n  y\" OfCuts"),
        ("  <a>\n    x\n y\n  </a>", "a=\"    x\\n y\" No"),
        ("  <a>x\n    y\n  </a>", "a=\"x\\n    y\" No"),
        (" <a>\n    x\n  </a>", "a=\"    x\" No"),
        ("<field name=\"a\" type=\"json\">\"x\\ny\"</field>", "a=\"x\\ny\" OfCuts"),
        ("<field name=\"a\" type=\"text\">\"x\\ny\"</field>", "a=\"\\\"x\\\\ny\\\"\" No"),
        ("<o>\n<k>v</k>\n</o>", "o=\"<k>v</k>\" OfCuts"),
        (
            "<field name=\"o\">\n<field name=\"k\">v</field>\n</field>\n<field name=\"a\">x</field>",
            "o=\"<field name=\\\"k\\\">v</field>\" a=\"x\" No",
        ),
    ]);
}

#[test]
fn elements_of_one_name_are_the_items_of_a_list() {
    all(&[
        ("<l>x</l>\n<l>y</l>\n<l>z</l>", "l=\"<item>x</item><item>y</item><item>z</item>\" No"),
        (
            "<field name=\"l\">x</field>\n<field name=\"l\">y</field>",
            "l=\"<item>x</item><item>y</item>\" OfCuts",
        ),
        ("<field name=\"l\">[1]</field>\n<field name=\"l\">y</field>", "later l=\"y\" Yes"),
        ("<field name=\"l\">x\nw</field>\n<field name=\"l\">y</field>", "l=\"x\\nw\" No"),
        ("<field name=\"l\"></field>\n<field name=\"l\">y</field>", "later l=\"y\" Yes"),
        ("<l>x</l>\n<a>y</a>\n<l>z</l>", "l=\"x\" a=\"y\" No"),
    ]);
}

#[test]
fn places_of_openers() {
    all(&[
        ("see <a>x</a>", "none"),
        (
            "- <a>x</a>\n* <b>y</b>\n1. <n>3</n>\n2) <l>z</l>",
            "a=\"x\" b=\"y\" n=\"3\" l=\"z\" OfCuts",
        ),
        ("-- <a>x</a>", "none"),
        ("1 <a>x</a>", "none"),
        ("a- <a>x</a>", "none"),
        ("<i></i> <a>x</a>", "a=\"x\" No"),
        (
            "A: <a>x</a>, b: <b>y</b>, n: <n>3</n>, l: <l>z</l>, o: <o>k: 1</o>.",
            "a=\"x\" b=\"y\" n=\"3\" l=\"z\" o=\"k: 1\" No",
        ),
        ("A: <a>x</a>, b: <b>y</b>, n: <n>3</n>, l: <l>z</l>.", "none"),
        ("A: <a>x</a>, a: <a>y</a>, n: <n>3</n>, l: <l>z</l>, o: <o>k: 1</o>.", "none"),
        ("A: <a>x</a>, b: <b>y</b>, n: <n>3</n>, l: <l>z</l>, o: <o>k: 1</o>, <a>x</a>.", "none"),
        ("1 < 2 and <a", "none"),
        ("<a x='>'>y</a>", "a=\"y\" No"),
        ("<a\n>y</a>", "a=\"y\" No"),
        ("<a,b>y</a,b>", "none"),
    ]);
}
