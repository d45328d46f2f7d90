"""JSON from strangers: strict reading whose complaints name the field and its line.

A document is parsed by the standard library. Only when something is wrong is the text scanned once
more, to find the line of the offending value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple, NoReturn

from tailgate import validation
from tailgate.errors import InputError

Path = tuple[str | int, ...]

# Enough for any number the model accepts; longer ones stay decimals, cheap and exact.
MAX_INTEGER_CHARACTERS = 40
MAX_ELEMENTS = 1_000_000
# Free-form parts of a file are walked recursively; nobody nests them further.
MAX_PLAIN_DEPTH = 50

# Possessive throughout: a text of any length is scanned without backtracking.
_TOKEN = re.compile(
    r'[ \n\t]*+("[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]:,]|[^\s{}\[\]:,"]++)', re.DOTALL
)

_DECIMAL_COMMA = re.compile(r"\d,\d")


class _DuplicateKeyError(ValueError):
    """A key stands twice in one object; the scan for lines finds out where."""


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """The text of a JSON file and where it came from."""

    text: str
    source: str | None

    def parse(self) -> JsonValue:
        """Return the root value, or complain about the first thing that is not JSON."""
        try:
            root = json.loads(
                self.text,
                object_pairs_hook=_object_without_duplicates,
                parse_int=_integer,
                parse_float=_decimal,
                parse_constant=Decimal,
            )
        except _DuplicateKeyError as error:
            path, line = self._first_duplicate()
            raise InputError(
                "stands twice in one object", source=self.source, line=line, field=path_text(path)
            ) from error
        except json.JSONDecodeError as error:
            raise InputError(
                f"is not valid JSON: {error.msg} (column {error.colno}){_comma_hint(error)}",
                source=self.source,
                line=error.lineno,
            ) from error
        except RecursionError as error:
            raise InputError(
                "is not a sensible JSON file: its brackets are nested too deeply",
                source=self.source,
            ) from error
        self._refuse_half_characters(root)
        return JsonValue(root, (), self)

    def _refuse_half_characters(self, root: object) -> None:
        """Complain about an escape like \\ud800 alone: it is no text, and could not be written."""
        if "\\ud" not in self.text.lower():
            return
        waiting: list[tuple[Path, object]] = [((), root)]
        while waiting:
            path, value = waiting.pop()
            if isinstance(value, dict):
                waiting += [((*path, key), inner) for key, inner in value.items()]
                texts = list(value)
            elif isinstance(value, list):
                waiting += [((*path, index), inner) for index, inner in enumerate(value)]
                texts = []
            else:
                texts = [value] if isinstance(value, str) else []
            for text in texts:
                if any("\ud800" <= character <= "\udfff" for character in text):
                    raise InputError(
                        "contains half a character: an escape from \\ud800 to \\udfff alone",
                        source=self.source,
                        line=self.line_of(path),
                        field=path_text(path),
                    )

    def line_of(self, path: Path) -> int | None:
        """Return the line on which the value at ``path`` begins, or the nearest outer value's."""
        offset = None
        # How many steps of the path lead to where we are; what lies deeper is only skipped.
        matched = 0
        for frame in self._values():
            if frame.depth < matched:
                break
            if frame.depth == matched and (matched == 0 or frame.step == path[matched - 1]):
                offset = frame.offset
                matched += 1
                if matched > len(path):
                    break
        return None if offset is None else self._line(offset)

    def _line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def _first_duplicate(self) -> tuple[Path, int | None]:
        """Return the first key that stands twice in one object."""
        path: list[str | int] = []
        seen: list[set[str]] = [set()]
        for frame in self._values():
            del path[max(0, frame.depth - 1) :]
            del seen[frame.depth + 1 :]
            if frame.step is not None:
                path.append(frame.step)
            if isinstance(frame.step, str):
                if frame.step in seen[frame.depth]:
                    return tuple(path), self._line(frame.offset)
                seen[frame.depth].add(frame.step)
            seen.append(set())
        return (), None

    def _values(self) -> Iterator[_Frame]:
        """Yield every value in the order of the text.

        The text has been parsed before, so the scan may trust that it is well formed.
        """
        # One entry per open bracket: the next index of an array, or -1 for an object.
        indices: list[int] = []
        key: str | None = None
        for token in _TOKEN.finditer(self.text):
            word, offset = token.group(1), token.start(1)
            if word in ",:":
                continue
            if word in "}]":
                indices.pop()
                continue
            step: str | int | None = None
            if indices and indices[-1] < 0:
                if key is None:
                    key = str(json.loads(word))
                    continue
                step, key = key, None
            elif indices:
                step = indices[-1]
                indices[-1] += 1
            yield _Frame(len(indices), step, offset)
            if word == "{":
                indices.append(-1)
            elif word == "[":
                indices.append(0)


class _Frame(NamedTuple):
    """Where a value stands: how deep, by which key or index, and at which character."""

    depth: int
    step: str | int | None
    offset: int


