"""A search on disk: killed at any moment, it goes on from there.

A checkpoint is replaced in one step, so that there is always the old one or the new one. It is
read with distrust: instance, conventions and checksum must match, and the judge sees the plan
again. What cannot be checked again for less than it took to find (refuted sequences, bounds of the
open nodes) rests on the checksum.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
import stat
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from tailgate.conventions import Conventions
from tailgate.errors import InputError
from tailgate.instance import Instance
from tailgate.master import Edge, EdgeRow, Row
from tailgate.pricing.subset_row import SubsetRow
from tailgate.search.node import FLEET, Decision, Node
from tailgate.solution import Solution
from tailgate.text_file import cannot_be_written, replacing, source_text
from tailgate.verify import verify

RoutePath = tuple[int, ...]

FORMAT = "tailgate-checkpoint-1"
_FORMAT_FAMILY = "tailgate-checkpoint-"
_GZIP_MARK = b"\x1f\x8b"
GZIP_BYTES = 1_000_000
"""Larger ones are compressed."""
_GZIP_LEVEL = 3
# What is larger is the wrong file, and would only eat memory.
MAX_FILE_BYTES = 500_000_000
MAX_CONTENT_BYTES = 2_000_000_000

SECONDS_BETWEEN_WRITES = 10.0
SHARE_OF_TIME = 0.02
"""Of the whole time, for writing: where that takes long, it is done less often."""

_T = TypeVar("_T")
_StoredRow = SubsetRow | EdgeRow
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class SearchState:
    """All that a search must know to go on: the parts that are open, and what has been learnt."""

    open_nodes: tuple[Node, ...]
    """The parts of the solutions not done with; none: the search is at its end."""
    lower_bound: float
    """No solution of any part costs less."""
    incumbent: Solution | None = None
    """The best plan so far."""
    infeasible_cores: tuple[RoutePath, ...] = ()
    """Sequences proven not to be loadable."""
    loadable_routes: tuple[RoutePath, ...] = ()
    """Routes proven to be loadable."""
    cuts: tuple[Row, ...] = ()
    """Rows that hold everywhere, besides those of the nodes."""
    nodes_done: int = 0
    seconds: float = 0.0
    """Spent so far, in all runs."""
    options: Mapping[str, Scalar] = field(default_factory=dict, hash=False)
    """With which the search was started: seed, screen, ..."""
    counters: Mapping[str, float] = field(default_factory=dict, hash=False)


class Checkpoint:
    """The file of one search, and when it is time to write it again."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        instance: Instance,
        *,
        seconds_between: float = SECONDS_BETWEEN_WRITES,
    ) -> None:
        self.path = path
        self._instance = instance
        self.failure = ""
        """Why the last attempt to write failed; empty if it did not."""
        self._is_written = False
        self._wait = self._seconds_between = seconds_between
        self._last_end = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the last one is old."""
        return time.monotonic() - self._last_end >= self._wait

    def write(self, state: SearchState) -> None:
        """Replace the file.

        A path that cannot be written is an error the first time. Later it is noted only: a search
        of hours is worth more than its checkpoint, and the disk may have room again.
        """
        started = time.monotonic()
        try:
            write(self.path, self._instance, state)
            self._is_written, self.failure = True, ""
        except InputError as error:
            if not self._is_written:
                raise
            self.failure = str(error)
        self._last_end = time.monotonic()
        self._wait = max(self._seconds_between, (self._last_end - started) / SHARE_OF_TIME)


def refuse_to_overwrite(
    path: str | os.PathLike[str], *, resume: str | os.PathLike[str] | None = None
) -> None:
    """Refuse a path at which something else would be lost; the one that is resumed is replaced."""
    target, source = Path(path), source_text(path)
    try:
        if target.is_dir():
            raise InputError("is a folder, not a file; name a file", source=source)
        if not target.parent.is_dir():
            raise InputError(
                "cannot be written: its folder does not exist; make it first", source=source
            )
        if not target.is_file() or target.stat().st_size == 0:
            return
        if resume is not None and Path(resume).exists() and target.samefile(resume):
            return
        is_one = _is_checkpoint(target)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise cannot_be_written(path, error) from error
    if is_one:
        raise InputError(
            "holds a search already; go on with it by --resume, delete it, or name another file",
            source=source,
        )
    raise InputError(
        "exists, and is not a checkpoint; it is left as it is: name another file", source=source
    )


def write(path: str | os.PathLike[str], instance: Instance, state: SearchState) -> None:
    """Write a checkpoint: a crash leaves the old one or the new one, never a half."""
    content = json.dumps(
        {
            "instance": {"name": instance.name, "sha256": instance.sha256},
            "conventions": instance.conventions.to_dict(),
            **_state_content(state),
        },
        separators=(",", ":"),
        allow_nan=False,
    )
    checksum = hashlib.sha256(content.encode()).hexdigest()
    # The format stands first, so that even a file that was cut off can be told from another kind.
    document = f'{{"format": "{FORMAT}", "sha256": "{checksum}", "content": {content}}}\n'.encode()
    if len(document) > GZIP_BYTES:
        document = gzip.compress(document, _GZIP_LEVEL, mtime=0)
    try:
        with replacing(path) as file:
            file.write(document)
        _sync_folder(Path(path).resolve().parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(path, error) from error


def read(path: str | os.PathLike[str], instance: Instance) -> SearchState:
    """Read a checkpoint of this instance under its conventions, or say what is wrong with it."""
    source = source_text(path)
    content = _content(_read_bytes(path), source)
    belongs = _member(content, "instance", dict, source)
    if belongs.get("sha256") != instance.sha256:
        raise InputError(
            f"belongs to another instance, {str(belongs.get('name'))[:60]!r}: this one is "
            f"{instance.name!r}, with other content; give the instance that was being solved",
            source=source,
        )
    stated = _member(content, "conventions", dict, source)
    if stated != instance.conventions.to_dict():
        raise InputError(
            f"belongs to another problem: {_difference(stated, instance.conventions)}; state the "
            "conventions with which the search was started",
            source=source,
        )
    try:
        state = _state(content, instance)
    except (InputError, KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(source, str(error)) from error
    _check_incumbent(state, instance, source)
    return state


# Writing.


def _state_content(state: SearchState) -> dict[str, object]:
    rows: dict[_StoredRow, int] = {}

    def indices(cuts: Iterable[Row]) -> list[int]:
        # Rows of other kinds are left out: they are only there to save work.
        return [
            rows.setdefault(row, len(rows)) for row in cuts if isinstance(row, SubsetRow | EdgeRow)
        ]

    open_nodes = [
        {
            "decisions": [[*one.edge, one.sense, one.value] for one in node.decisions],
            # Nothing costs less than nothing.
            "lower_bound": max(0.0, node.lower_bound),
            "cuts": indices(node.cuts),
        }
        for node in state.open_nodes
        # An infinite bound says that nothing is left in this part.
        if node.lower_bound < math.inf
    ]
    shared = indices(state.cuts)
    return {
        # An infinite one: it is proven that there is no plan.
        "lower_bound": max(0.0, state.lower_bound) if state.lower_bound < math.inf else None,
        "nodes_done": state.nodes_done,
        "seconds": state.seconds,
        "options": dict(state.options),
        "counters": dict(state.counters),
        "incumbent": None if state.incumbent is None else state.incumbent.to_dict(),
        "open_nodes": open_nodes,
        "cuts": shared,
        "rows": [_row_content(row) for row in rows],
        "infeasible_cores": state.infeasible_cores,
        "loadable_routes": state.loadable_routes,
    }


def _row_content(row: _StoredRow) -> dict[str, object]:
    if isinstance(row, SubsetRow):
        return {"members": row.members, "memory": sorted(row.memory)}
    return {
        "edges": [[*edge, coefficient] for edge, coefficient in sorted(row.edges)],
        "lower": row.lower if math.isfinite(row.lower) else None,
        "upper": row.upper if math.isfinite(row.upper) else None,
    }


def _sync_folder(folder: Path) -> None:
    """Have the new name stored, too: the file's content alone is not enough."""
    if not hasattr(os, "O_DIRECTORY"):
        # Where folders cannot be opened, they need not be.
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# Reading.


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    source = source_text(path)
    try:
        status = Path(path).stat()
        # Asked before opening: a pipe that nobody writes to would keep us waiting for ever.
        if not stat.S_ISREG(status.st_mode):
            raise InputError("is not a regular file", source=source)
        if status.st_size > MAX_FILE_BYTES:
            raise InputError("is too large to be a checkpoint", source=source)
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file, so nothing can be resumed; a search that is started with "
            "--checkpoint writes it",
            source=source,
        ) from error
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", source=source) from error


