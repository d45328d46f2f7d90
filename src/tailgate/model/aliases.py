"""Types that many files name."""

from __future__ import annotations

import os

RoutePath = tuple[int, ...]
"""Customer numbers in the order of the visits."""

PathLike = str | os.PathLike[str]
"""Where a file is."""
