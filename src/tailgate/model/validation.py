"""Checks of single values, shared by the constructors of the data model."""

from __future__ import annotations

import difflib
import math
import operator
import unicodedata
from collections.abc import Iterable
from typing import TypeVar

from tailgate.model.errors import InputError
from tailgate.model.rounding import number_text

MAX_NAME_CHARACTERS = 200
MAX_SHOWN_CHARACTERS = 60
# They count as control characters, but Persian and Indic spelling and many emoji need them.
_WITHOUT_JOINERS = str.maketrans("", "", "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
# Below this, Python prints any integer; above, str() itself may refuse (its limit on digits).
MAX_PRINTED_BITS = 400
MAX_PLAIN_INTEGER = 10**24

_Part = TypeVar("_Part")


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


def refused(value: object, field: str, must: str) -> InputError:
    """Return the complaint about a value that must be something else."""
    return InputError(f"must {must}, got {shown(value)}", field=field)


def integer(value: object, field: str, *, low: int, high: int, remedy: str = "") -> int:
    """Return ``value`` as an ``int`` within [low, high]; numpy integers pass, floats do not."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"must be an integer, got {shown(value)}{remedy}", field=field)
    number = operator.index(value)
    if not low <= number <= high:
        limit = f"at least {low}" if number < low else f"at most {high}"
        raise refused(number, field, f"be {limit}")
    return number


def store_integers(owner: object, *fields: str, low: int, high: int, remedy: str = "") -> None:
    """Check integers of a frozen dataclass, and store them as plain ones."""
    for field in fields:
        checked = integer(getattr(owner, field), field, low=low, high=high, remedy=remedy)
        object.__setattr__(owner, field, checked)


def store_numbers(owner: object, *fields: str) -> None:
    """Check real numbers of a frozen dataclass, NaN and infinity included, and store them."""
    for field in fields:
        object.__setattr__(owner, field, finite_or_not(getattr(owner, field), field))


def store_window(owner: object, ready: str, due: str, *, high: int) -> None:
    """Check the two times of a frozen dataclass between which something begins."""
    earliest = number(getattr(owner, ready), ready, low=0, high=high)
    object.__setattr__(owner, ready, earliest)
    if getattr(owner, due) is None:
        return
    latest = number(getattr(owner, due), due, low=0, high=high)
    object.__setattr__(owner, due, latest)
    if latest < earliest:
        raise InputError(
            f"must not be before {ready} ({number_text(earliest)}), got {number_text(latest)}",
            field=due,
        )


def store_labels(owner: object, field: str) -> None:
    """Check the names in a field of a frozen dataclass, and that none is there twice."""
    labels = sequence(getattr(owner, field), field, "names")
    seen: set[str] = set()
    for index, label_of_one in enumerate(labels):
        if not text(label_of_one, f"{field}[{index}]"):
            raise InputError("must not be empty", field=f"{field}[{index}]")
        if label_of_one in seen:
            raise InputError(f"names {shown(label_of_one)} twice", field=field)
        seen.add(label_of_one)
    object.__setattr__(owner, field, labels)


def expect(value: object, kind: type, field: str) -> None:
    """Refuse what is not of this class."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise refused(value, field, f"be {article} {kind.__name__}")


def sequence(values: Iterable[_Part], field: str, of: str) -> tuple[_Part, ...]:
    """Return the values of any sequence but a text."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise refused(values, field, f"be a sequence of {of}")
    return tuple(values)


def tuple_of(values: Iterable[_Part], kind: type[_Part], field: str) -> tuple[_Part, ...]:
    """Return the values of a sequence, having refused those of another class."""
    collected = sequence(values, field, f"{kind.__name__} objects")
    for index, value in enumerate(collected):
        expect(value, kind, f"{field}[{index}]")
    return collected


def number(value: object, field: str, *, low: float, high: float) -> int | float:
    """Return a finite number within [low, high]; one with an integral value becomes an ``int``."""
    converted = finite_or_not(value, field)
    if not math.isfinite(converted):
        raise InputError(f"must be a finite number, got {converted}", field=field)
    if not low <= converted <= high:
        raise refused(converted, field, f"be between {low:g} and {high:g}")
    return converted


def finite_or_not(value: object, field: str) -> int | float:
    """Return any real number, NaN and infinity included; an integral one becomes an ``int``."""
    if isinstance(value, (bool, str, bytes, complex)):
        raise refused(value, field, "be a number")
    if hasattr(value, "__index__"):
        # Larger ones would be infinite as floats.
        return integer(value, field, low=-MAX_PLAIN_INTEGER, high=MAX_PLAIN_INTEGER)
    if not hasattr(value, "__float__"):
        raise refused(value, field, "be a number")
    try:
        real = float(value)
    except (OverflowError, ValueError, TypeError) as error:
        raise refused(value, field, "be a number") from error
    # Beyond 2**53 a float's integral value is an accident of its format.
    if real.is_integer() and abs(real) <= 2**53:
        return int(real)
    return real


def text(value: object, field: str, *, max_characters: int = MAX_NAME_CHARACTERS) -> str:
    """Return a label that every file format can carry: one line, printable, no outer blanks."""
    if not isinstance(value, str):
        raise refused(value, field, "be text")
    if len(value) > max_characters:
        raise refused(len(value), field, f"have at most {max_characters} characters")
    if not value.translate(_WITHOUT_JOINERS).isprintable():
        raise refused(value, field, "not contain line breaks or control characters")
    if value != value.strip():
        raise refused(value, field, "not begin or end with a blank")
    return value


def boolean(value: object, field: str) -> bool:
    """Return ``value`` if it is true or false, and nothing that merely counts as such."""
    if not isinstance(value, bool):
        raise refused(value, field, "be true or false")
    return value


def choice(value: object, field: str, choices: tuple[str, ...]) -> str:
    """Return ``value`` if it is one of ``choices``."""
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(f'"{one}"' for one in choices)
    raise refused(value, field, f"be one of {listed}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean "..."?`` for the nearest known word, or nothing.

    Words are near whatever their case, accents and blanks: MME LEROY means Mme Leroy.
    """
    # A short prefix is enough, and keeps a hostile, endless word cheap.
    candidates = {_bare(one): one for one in known if is_plain(one)}
    near = difflib.get_close_matches(
        _bare(word[:MAX_SHOWN_CHARACTERS]), candidates, n=1, cutoff=0.6
    )
    return f'; did you mean "{candidates[near[0]]}"?' if near else ""


def _bare(word: str) -> str:
    """Return a word without case, accents and superfluous blanks."""
    decomposed = unicodedata.normalize("NFKD", word)
    letters = "".join(one for one in decomposed if not unicodedata.combining(one))
    return " ".join(letters.casefold().split())


def label(value: object) -> str:
    """Return a key of unknown origin, fit to be the field of a message."""
    return value if isinstance(value, str) and is_plain(value) else shown(value)


def is_plain(word: str) -> bool:
    """Return whether a message can quote a word as it is."""
    return 0 < len(word) <= MAX_SHOWN_CHARACTERS and word.isprintable()
