"""Routes as people write them: 3-7-12, or names with commas between them."""

from __future__ import annotations

import csv

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.validation import did_you_mean

_SHOWN_CHARACTERS = 60


class RouteReader:
    """Reads routes for one instance."""

    def __init__(self, instance: Instance) -> None:
        """Learn the customers' names."""
        self._count = instance.n
        self._numbers = {instance.label(number): number for number in range(1, instance.n + 1)}
        # Where names are numbers themselves, 7 means the customer called 7 and never the seventh.
        self._names_are_numbers = any(customer.name.isdecimal() for customer in instance.customers)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the customers' numbers in visiting order."""
        words = self._split(text)
        self._refuse_a_misspelt_name(text.strip(), words)
        route: list[int] = []
        for word in words:
            number = self._number(word)
            if number in route:
                raise _refused(
                    f"customer {_shown(word)} stands twice in the route; a truck visits each "
                    "customer once"
                )
            route.append(number)
        return tuple(route)

    def _split(self, text: str) -> list[str]:
        whole = text.strip()
        if not whole:
            raise _refused("is empty; write customers as 3-7-12 or as names with commas between")
        if whole in self._numbers:
            words = [whole]
        elif "," in whole or whole.startswith('"'):
            words = [word.strip() for word in _split_at_commas(whole)]
        else:
            words = [word.strip() for word in whole.split("-")]
        if "" in words:
            raise _refused(
                f"{_shown(whole)} has a separator with no customer beside it; write 3-7-12, or "
                "names with commas between"
            )
        return words

    def _refuse_a_misspelt_name(self, whole: str, words: list[str]) -> None:
        """Complain about Hotel-Nort as one name: its parts alone would be no customers, either."""
        has_hyphens = len(words) > 1 and "," not in whole and not whole.startswith('"')
        any_known = any(word in self._numbers or word.isdecimal() for word in words)
        if has_hyphens and not any_known and did_you_mean(whole, self._numbers):
            raise self._unknown(whole)

    def _number(self, word: str) -> int:
        if word in self._numbers:
            return self._numbers[word]
        if word.isascii() and word.isdecimal() and not self._names_are_numbers:
            # A number of endless digits is compared by its length, for int() may refuse it.
            digits = word.lstrip("0") or "0"
            if len(digits) <= len(str(self._count)) and 1 <= int(digits) <= self._count:
                return int(digits)
            if digits == "0":
                raise _refused("0 is the depot, where every route begins and ends; leave it out")
            numbers = f"customers are numbered 1 to {self._count}"
            raise _refused(f"there is no customer {_shown(word)}; {numbers}")
        raise self._unknown(word)

    def _unknown(self, word: str) -> InputError:
        hint = did_you_mean(word, self._numbers)
        remedy = hint or "; write customers as they are called in the instance, with commas between"
        return _refused(f"there is no customer {_shown(word)}{remedy}")


def _split_at_commas(text: str) -> list[str]:
    """Split as in a CSV row, so that a name with a comma in it can stand in quotes."""
    try:
        return next(csv.reader([text], strict=True, skipinitialspace=True))
    except csv.Error:
        # Quotes that are part of a name.
        return text.split(",")


def _refused(problem: str) -> InputError:
    return InputError(problem, field="route")


def _shown(word: str) -> str:
    return repr(word if len(word) <= _SHOWN_CHARACTERS else word[: _SHOWN_CHARACTERS - 3] + "...")
