"""JSON of unknown origin: strict reading whose errors name the field and its line.

A document is parsed by the standard library. Only when something is wrong is the text scanned once
more, to find the line of the offending value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NoReturn

from tailgate.model import validation
from tailgate.model.errors import InputError

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
    """An object has a duplicate key; the scan for lines finds out where."""


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
            raise self._first_duplicate() from error
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
        self._refuse_half_characters()
        return JsonValue(root, (), self)

    def _refuse_half_characters(self) -> None:
        """Complain about an escape like \\ud800 alone: it is no text, and could not be written."""
        if "\\ud" not in self.text.lower():
            return
        for path, offset, word in self._values():
            texts = (*path[-1:], json.loads(word) if word.startswith('"') else "")
            if any("\ud800" <= letter <= "\udfff" for text in texts for letter in str(text)):
                problem = "contains half a character: an escape from \\ud800 to \\udfff alone"
                raise self._error(problem, path, offset)

    def line_of(self, path: Path) -> int | None:
        """Return the line on which the value at ``path`` begins, or the nearest outer value's."""
        found = None
        for place, offset, _ in self._values():
            if len(place) > len(path) or tuple(place) != path[: len(place)]:
                continue
            found = self._line(offset)
            if len(place) == len(path):
                break
        return found

    def _line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def _error(self, problem: str, path: Sequence[str | int], offset: int) -> InputError:
        field = path_text(tuple(path))
        return InputError(problem, source=self.source, line=self._line(offset), field=field)

    def _first_duplicate(self) -> InputError:
        """Return the complaint about the first duplicate key of an object."""
        # By depth: the keys of the object that is open there.
        seen: list[set[str]] = [set()]
        for path, offset, _ in self._values():
            del seen[len(path) + 1 :]
            if path and isinstance(path[-1], str):
                if path[-1] in seen[-1]:
                    return self._error("duplicate key", path, offset)
                seen[-1].add(path[-1])
            seen.append(set())
        raise AssertionError

    def _values(self) -> Iterator[tuple[list[str | int], int, str]]:
        """Yield path, character and first token of every value, in the order of the text.

        The text has been parsed before, so the scan may trust that it is well formed. The path is
        one list, which changes from value to value.
        """
        path: list[str | int] = []
        # One entry per open bracket: the next index of an array, or -1 for an object.
        indices: list[int] = []
        key: str | None = None
        for token in _TOKEN.finditer(self.text):
            word = token.group(1)
            if word in ",:":
                continue
            if word in "}]":
                indices.pop()
                continue
            del path[max(0, len(indices) - 1) :]
            if indices and indices[-1] < 0:
                if key is None:
                    key = str(json.loads(word))
                    continue
                path.append(key)
                key = None
            elif indices:
                path.append(indices[-1])
                indices[-1] += 1
            yield path, token.start(1), word
            if word in "{[":
                indices.append(-1 if word == "{" else 0)


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

    @contextmanager
    def placing_errors(self) -> Iterator[None]:
        """Give the error of a constructor the place of this value, or of the field it names."""
        try:
            yield
        except InputError as error:
            if error.source is not None:
                raise
            self.fail(error.problem, *((error.field,) if error.field else ()))

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
    elif isinstance(value, list) and set(map(type, value)) <= {int, float, type(None)}:
        # The rows of a matrix: a million numbers.
        return json.dumps(value, allow_nan=False)
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
