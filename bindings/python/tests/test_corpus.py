"""The corpus of the repository: what the package reads is what the command reads, byte for byte."""

from __future__ import annotations

import functools
import json
import pathlib
from typing import Any

import pytest

import patchwire as pw

from cases import CORPUS, Case, cases, command, grouped, of_command

ALL = cases()
PROGRAM = command()


def test_the_corpus_is_there() -> None:
    assert len(ALL) > 2500


@functools.cache
def _spec(settings: str) -> pw.Spec:
    given = json.loads(settings)
    if str(given.get("tags", "")).endswith((".json", ".toml")):
        given["tags"] = pathlib.Path(given["tags"])
    return pw.Spec(given.pop("schema", None), **given)


def spec_of(case: Case) -> pw.Spec:
    return _spec(json.dumps(case.settings))


def whole(case: Case) -> tuple[str, pw.Parser]:
    parser = pw.Parser(spec_of(case))
    lines = ""
    try:
        lines = parser.feed_lines(case.text)
        lines += parser.finish_lines()
    except pw.StreamError as error:
        lines += error.lines
    return lines, parser


def ends(lines: str) -> bool:
    """Whether the stream came to its end, and not to an error."""
    return '{"event":"final"' in lines.splitlines()[-1][:20]


READABLE = [case for case in ALL if ends(whole(case)[0])]


@pytest.mark.skipif(PROGRAM is None, reason="the command `patchwire` is not built: cargo build -p patchwire-cli")
def test_events_values_and_notices_equal_those_of_the_command() -> None:
    assert PROGRAM is not None
    alone = [[case] for case in ALL if case not in READABLE]
    for some in grouped(READABLE) + alone:
        own = [whole(case) for case in some]
        printed = of_command(PROGRAM, "parse", some)
        assert printed.decode() == "".join(lines for lines, _ in own), [case.name for case in some]
        for lines, parser in own:
            if not ends(lines):
                continue
            last = json.loads(lines.splitlines()[-1])
            assert json.loads(parser.answer.to_json()) == last["value"] == parser.answer.value
            assert [notice.code for notice in parser.answer.notices] == [notice["code"] for notice in last["notices"]]


def as_line(event: Any) -> dict[str, Any]:
    """The members that an event has in the wire form, from its attributes."""
    line: dict[str, Any] = {"event": event.type}
    if isinstance(event, pw.Patch):
        line |= {"kind": event.op, "path": event.path, "pointer": event.pointer, "wildcard_path": event.wildcard_path}
        line |= {"is_complete": event.is_complete, "span": list(event.span)}
        if event.op == "delta":
            line["delta"] = event.delta
        if event.completion:
            line["completion"] = event.completion
        for name in ("repaired", "deferred"):
            if getattr(event, name):
                line[name] = True
        if event.element is not None:
            line["element"] = event.element
        if event.root:
            line["root"] = event.root
        line["value"] = event.value
    elif isinstance(event, pw.Notice):
        line |= {"code": event.code, "message": event.message, "span": list(event.span)}
        line |= {"path": event.path} if event.path else {}
        line |= {"cost": event.cost} if event.cost is not None else {}
        line |= {"streamed_cost": event.streamed_cost} if event.streamed_cost is not None else {}
    elif isinstance(event, pw.Failure):
        line |= {"kind": event.kind, "message": event.message}
        line |= {"path": event.path} if event.path else {}
        line |= {"keyword": event.keyword} if event.keyword else {}
    else:
        line |= event.data
        if event.type in ("text", "reasoning", "comment"):
            line["delta"] = event.delta
        if event.span is not None:
            line["span"] = list(event.span)
    return line


def expected(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the wire form, with what objects have and lines leave out."""
    kind = line["event"]
    if kind == "patch":
        line.setdefault("value", None)
    elif kind == "root_complete":
        line.setdefault("document", 0)
    elif kind == "final":
        line = {"event": "final", "outcome": line["outcome"]}
    return line


def test_objects_have_what_lines_have() -> None:
    for case in READABLE:
        lines, _ = whole(case)
        parser = pw.Parser(spec_of(case))
        events = parser.feed_events(case.text) + parser.finish_events()
        # `repr` compares numbers as they are, NaN included.
        wanted = [repr(sorted(expected(json.loads(line)).items())) for line in lines.splitlines()]
        assert [repr(sorted(as_line(event).items())) for event in events] == wanted, case.name


def test_the_wanted_values() -> None:
    checked = 0
    for file in sorted((CORPUS / "json").glob("*.ndjson")):
        for written in file.read_text(encoding="utf-8").split("\n"):
            line = json.loads(written) if written.strip() else {}
            if "want" in line and isinstance(line.get("input"), str):
                assert pw.parse(line["input"]).value == line["want"], line["name"]
                checked += 1
    assert checked > 300


def test_folding_patches_gives_the_value() -> None:
    for case in READABLE:
        parser = pw.Parser(spec_of(case))
        patches = [patch for byte in case.text for patch in parser.feed(bytes([byte]))] + parser.finish()
        if any(patch.document for patch in patches) or len(parser.answer.roots) != 1:
            continue
        assert folded(patches) == parser.answer.value, case.name


def folded(patches: list[pw.Patch]) -> Any:
    """Ten lines that any reader of patches may have."""
    root: dict[Any, Any] = {}
    for patch in patches:
        *above, last = ("", *patch.loc)
        parent: Any = root
        for step in above:
            parent = parent[step]
        if patch.op == "remove":
            del parent[last]
        elif patch.op == "delta":
            parent[last] += patch.delta
        elif patch.op != "done" or not isinstance(_at(parent, last), (str, list, dict)):
            value = patch.value
            if isinstance(parent, list) and last == len(parent):
                parent.append(value)
            else:
                parent[last] = value
    return root.get("")


def _at(parent: Any, step: Any) -> Any:
    try:
        return parent[step]
    except LookupError:
        return None


def test_the_live_value_is_the_value_at_every_byte() -> None:
    for case in READABLE[::3]:
        step = max(1, len(case.text) // 40)
        chunks = [case.text[at : at + step] for at in range(0, len(case.text), step)]
        parser = pw.Parser(spec_of(case))
        reader = pw.read(iter(chunks), spec_of(case))
        session = reader._session  # type: ignore[attr-defined]
        for chunk in chunks:
            session.pull()
            parser.feed(chunk)
            assert reader.value == parser.value, case.name
        parser.finish()
        answer = reader.answer()
        assert reader.value == answer.value == parser.answer.value, case.name
