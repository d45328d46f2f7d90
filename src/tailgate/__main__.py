"""Where the program starts, as ``tailgate`` and as ``python -m tailgate``."""

from __future__ import annotations


def main() -> int:
    """Load the program and run it; a signal is answered from here to the last moment."""
    from tailgate.apps.cli.signals import PROGRAM, leave

    PROGRAM.listen()
    is_ended = False
    try:
        from tailgate.apps.cli.main import main as run

        code = run()
        PROGRAM.command_is_done(code)
        is_ended = True
    except KeyboardInterrupt:
        # Between two lines of the program itself.
        leave()
    finally:
        if PROGRAM.received and not is_ended:
            # Also where what was being loaded has turned the interrupt into an error of its own.
            leave()
    return code


if __name__ == "__main__":
    raise SystemExit(main())