def _content(document: bytes, source: str) -> dict[str, Any]:
    """Return the content of a whole, undamaged checkpoint of this version."""
    text = _unpacked(document, source)
    begins_well = text.startswith(f'{{"format": "{_FORMAT_FAMILY}'.encode())
    try:
        root = json.loads(text)
    except (ValueError, RecursionError) as error:
        if begins_well:
            raise _damaged(source, "it breaks off or is garbled") from error
        raise _foreign(source, None) from error
    stated = root.get("format") if isinstance(root, dict) else None
    if not (isinstance(stated, str) and stated.startswith(_FORMAT_FAMILY)):
        raise _foreign(source, stated)
    if stated != FORMAT:
        raise InputError(
            f"was written by another version of Tailgate: its format is {stated[:60]!r}, this "
            f"version reads {FORMAT!r}; resume it with that version, or start again",
            source=source,
        )
    content = root.get("content")
    if not isinstance(content, dict):
        raise _damaged(source, "it has no content")
    canonical = json.dumps(content, separators=(",", ":")).encode()
    if hashlib.sha256(canonical).hexdigest() != root.get("sha256"):
        raise _damaged(source, "its checksum does not match its content")
    return content


def _unpacked(document: bytes, source: str) -> bytes:
    if not document.startswith(_GZIP_MARK):
        return document
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        text = unpacker.decompress(document, MAX_CONTENT_BYTES)
    except zlib.error as error:
        raise _damaged(source, "it cannot be unpacked") from error
    if not unpacker.eof:
        raise _damaged(source, "it breaks off")
    return text


