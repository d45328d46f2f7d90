"""The errors that Tailgate raises on purpose."""

from __future__ import annotations

from collections.abc import Sequence


class TailgateError(Exception):
    """Base of every error that Tailgate raises on purpose."""


class InputError(TailgateError, ValueError):
    """Something given to Tailgate is wrong; the message says where, what, and how to mend it.

    Parameters
    ----------
    problem : str
        What is wrong, and how to mend it.
    source : str, optional
        The file; ``None`` for objects that were built in code.
    line : int, optional
        Its line, counted from one.
    field : str, optional
        The argument, the column or the path of the value.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        """Keep the parts, so that a reader can add the file and line to a model's complaint."""
        self.problem = problem
        self.source = source
        self.line = line
        self.field = field
        super().__init__(problem, source, line, field)

    def __reduce__(self) -> tuple[object, ...]:
        """Survive pickling (worker processes), which knows nothing of keyword arguments."""
        return (_rebuild_input_error, (self.problem, self.source, self.line, self.field))

    def __str__(self) -> str:
        """Return ``FILE:LINE: FIELD: problem``, leaving out what is not known."""
        place = self.source or ""
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        field = _on_one_line(self.field or "")
        return ": ".join(part for part in (place, field, self.problem) if part)


def _on_one_line(name: str) -> str:
    """Return a name from a file with what cannot be printed written out, a tab for instance."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in name)


class SeveralKindsError(TailgateError):
    """Something was asked of the only kind of vehicle, and there are several.

    Parameters
    ----------
    names : sequence of str
        The names of the kinds.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Say which kinds there are, and how to ask for one of them."""
        self.names = tuple(names)
        super().__init__(self.names)

    def __str__(self) -> str:
        """Return one sentence."""
        listed = ", ".join(self.names)
        return f"there are several kinds of vehicles ({listed}); ask instance.of_kind(number)"


class HighsImportError(TailgateError, ImportError):
    """HiGHS cannot be loaded, or not the right one; the message has the remedy."""

    REMEDY = "pip install 'highspy>=1.10,<1.15'"
    """Pyproject.toml asks for the same, and docs/dependencies.md says why."""


def _rebuild_input_error(
    problem: str, source: str | None, line: int | None, field: str | None
) -> InputError:
    return InputError(problem, source=source, line=line, field=field)
