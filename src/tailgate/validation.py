"""Checks of single values, shared by the constructors of the data model."""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Iterable

from tailgate.errors import InputError

MAX_NAME_CHARACTERS = 200
MAX_SHOWN_CHARACTERS = 60
# They count as control characters, but Persian and Indic spelling and many emoji need them.
_WITHOUT_JOINERS = str.maketrans("", "", "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
# Below this, Python prints any integer; above, str() itself may refuse (its limit on digits).
MAX_PRINTED_BITS = 400
MAX_PLAIN_INTEGER = 10**24


def shown(value: object) -> str:
    """Return ``value`` for a message: short, on one line, and never itself an error."""
    if isinstance(value, int) and value.bit_length() > MAX_PRINTED_BITS:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    text = repr(value)
    if len(text) > MAX_SHOWN_CHARACTERS:
        text = text[: MAX_SHOWN_CHARACTERS - 3] + "..."
    return text


def integer(value: object, field: str, *, low: int, high: int, remedy: str = "") -> int:
    """Return ``value`` as an ``int`` within [low, high]; numpy integers pass, floats do not."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"must be an integer, got {shown(value)}{remedy}", field=field)
    number = operator.index(value)
    if number < low:
        raise InputError(f"must be at least {low}, got {shown(number)}", field=field)
    if number > high:
        raise InputError(f"must be at most {high}, got {shown(number)}", field=field)
    return number


def number(value: object, field: str, *, low: float, high: float) -> int | float:
    """Return a finite number within [low, high]; one with an integral value becomes an ``int``."""
    converted = finite_or_not(value, field)
    if not math.isfinite(converted):
        raise InputError(f"must be a finite number, got {converted}", field=field)
    if not low <= converted <= high:
        raise InputError(
            f"must be between {low:g} and {high:g}, got {shown(converted)}", field=field
        )
    return converted


def finite_or_not(value: object, field: str) -> int | float:
    """Return any real number, NaN and infinity included; an integral one becomes an ``int``."""
    if isinstance(value, (bool, str, bytes, complex)):
        raise InputError(f"must be a number, got {shown(value)}", field=field)
    if hasattr(value, "__index__"):
        # Larger ones would be infinite as floats.
        return integer(value, field, low=-MAX_PLAIN_INTEGER, high=MAX_PLAIN_INTEGER)
    if not hasattr(value, "__float__"):
        raise InputError(f"must be a number, got {shown(value)}", field=field)
    try:
        real = float(value)
    except (OverflowError, ValueError, TypeError) as error:
        raise InputError(f"must be a number, got {shown(value)}", field=field) from error
    # Beyond 2**53 a float's integral value is an accident of its format.
    if real.is_integer() and abs(real) <= 2**53:
        return int(real)
    return real


def text(value: object, field: str, *, max_characters: int = MAX_NAME_CHARACTERS) -> str:
    """Return a label that every file format can carry: one line, printable, no outer blanks."""
    if not isinstance(value, str):
        raise InputError(f"must be text, got {shown(value)}", field=field)
    if len(value) > max_characters:
        raise InputError(
            f"must have at most {max_characters} characters, got {len(value)}", field=field
        )
    if not value.translate(_WITHOUT_JOINERS).isprintable():
        raise InputError(
            f"must not contain line breaks or control characters, got {shown(value)}", field=field
        )
    if value != value.strip():
        raise InputError(f"must not begin or end with a blank, got {shown(value)}", field=field)
    return value


def boolean(value: object, field: str) -> bool:
    """Return ``value`` if it is true or false, and nothing that merely counts as such."""
    if not isinstance(value, bool):
        raise InputError(f"must be true or false, got {shown(value)}", field=field)
    return value


def choice(value: object, field: str, choices: tuple[str, ...]) -> str:
    """Return ``value`` if it is one of ``choices``."""
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(f'"{one}"' for one in choices)
    raise InputError(f"must be one of {listed}, got {shown(value)}", field=field)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "..."?`` for the nearest known word, or nothing."""
    # A short prefix is enough, and keeps a hostile, endless word cheap.
    candidates = [one for one in known if is_plain(one)]
    near = difflib.get_close_matches(word[:MAX_SHOWN_CHARACTERS], candidates, n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""


def label(value: object) -> str:
    """Return a key of unknown origin, fit to stand as the field of a message."""
    return value if isinstance(value, str) and is_plain(value) else shown(value)


def is_plain(word: str) -> bool:
    """Say whether a word can stand in a message as it is."""
    return 0 < len(word) <= MAX_SHOWN_CHARACTERS and word.isprintable()
