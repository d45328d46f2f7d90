"""Commands that are killed at every step they take on disk."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_PROGRAM = Path(__file__).with_name("killed_child.py")


def killed_at_every_step(
    command: Sequence[str],
    root: Path,
    *,
    given: Path | None = None,
    modules: Sequence[str] = (),
    stride: int = 1,
) -> list[Path]:
    """Run a command in a folder of its own for every step at which it is killed.

    ``{folder}`` in the command is that folder, which begins with what is in ``given``. The last
    run of all is not killed, and must end well. ``modules`` are loaded before anything is forked.
    """
    root.mkdir()
    plan = {
        "command": list(command),
        "root": str(root),
        "given": None if given is None else str(given),
        "modules": list(modules),
        "stride": stride,
    }
    program = subprocess.run(
        [sys.executable, str(_PROGRAM)],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        check=True,
    )
    ended = [json.loads(line) for line in program.stdout.splitlines()]
    codes = [code for _, code in ended]
    assert codes == [-signal.SIGKILL] * (len(codes) - 1) + [0], (codes, program.stderr)
    # Otherwise nothing was tried.
    assert len(codes) > 1
    return [root / str(step) for step, _ in ended]
