"""Where the program starts, as ``tailgate`` and as ``python -m tailgate``."""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> int:
    """Load the program and run it; Ctrl-C is quiet even while it loads."""
    try:
        from tailgate.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        print("tailgate: interrupted", file=sys.stderr)
        return _INTERRUPTED


if __name__ == "__main__":
    raise SystemExit(main())
