"""The file format of a checkpoint.

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
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tailgate.io.text_file import cannot_be_written, replacing, source_text
from tailgate.model.aliases import PathLike, RoutePath
from tailgate.model.conventions import Conventions
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.column import Column
from tailgate.solver.master import Edge, EdgeRow, Row
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.search.decisions import (
    FLEET,
    Decision,
    EdgeUse,
    KindUse,
    Ride,
    Sense,
    Service,
)
from tailgate.solver.search.node import Node
from tailgate.solver.search.state import SearchState

FORMAT = "tailgate-checkpoint-1"
_FORMAT_FAMILY = "tailgate-checkpoint-"
_BEGINNING = f'{{"format": "{_FORMAT_FAMILY}'.encode()
_GZIP_MARK = b"\x1f\x8b"
GZIP_BYTES = 1_000_000
"""Larger ones are compressed."""
_GZIP_LEVEL = 3
# What is larger is the wrong file, and would only eat memory.
MAX_FILE_BYTES = 500_000_000
MAX_CONTENT_BYTES = 2_000_000_000

_USUAL_TURN = Conventions.PLANNER.turn

_T = TypeVar("_T")
_StoredRow = SubsetRow | EdgeRow


def write(path: PathLike, instance: Instance, state: SearchState) -> None:
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
    # The format stands first, so that even a file that was cut off is known as a checkpoint.
    document = f'{{"format": "{FORMAT}", "sha256": "{checksum}", "content": {content}}}\n'.encode()
    if len(document) > GZIP_BYTES:
        document = gzip.compress(document, _GZIP_LEVEL, mtime=0)
    try:
        with replacing(path) as file:
            file.write(document)
        _sync_folder(Path(path).resolve().parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise cannot_be_written(path, error) from error


def read(path: PathLike, instance: Instance) -> SearchState:
    """Read a checkpoint of this instance under its conventions, or say what is wrong with it."""
    try:
        content = _content(_read_bytes(Path(path)))
        _check_belonging(content, instance)
        try:
            state = _StateReader(instance).state(content)
        except (InputError, KeyError, TypeError, ValueError, IndexError) as error:
            raise _damaged(str(error)) from error
        _check_incumbent(state, instance)
    except InputError as error:
        raise InputError(error.problem, source=source_text(path)) from error
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
            "decisions": [_decision_content(one) for one in node.decisions],
            # Nothing costs less than nothing.
            "lower_bound": max(0.0, node.lower_bound),
            "cuts": indices(node.cuts),
        }
        for node in state.open_nodes
        # An infinite bound says that nothing is left in this part.
        if node.lower_bound < math.inf
    ]
    return {
        # An infinite one: it is proven that there is no plan.
        "lower_bound": _finite_or_none(max(0.0, state.lower_bound)),
        "nodes_done": state.nodes_done,
        "seconds": state.seconds,
        "options": dict(state.options),
        "incumbent": None if state.incumbent is None else state.incumbent.to_dict(),
        "open_nodes": open_nodes,
        "rows": [_row_content(row) for row in rows],
        "infeasible_cores": [core.route for core in state.infeasible_cores],
        "loadable_routes": [column.route for column in state.loadable_columns],
        **_kinds_content("kinds_of_cores", state.infeasible_cores),
        **_any_order_content(state),
        **_kinds_content("kinds_of_routes", state.loadable_columns),
    }


def _any_order_content(state: SearchState) -> dict[str, object]:
    """Return the places of the cores whose order does not matter; nothing where it always does."""
    alike = frozenset(state.cores_in_any_order)
    places = [place for place, core in enumerate(state.infeasible_cores) if core in alike]
    return {"cores_in_any_order": places} if places else {}


def _kinds_content(name: str, columns: Sequence[Column]) -> dict[str, object]:
    """Return the kinds of routes; nothing where there is but one kind."""
    kinds = [column.kind for column in columns]
    return {name: kinds} if any(kinds) else {}


def _decision_content(decision: Decision) -> object:
    match decision:
        case EdgeUse(edge, sense, value):
            return [*edge, sense, value]
        case KindUse(kind, sense, value):
            return {"kind": kind, "sense": sense, "value": value}
        case Service(customer, is_served):
            return {"customer": customer, "served": is_served}
        case Ride(customer, kind, is_taken):
            return {"customer": customer, "kind": kind, "taken": is_taken}


def _row_content(row: _StoredRow) -> dict[str, object]:
    if isinstance(row, SubsetRow):
        return {"members": row.members, "memory": sorted(row.memory)}
    return {
        "edges": [[*edge, coefficient] for edge, coefficient in sorted(row.edges)],
        "lower": _finite_or_none(row.lower),
        "upper": _finite_or_none(row.upper),
        **({"left_out": sorted(row.left_out)} if row.left_out else {}),
    }


def _finite_or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


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


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        # Asked before opening: a pipe that nobody writes to would keep us waiting for ever.
        if not stat.S_ISREG(status.st_mode):
            raise InputError("is not a regular file")
        if status.st_size > MAX_FILE_BYTES:
            raise InputError("is too large to be a checkpoint")
        return path.read_bytes()
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(
            "there is no such file, so nothing can be resumed; a search writes one if it is given "
            "a checkpoint"
        ) from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}") from error


def _content(document: bytes) -> dict[str, Any]:
    """Return the content of a complete, undamaged checkpoint of this version."""
    text = _unpacked(document)
    try:
        root = json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.startswith(_BEGINNING):
            raise _damaged("it breaks off or is garbled") from error
        raise _foreign(None) from error
    stated = root.get("format") if isinstance(root, dict) else None
    if not (isinstance(stated, str) and stated.startswith(_FORMAT_FAMILY)):
        raise _foreign(stated)
    if stated != FORMAT:
        raise InputError(
            f"was written by another version of Tailgate: its format is {stated[:60]!r}, this "
            f"version reads {FORMAT!r}; resume it with that version, or start again"
        )
    content = root.get("content")
    if not isinstance(content, dict):
        raise _damaged("it has no content")
    canonical = json.dumps(content, separators=(",", ":")).encode()
    if hashlib.sha256(canonical).hexdigest() != root.get("sha256"):
        raise _damaged("its checksum does not match its content")
    return content


def _unpacked(document: bytes) -> bytes:
    if not document.startswith(_GZIP_MARK):
        return document
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        text = unpacker.decompress(document, MAX_CONTENT_BYTES)
    except zlib.error as error:
        raise _damaged("it cannot be unpacked") from error
    if not unpacker.eof:
        raise _damaged("it breaks off")
    return text


def is_checkpoint(path: Path) -> bool:
    """Tell from its beginning whether a file is a checkpoint, whatever its version and state."""
    with path.open("rb") as file:
        head = file.read(4096)
    if head.startswith(_GZIP_MARK):
        try:
            head = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(head, 4096)
        except zlib.error:
            return False
    return head.startswith(_BEGINNING)


def _check_belonging(content: Mapping[str, Any], instance: Instance) -> None:
    """Refuse the checkpoint of another instance, or of other conventions."""
    belongs, stated = _member(content, "instance"), _member(content, "conventions")
    if belongs.get("sha256") != instance.sha256:
        raise InputError(
            f"belongs to another instance, {str(belongs.get('name'))[:60]!r}: this one is "
            f"{instance.name!r}, with other content; give the instance that was being solved"
        )
    own = instance.conventions.to_dict()
    # What is not stated is the usual one: only which items may be turned may be left out.
    differences = [
        f"{name} is {stated.get(name, _USUAL_TURN)!r} there and {own.get(name, _USUAL_TURN)!r} here"
        for name in dict.fromkeys((*own, *stated))
        if stated.get(name, _USUAL_TURN) != own.get(name, _USUAL_TURN)
    ]
    if differences:
        raise InputError(
            f"belongs to another problem: {', '.join(differences)}; state the conventions with "
            "which the search was started"
        )


class _StateReader:
    """Reads the state of a search of an instance; raises where it is none."""

    def __init__(self, instance: Instance) -> None:
        self._n = instance.n
        self._kinds = len(instance.vehicles)
        self._rows: tuple[_StoredRow, ...] = ()

    def state(self, content: Mapping[str, Any]) -> SearchState:
        self._rows = _each(content["rows"], self._row)
        incumbent = content["incumbent"]
        cores = self._columns(content, "infeasible_cores", "kinds_of_cores")
        alike = _each(content.get("cores_in_any_order", []), _count)
        return SearchState(
            open_nodes=_each(content["open_nodes"], self._node),
            lower_bound=_finite_or(math.inf, content["lower_bound"]),
            incumbent=None if incumbent is None else Solution.from_dict(incumbent),
            infeasible_cores=cores,
            cores_in_any_order=tuple(cores[place] for place in alike),
            loadable_columns=self._columns(content, "loadable_routes", "kinds_of_routes"),
            nodes_done=_count(content["nodes_done"]),
            seconds=_finite(content["seconds"]),
            options=dict(content["options"]),
        )

    def _node(self, content: Mapping[str, Any]) -> Node:
        return Node(
            decisions=_each(content["decisions"], self._decision),
            lower_bound=_finite(content["lower_bound"]),
            cuts=_each(content["cuts"], lambda index: self._rows[_count(index)]),
        )

    def _columns(self, content: Mapping[str, Any], routes: str, kinds: str) -> tuple[Column, ...]:
        found = _each(content[routes], self._route)
        known = _each(content[kinds], self._kind) if kinds in content else (0,) * len(found)
        return tuple(Column(kind, route) for kind, route in zip(known, found, strict=True))

    def _decision(self, content: object) -> Decision:
        if not isinstance(content, dict):
            return self._edge_use(content)
        if "customer" not in content:
            kind, value = self._kind(content["kind"]), _count(content["value"])
            return KindUse(kind, _sense(content["sense"]), value)
        (customer,) = self._route([content["customer"]])
        if "kind" in content:
            return Ride(customer, self._kind(content["kind"]), _truth(content["taken"]))
        return Service(customer, _truth(content["served"]))

    def _edge_use(self, content: Any) -> EdgeUse:
        start, end, sense, value = content
        edge = FLEET if (start, end) == FLEET else self._edge(start, end)
        return EdgeUse(edge, _sense(sense), _count(value))

    def _kind(self, content: object) -> int:
        kind = _count(content)
        if kind >= self._kinds:
            raise ValueError(f"there is no kind {kind} of vehicles")
        return kind

    def _row(self, content: Mapping[str, Any]) -> _StoredRow:
        if "members" in content:
            first, second, third = self._route(content["members"])
            return SubsetRow((first, second, third), frozenset(self._route(content["memory"])))
        edges = _each(content["edges"], lambda entry: (self._edge(*entry[:2]), _integer(entry[2])))
        if len({edge for edge, _ in edges}) != len(edges):
            raise ValueError("a row has the same edge twice")
        lower = _finite_or(-math.inf, content["lower"])
        upper = _finite_or(math.inf, content["upper"])
        left_out = _each(content.get("left_out", []), self._amount)
        return EdgeRow(frozenset(edges), lower, upper, frozenset(left_out))

    def _amount(self, content: Sequence[Any]) -> tuple[int, float]:
        customer, amount = content
        return self._route([customer])[0], _finite(amount)

    def _route(self, content: object) -> RoutePath:
        if not isinstance(content, list) or not content:
            raise TypeError("a route is not a list of customers")
        for number in content:
            if type(number) is not int or not 1 <= number <= self._n:
                raise ValueError(f"there is no customer {number!r}")
        if len(set(content)) != len(content):
            raise ValueError("a route visits a customer twice")
        return tuple(content)

    def _edge(self, start: object, end: object) -> Edge:
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= self._n:
            raise ValueError(f"there is no edge {start!r}-{end!r}")
        return start, end


def _sense(value: object) -> Sense:
    if value == "at-most":
        return "at-most"
    if value == "at-least":
        return "at-least"
    raise ValueError(f"there is no decision {value!r}")


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _each(content: object, read_one: Callable[[Any], _T]) -> tuple[_T, ...]:
    if not isinstance(content, list):
        raise TypeError("expected a list")
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
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return value


def _finite_or(missing: float, value: object) -> float:
    return missing if value is None else _finite(value)


def _member(content: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = content.get(name)
    if not isinstance(value, dict):
        raise _damaged(f"it lacks {name}")
    return value


def _check_incumbent(state: SearchState, instance: Instance) -> None:
    """Have the plan judged again; it must also agree with what else the file says."""
    solution = state.incumbent
    if solution is None:
        return
    if solution.conventions != instance.conventions:
        raise _damaged("its plan is one under other conventions")
    if not (solution.routes or solution.left_out) or solution.objective is None:
        raise _damaged("its plan has no routes")
    violations = verify(instance, solution)
    if violations:
        raise _damaged(f"its plan is not valid: {violations[0]}")
    margin = 1e-9 * max(1.0, solution.objective)
    if state.lower_bound > solution.objective + margin:
        raise _damaged("its bound is above the cost of its plan")
    columns = [
        Column(instance.kind_named(route.vehicle) if instance.has_kinds else 0, route.customers)
        for route in solution.routes
    ]
    for kind, core in state.infeasible_cores:
        own = [column.route for column in columns if column.kind == kind]
        # Loading does not mind the direction.
        if any(_contains(route, core) or _contains(route, core[::-1]) for route in own):
            raise _damaged("it calls a route of its own plan infeasible")
    for kind, core in state.cores_in_any_order:
        if any(column.kind == kind and set(core) <= set(column.route) for column in columns):
            raise _damaged("it calls the customers of a route of its own plan infeasible")


def _contains(route: Iterable[int], sequence: Iterable[int]) -> bool:
    stops = iter(route)
    return all(stop in stops for stop in sequence)


def _damaged(how: str) -> InputError:
    return InputError(f"the checkpoint is damaged: {how}; start the search again without it")


def _foreign(stated: object) -> InputError:
    kind = ""
    for word, article in (("instance", "an"), ("solution", "a")):
        if isinstance(stated, str) and stated.startswith(f"tailgate-{word}-"):
            kind = f", but {article} {word}"
    return InputError(
        f"is not a checkpoint{kind}; give a file that a search has written as its checkpoint"
    )
