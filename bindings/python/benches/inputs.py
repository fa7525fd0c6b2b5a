"""Inputs that are the same every time: long texts (report) and many small members (records). ASCII: 4 characters are 4 bytes."""

from __future__ import annotations

import json
import random

WORDS = (
    "the water rose in the night and nobody had expected it least of all the miller who slept until the wheel began to turn "
    "against its brake"
).split()


def prose(chance: random.Random, size: int) -> str:
    """Words up to a size, with a line end now and then."""
    words: list[str] = []
    length = 0
    while length < size:
        word = chance.choice(WORDS)
        words.append(word + ".\n" if chance.random() < 0.06 else word)
        length += len(word) + 1
    return " ".join(words)[:size]


def report(size: int) -> str:
    """An object with sections of up to 700 characters."""
    chance = random.Random(1)
    sections: list[dict[str, object]] = []
    document = {"title": "The mill", "author": {"name": "A. Person", "age": 41}, "sections": sections, "ok": True}
    length = len(json.dumps(document))
    while length < size:
        body = prose(chance, max(20, min(700, size - length - 60)))
        sections.append({"heading": prose(chance, 24), "body": body, "score": round(chance.random() * 10, 2)})
        length += len(json.dumps(sections[-1])) + 2
    return json.dumps(document)


def records(size: int) -> str:
    """An object with a list of records of six members."""
    chance = random.Random(2)
    items: list[dict[str, object]] = []
    length = 13
    while length < size:
        items.append({
            "sku": f"A{chance.randrange(10000)}",
            "name": prose(chance, 12),
            "qty": chance.randrange(99),
            "price": round(chance.random() * 100, 2),
            "in_stock": chance.random() < 0.5,
            "tags": [chance.choice(WORDS) for _ in range(2)],
        })
        length += len(json.dumps(items[-1])) + 2
    return json.dumps({"items": items})


def chunks(text: str, size: int = 4) -> list[str]:
    """A text in pieces, as a model writes it."""
    return [text[at : at + size] for at in range(0, len(text), size)]
