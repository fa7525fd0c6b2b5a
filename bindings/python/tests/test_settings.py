"""Settings of wrong types are refused, each with a message that says what it takes."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

import patchwire as pw


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"format": 3}, "`format` is a text, and not 3"),
        ({"strict": "no"}, "`strict` is True or False, and not 'no'"),
        ({"keep_raw": 0}, "`keep_raw` is True or False"),
        ({"limits": 3}, "`limits` is a dict such as"),
        ({"limits": {"depth": -1}}, "the limit `depth` is a number from 0 on, and not -1"),
        ({"limits": {"depth": True}}, "the limit `depth` is a number"),
        ({"limits": {"depth": 1 << 70}}, "the limit `depth` is a number"),
        ({"limits": {3: 3}}, "`limits` is a dict of names"),
        ({"ensure": 3}, "`ensure` is a text or a list of texts, and not 3"),
        ({"ensure": [3]}, "`ensure` is a text or a list of texts"),
        ({"forbid": b"x"}, "`forbid` is a text or a list of texts"),
        ({"tags": 3}, "`tags` is a tag set or a list of them"),
        ({"tags": {"a": {1}}}, "a tag set as a dict has only what JSON has"),
        ({"tools": 3}, "`tools` is a dict of names and schemas or a list of tools"),
        ({"tools": [{"function": 3}]}, "a tool is a type, or a dict"),
        ({"format": "csv"}, "no format is called `csv`"),
        ({"colour": "red"}, "there is no setting `colour`"),
    ],
)
def test_wrong_types(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(pw.SpecError) as raised:
        pw.Spec(**settings)
    assert message in str(raised.value)


def test_a_tag_set_that_is_no_text(tmp_path: pathlib.Path) -> None:
    binary = tmp_path / "tags.toml"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(pw.SpecError, match="cannot read the tag set"):
        pw.Spec(tags=binary)


def test_a_spec_has_its_settings() -> None:
    for use in (
        lambda: pw.read(["[1]"], pw.Spec(), format="json"),
        lambda: pw.prompt(pw.Spec(), "hybrid"),
        lambda: pw.parse("[1]", pw.Spec(), format="json"),
    ):
        with pytest.raises(pw.SpecError, match="a `Spec` has all settings"):
            use()
    assert pw.read(["[1]"], pw.Spec(), format=None).data() == [1]
    assert "JSON" in pw.prompt(pw.Spec())