@dataclass(frozen=True, slots=True)
class JsonValue:
    """One value of a document, which knows its place and complains with it."""

    value: object
    path: Path
    document: JsonDocument = field(repr=False)

    def fail(self, problem: str, *inner: str | int) -> NoReturn:
        """Complain about this value, or about one inside it."""
        path = (*self.path, *inner)
        raise InputError(
            problem,
            source=self.document.source,
            line=self.document.line_of(path),
            field=path_text(path) or None,
        )

    def members(
        self, *, required: tuple[str, ...] = (), optional: tuple[str, ...] = ()
    ) -> dict[str, JsonValue]:
        """Return the members of an object, having refused unknown and missing ones."""
        if not isinstance(self.value, dict):
            self.fail(f"must be an object {{...}}, got {kind_of(self.value)}")
        known = (*required, *optional)
        for key in self.value:
            if key not in known:
                hint = validation.did_you_mean(key, known)
                listed = ", ".join(known)
                self.fail(f"is not a known field (known here: {listed}){hint}", key)
        for key in required:
            if key not in self.value:
                self.fail(f'lacks the field "{key}"')
        return {
            key: JsonValue(value, (*self.path, key), self.document)
            for key, value in self.value.items()
        }

    def elements(self, most: int = MAX_ELEMENTS) -> list[JsonValue]:
        """Return the elements of an array, of which there may be at most so many."""
        if not isinstance(self.value, list):
            self.fail(f"must be an array [...], got {kind_of(self.value)}")
        if len(self.value) > most:
            self.fail(f"must have at most {most} elements, got {len(self.value)}")
        return [
            JsonValue(value, (*self.path, index), self.document)
            for index, value in enumerate(self.value)
        ]

    def decimal(self) -> Decimal:
        """Return a finite number, exactly as written."""
        if isinstance(self.value, bool) or not isinstance(self.value, (int, Decimal)):
            self.fail(f"must be a number, got {kind_of(self.value)}")
        number = Decimal(self.value)
        if not number.is_finite():
            self.fail(f"must be a finite number, got {number}")
        return number

    def integer(self, *, low: int, high: int) -> int:
        """Return an integer within [low, high]; 3.0 counts as one."""
        number = self.decimal()
        # Compared before converting: int(1e999999) would be a number of a million digits.
        if not low <= number <= high:
            self.fail(f"must be an integer between {low} and {high}, got {short(number)}")
        if number != number.to_integral_value():
            self.fail(f"must be an integer, got {short(number)}")
        return int(number)

    def string(self) -> str:
        """Return a text, whatever is in it."""
        if not isinstance(self.value, str):
            self.fail(f"must be text in quotes, got {kind_of(self.value)}")
        return self.value

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"must be true or false, got {kind_of(self.value)}")
        return self.value

    def plain(self) -> object:
        """Return the value as ordinary Python objects, decimals as floats."""
        if len(self.path) > MAX_PLAIN_DEPTH:
            self.fail(f"is nested more than {MAX_PLAIN_DEPTH} levels deep")
        if isinstance(self.value, Decimal):
            number = self.decimal()
            real = float(number)
            if real in (float("inf"), float("-inf")):
                self.fail(f"is too large a number: {short(number)}")
            return real
        if isinstance(self.value, dict):
            return {
                key: JsonValue(value, (*self.path, key), self.document).plain()
                for key, value in self.value.items()
            }
        if isinstance(self.value, list):
            return [element.plain() for element in self.elements()]
        return self.value

    @property
    def is_null(self) -> bool:
        """Whether the file says ``null``."""
        return self.value is None


def path_text(path: Path) -> str:
    """Return a path as people write it: ``customers[3].items[0].width``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + validation.label(step)
    return text


def kind_of(value: object) -> str:
    """Return a short description of a JSON value for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, Decimal):
        return short(value)
    return validation.shown(value)


def short(number: Decimal) -> str:
    """Return a number as written, unless it is absurdly long."""
    text = str(number)
    return text if len(text) <= validation.MAX_SHOWN_CHARACTERS else f"{number:.3e}"


def format_json(value: object, indent: str = "") -> str:
    """Return JSON text in which decimals keep every digit; an object of plain values is one line.

    The standard library would send decimals through floats.
    """
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        parts = [
            part + format_json(member, inner)
            for part, member in zip(parts, value.values(), strict=True)
        ]
        opening, closing = "{", "}"
    elif isinstance(value, (list, tuple)):
        parts = [format_json(element, inner) for element in value]
        opening, closing = "[", "]"
    elif isinstance(value, Decimal):
        return f"{value:f}"
    else:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    members = value.values() if isinstance(value, dict) else value
    if not any(isinstance(member, (dict, list, tuple)) for member in members):
        return opening + ", ".join(parts) + closing
    lines = f",\n{inner}".join(parts)
    return f"{opening}\n{inner}{lines}\n{indent}{closing}"


def _comma_hint(error: json.JSONDecodeError) -> str:
    """Say what is wrong with 2,45: the error is that no member begins with the 4."""
    number = _DECIMAL_COMMA.match(error.doc, max(0, error.pos - 2))
    return "; numbers have a decimal point, not a comma" if number else ""


def _object_without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DuplicateKeyError
    return members


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) <= MAX_INTEGER_CHARACTERS else Decimal(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        # An exponent beyond what even decimals hold; refused as not finite where it is used.
        return Decimal("-Infinity" if digits.startswith("-") else "Infinity")
