"""The example of types runs."""

from __future__ import annotations

import typed


def test_the_typed_program_runs() -> None:
    typed.main()