def _is_checkpoint(path: Path) -> bool:
    """Tell from its beginning whether a file is a checkpoint, whatever its version and state."""
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(_GZIP_MARK):
        try:
            head = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(head, 4096)
        except zlib.error:
            return False
    return head.startswith(f'{{"format": "{_FORMAT_FAMILY}'.encode())


def _state(content: Mapping[str, Any], instance: Instance) -> SearchState:
    numbers = _Numbers(instance.n)
    rows = _each(content["rows"], lambda row: _row(row, numbers))
    return SearchState(
        open_nodes=_each(content["open_nodes"], lambda node: _node(node, rows, numbers)),
        lower_bound=(
            math.inf if content["lower_bound"] is None else _finite(content["lower_bound"])
        ),
        incumbent=(
            None if content["incumbent"] is None else Solution.from_dict(content["incumbent"])
        ),
        infeasible_cores=_each(content["infeasible_cores"], numbers.route),
        loadable_routes=_each(content["loadable_routes"], numbers.route),
        cuts=_each(content["cuts"], lambda index: rows[_count(index)]),
        nodes_done=_count(content["nodes_done"]),
        seconds=_finite(content["seconds"]),
        options=dict(content["options"]),
        counters={str(name): _finite(value) for name, value in dict(content["counters"]).items()},
    )


def _node(content: Mapping[str, Any], rows: Sequence[_StoredRow], numbers: _Numbers) -> Node:
    return Node(
        decisions=_each(content["decisions"], lambda one: _decision(one, numbers)),
        lower_bound=_finite(content["lower_bound"]),
        cuts=_each(content["cuts"], lambda index: rows[_count(index)]),
    )


def _decision(content: Sequence[Any], numbers: _Numbers) -> Decision:
    start, end, sense, value = content
    if sense not in ("at-most", "at-least"):
        raise ValueError(f"there is no decision {sense!r}")
    edge = FLEET if (start, end) == FLEET else numbers.edge(start, end)
    return Decision(edge, cast('Literal["at-most", "at-least"]', sense), _count(value))


