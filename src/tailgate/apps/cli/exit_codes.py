"""What the exit code of every command means."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The codes a script can rely on."""

    DONE = 0
    BAD_INPUT = 2
    INFEASIBLE = 3
    VERIFICATION_FAILED = 4
    INTERRUPTED = 130


EXIT_CODES_HELP = (
    "exit codes: 0 done, 2 bad input or usage, 3 instance proven infeasible,\n"
    "4 verification failed, 130 interrupted"
)
