"""The file that carries a solution."""

from __future__ import annotations

from tailgate.io.text_file import read_text, source_text, write_text
from tailgate.model.aliases import PathLike
from tailgate.model.solution import Solution
from tailgate.model.solution_json import solution_from_text


def read_solution(path: PathLike) -> Solution:
    """Read a solution file; a wrong one raises ``InputError`` naming file, line and field.

    Parameters
    ----------
    path : str or path-like
        The solution file.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.read_solution("nowhere.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    tailgate.model.errors.InputError: nowhere.json: cannot be read: ...
    """
    return solution_from_text(read_text(path), source=source_text(path))


def write_solution(solution: Solution, path: PathLike) -> None:
    """Write a solution file in one step: a crash never leaves half of it.

    Parameters
    ----------
    solution : Solution
        What is written.
    path : str or path-like
        Where it is written.

    Examples
    --------
    >>> import tailgate, tempfile
    >>> from pathlib import Path
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> path = Path(tempfile.mkdtemp()) / "plan.json"
    >>> tailgate.write_solution(tailgate.solve(instance).solution, path)
    >>> tailgate.read_solution(path).status
    'optimal'
    """
    write_text(path, solution.to_json())