def _row(content: Mapping[str, Any], numbers: _Numbers) -> _StoredRow:
    if "members" in content:
        first, second, third = numbers.route(content["members"])
        memory = frozenset(numbers.route(content["memory"]))
        if not first < second < third or not memory >= {first, second, third}:
            raise ValueError("a subset row is none")
        return SubsetRow((first, second, third), memory)
    lower, upper = content["lower"], content["upper"]
    edges = _each(content["edges"], lambda entry: (numbers.edge(*entry[:2]), _integer(entry[2])))
    if len({edge for edge, _ in edges}) != len(edges):
        raise ValueError("an edge stands twice in a row")
    return EdgeRow(
        frozenset(edges),
        -math.inf if lower is None else _finite(lower),
        math.inf if upper is None else _finite(upper),
    )


class _Numbers:
    """Reads numbers of customers, of which there are so many."""

    def __init__(self, n: int) -> None:
        self._n = n

    def route(self, content: object) -> RoutePath:
        if not isinstance(content, list) or not content:
            raise TypeError("a route is not a list of customers")
        route = tuple(content)
        for number in route:
            if type(number) is not int or not 1 <= number <= self._n:
                raise ValueError(f"there is no customer {number!r}")
        if len(set(route)) != len(route):
            raise ValueError("a route visits a customer twice")
        return route

    def edge(self, start: object, end: object) -> Edge:
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= self._n:
            raise ValueError(f"there is no edge {start!r}-{end!r}")
        return start, end


def _each(content: object, read_one: Callable[[Any], _T]) -> tuple[_T, ...]:
    if not isinstance(content, list):
        raise TypeError("a list is none")
    return tuple([read_one(one) for one in content])


def _integer(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is not an integer")
    return value


def _count(value: object) -> int:
    number = _integer(value)
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number


def _finite(value: object) -> float:
    if type(value) not in (int, float) or not math.isfinite(cast(float, value)):
        raise ValueError(f"{value!r} is not a number")
    return cast(float, value)


def _check_incumbent(state: SearchState, instance: Instance, source: str) -> None:
    """Have the plan judged again; it must also agree with what else the file says."""
    solution = state.incumbent
    if solution is None:
        return
    if solution.conventions != instance.conventions:
        raise _damaged(source, "its plan is one under other conventions")
    if not solution.routes or solution.objective is None:
        raise _damaged(source, "its plan has no routes")
    violations = verify(instance, solution)
    if violations:
        raise _damaged(source, f"its plan is not valid: {violations[0]}")
    margin = 1e-9 * max(1.0, solution.objective)
    if state.lower_bound > solution.objective + margin:
        raise _damaged(source, "its bound is above the cost of its plan")
    routes = [route.customers for route in solution.routes]
    for core in state.infeasible_cores:
        # Loading does not mind the direction.
        if any(_contains(route, core) or _contains(route, core[::-1]) for route in routes):
            raise _damaged(source, "it calls a route of its own plan infeasible")


def _contains(route: Iterable[int], sequence: Iterable[int]) -> bool:
    stops = iter(route)
    return all(stop in stops for stop in sequence)


def _member(content: Mapping[str, Any], name: str, kind: type[_T], source: str) -> _T:
    value = content.get(name)
    if not isinstance(value, kind):
        raise _damaged(source, f"it lacks {name}")
    return value


def _difference(stated: Mapping[str, object], asked: Conventions) -> str:
    return ", ".join(
        f"{name} is {stated.get(name)!r} there and {value!r} here"
        for name, value in asked.to_dict().items()
        if stated.get(name) != value
    )


def _damaged(source: str, how: str) -> InputError:
    return InputError(
        f"the checkpoint is damaged: {how}; start the search again without it", source=source
    )


def _foreign(source: str, stated: object) -> InputError:
    kind = ""
    for word in ("instance", "solution"):
        if isinstance(stated, str) and stated.startswith(f"tailgate-{word}-"):
            kind = f", but {'an' if word == 'instance' else 'a'} {word}"
    return InputError(
        f"is not a checkpoint{kind}; give a file that --checkpoint has written", source=source
    )
