"""The examples of the README and of the pages run, each as a program of its own."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parents[1]
PAGES = [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))]


def examples() -> list[tuple[str, str]]:
    """The blocks marked `python`. Those marked `py` need a client, and are only shown."""
    found = []
    for page in PAGES:
        for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL), 1):
            found.append((f"{page.name} {number}", block))
    return found


@pytest.mark.parametrize("name, program", examples(), ids=[name for name, _ in examples()])
def test_an_example_runs(name: str, program: str) -> None:
    needed = re.findall(r"^# needs: (\S+)", program, re.MULTILINE)
    for package in needed:
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}\n{done.stdout}{done.stderr}"


def test_what_the_first_example_prints() -> None:
    program = examples()[0][1]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    rows = [{"sku": "a1"}, {"sku": "b2"}]
    assert done.stdout == f"Spring\na1\nb2\nThanks{ {'title': 'Spring', 'rows': rows, 'note': 'Thanks'} }\n"


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
