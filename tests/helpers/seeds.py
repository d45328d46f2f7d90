"""How many random cases a test looks at: some in every run, the rest where there is time."""

from __future__ import annotations

import pytest


def with_seeds(some: int, many: int) -> pytest.MarkDecorator:
    """Give a test its ``seeds``: the first few in the ordinary suite, all others under `long`."""
    return pytest.mark.parametrize(
        "seeds",
        [
            pytest.param(range(some), id="some"),
            pytest.param(range(some, many), id="many", marks=pytest.mark.long),
        ],
    )
