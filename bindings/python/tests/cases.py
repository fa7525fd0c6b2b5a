"""The cases of the repository's corpus, and what the command makes of them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPUS = ROOT / "corpus"


class Case(NamedTuple):
    """A text, how it is read, and where it stands."""

    name: str
    text: bytes
    settings: dict[str, Any]


def _text(line: dict[str, Any]) -> bytes | None:
    if isinstance(line.get("hex"), str):
        return bytes.fromhex(line["hex"])
    given = line.get("input")
    if isinstance(given, list):
        given = "".join(given)
    return given.encode() if isinstance(given, str) else None


def cases() -> list[Case]:
    """Every text of the corpus, with the format, schema, tags and tools of its line."""
    found: list[Case] = []
    for file in sorted(CORPUS.rglob("*.ndjson")):
        shared = file.with_name("reports.schema.json") if file.stem == "reports" else None
        for number, written in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            if not written.strip():
                continue
            line = json.loads(written)
            text = _text(line)
            if text is None:
                continue
            settings: dict[str, Any] = {}
            schema = line.get("schema") or (json.loads(shared.read_text()) if shared else None)
            if isinstance(schema, dict):
                settings["schema"] = schema
            if line.get("preset"):
                settings["tags"] = line["preset"]
            profile = CORPUS / "tags" / "profiles" / f"{line.get('profile')}.json"
            tags = file.with_name("strays.toml") if file.stem == "strays" else profile
            if tags.exists():
                settings["tags"] = str(tags)
            if line.get("start_in") and "tags" in settings:
                settings["start_in"] = line["start_in"]
            if line.get("tools"):
                settings["tools"] = line["tools"]
            formats = line.get("formats") or [line.get("format")]
            for name in formats:
                own = {**settings, "format": name} if name else settings
                found.append(Case(f"{file.relative_to(CORPUS)}:{number} {line.get('name', '')} {name or ''}", text, own))
    for file in sorted((CORPUS / "json" / "rfc8259").rglob("*")):
        if file.is_file():
            found.append(Case(str(file.relative_to(CORPUS)), file.read_bytes(), {}))
    return found


def command() -> str | None:
    """The command of the Rust crate: `PATCHWIRE_COMMAND`, or one that was built in this checkout."""
    named = os.environ.get("PATCHWIRE_COMMAND")
    if named:
        return named
    for profile in ("release", "debug"):
        built = ROOT / "target" / profile / "patchwire"
        if built.exists():
            return str(built)
    return None


def of_command(program: str, verb: str, some: list[Case]) -> bytes:
    """What the command prints for cases with the same settings."""
    arguments = [program, verb]
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        for name, value in some[0].settings.items():
            if name in ("schema", "tools"):
                # The command takes tools as a request has them.
                plain = [{"name": tool, "parameters": of} for tool, of in value.items()] if name == "tools" else value
                value = here / f"{name}.json"
                value.write_text(json.dumps(plain), encoding="utf-8")
            arguments += [f"--{name.replace('_', '-')}", str(value)]
        for number, case in enumerate(some):
            (here / f"{number}.txt").write_bytes(case.text)
            arguments.append(str(here / f"{number}.txt"))
        return subprocess.run(arguments, capture_output=True, check=False).stdout


def grouped(all_cases: list[Case]) -> list[list[Case]]:
    """The cases with the same settings, together."""
    groups: dict[str, list[Case]] = {}
    for case in all_cases:
        groups.setdefault(json.dumps(case.settings), []).append(case)
    return list(groups.values())
