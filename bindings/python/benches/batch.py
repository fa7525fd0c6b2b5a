"""Rows a second: a column of outputs of about 1 KB, beside `json.loads` and `json_repair`, in one run.

    pip install patchwire pyarrow json_repair
    python benches/batch.py [--quick]

Half of the rows have one slip of a model. Those of *searched* have a slip with several meanings, so that the whole text is searched for
the cheapest reading. Each figure is the best of several runs; the CPU time counts, because a shared machine takes the rest.
"""

from __future__ import annotations

import gc
import json
import platform
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import patchwire as pw
import pyarrow as pa

QUICK = "--quick" in sys.argv
ROWS = 4_000 if QUICK else 20_000
RUNS = 3 if QUICK else 7
WORDS = "water mill river stone night bridge village flood repair pump report north wheel grain storm council".split()

SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "summary": {"type": "string"},
        "confidence": {"type": "number"},
        "needs_review": {"type": "boolean"},
        "reviewer": {"type": ["string", "null"]},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "sku": {"type": "string"},
                    "name": {"type": "string"},
                    "count": {"type": "integer"},
                    "price": {"type": "number"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "notes": {"type": "string"},
    },
}


def prose(rng: random.Random, length: int) -> str:
    text = rng.choice(WORDS).capitalize()
    while len(text) < length:
        text += rng.choice([" ", " ", " ", ", ", ".\n"]) + rng.choice(WORDS)
    return text


def document(rng: random.Random) -> dict[str, Any]:
    item = lambda: {  # noqa: E731
        "sku": f"A{rng.randrange(10**5)}",
        "name": prose(rng, 24),
        "count": rng.randrange(99),
        "price": round(rng.random() * 100, 2),
        "tags": [rng.choice(["new", "sale", "old"]) for _ in range(2)],
    }
    return {
        "title": prose(rng, 30),
        "summary": prose(rng, 260),
        "confidence": round(rng.random(), 2),
        "needs_review": rng.random() < 0.3,
        "reviewer": None,
        "items": [item() for _ in range(4)],
        "notes": prose(rng, 170),
    }


def tidy(rng: random.Random) -> str:
    return json.dumps(document(rng), indent=2 if rng.random() < 0.3 else None)


# What shows itself at once.
SLIPS: list[Callable[[random.Random, str], str]] = [
    lambda _, text: f"Sure! Here is the report you asked for:\n\n```json\n{text}\n```\nLet me know if you need more.",
    lambda _, text: text.replace("}]", "},]", 1) if "}]" in text else text.rstrip()[:-1] + ",}",
    lambda rng, text: text[: int(len(text) * rng.uniform(0.5, 0.98))],
    lambda _, text: repr(json.loads(text)),
    lambda _, text: text.replace('"count"', "count").replace('"sku"', "sku"),
    lambda _, text: text.replace("null", "None").replace("true", "True").replace("false", "False"),
    lambda _, text: text.replace("\\n", "\n"),
    lambda _, text: f"<think>The user wants JSON with {{braces}}.</think>\n{text.rstrip()[:-1]}, // done\n}}",
]

# What may mean several things.
SEARCHED: list[Callable[[random.Random, str], str]] = [
    lambda rng, text: text.replace(rng.choice(WORDS), 'the "old" one', 1),
    lambda _, text: text.replace('", "notes"', ', "notes"').replace('"tags": ["new", ', '"tags": ["new, ', 1),
    lambda _, text: text.replace('"summary": "', '"summary": "He said "no", ', 1),
    lambda _, text: text.replace("]}", "}", 1),
]


def columns() -> dict[str, list[str]]:
    rng = random.Random(7)
    clean = [tidy(rng) for _ in range(ROWS)]
    untidy = [SLIPS[at // 2 % len(SLIPS)](rng, text) for at, text in enumerate(clean)]
    mixed = [slip if at % 2 else text for at, (text, slip) in enumerate(zip(clean, untidy, strict=True))]
    searched = [SEARCHED[at % len(SEARCHED)](rng, text) for at, text in enumerate(clean[: ROWS // 4])]
    return {"half untidy": mixed, "tidy": clean, "untidy": untidy, "searched": searched}


def best(run: Callable[[], Any], rows: int, clock: Callable[[], float] = time.process_time) -> float:
    """Rows a second, at best."""
    least = float("inf")
    for _ in range(RUNS):
        gc.collect()
        gc.disable()
        start = clock()
        run()
        least = min(least, clock() - start)
        gc.enable()
    return rows / least


def loads(texts: list[str]) -> None:
    for text in texts:
        try:
            json.loads(text)
        except ValueError:
            pass


def loaded_columns(texts: list[str], column: pa.DataType) -> pa.Array:
    """The column that `parse_arrow` makes, by `json.loads`; a text that is no JSON gives null."""
    values: list[Any] = []
    for text in texts:
        try:
            values.append(json.loads(text))
        except ValueError:
            values.append(None)
    return pa.array(values, column)


def repaired(texts: list[str]) -> None:
    import json_repair

    for text in texts:
        json_repair.loads(text)


def line(name: str, figures: list[float | None]) -> None:
    cells = ["–" if figure is None else f"{figure:,.0f}" for figure in figures]
    print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    texts = columns()
    arrays = {name: pa.array(column) for name, column in texts.items()}
    size = sum(map(len, texts["half untidy"])) / ROWS
    print(f"{ROWS:,} rows of {size:,.0f} bytes; CPython {platform.python_version()}, {platform.machine()}; rows a second a core\n")
    print("| reader | " + " | ".join(texts) + " |")
    print("|---|" + "--:|" * len(texts))
    for name, settings in [("`parse_arrow`, typed", {"schema": SCHEMA}), ("`parse_arrow`, JSON text", {})]:
        line(name, [best(lambda a=a: pw.parse_arrow(a, threads=1, **settings), len(a)) for a in arrays.values()])
    spec = pw.Spec(SCHEMA)
    few = {name: column[: ROWS // 4] for name, column in texts.items()}
    line("`parse` in a loop", [best(lambda c=c: [pw.parse(text, spec) for text in c], len(c)) for c in few.values()])
    line("`json.loads` in a loop", [best(lambda c=c: loads(c), len(c)) for c in texts.values()])
    column = pa.field(pw.arrow_type(SCHEMA)).type.field("value").type
    line("`json.loads` in a loop, then `pyarrow.array`", [best(lambda c=c: loaded_columns(c, column), len(c)) for c in texts.values()])
    few = {name: column[: 80 if QUICK else 240] for name, column in texts.items()}
    line("`json_repair.loads` in a loop", [best(lambda c=c: repaired(c), len(c)) for c in few.values()])
    failing = sum(1 for text in texts["half untidy"] if not is_json(text))
    print(f"\n`json.loads` fails on {failing:,} of the {ROWS:,} rows that are half untidy.")
    array = arrays["half untidy"]
    clocks = {n: best(lambda n=n: pw.parse_arrow(array, SCHEMA, threads=n), ROWS, time.perf_counter) for n in (1, 2)}
    print(f"By the clock: one thread {clocks[1]:,.0f}, two threads {clocks[2]:,.0f}: {clocks[2] / clocks[1]:.2f} times.")


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    main()
