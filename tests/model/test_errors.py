"""The errors that Tailgate raises on purpose, as people read them."""

from __future__ import annotations

from tailgate.model.errors import InputError


def test_a_name_that_cannot_be_printed_is_written_out() -> None:
    """A heading with a tab in it must not break the line of the message, nor hide the tab."""
    error = InputError("is not known", source="settings.csv", line=7, field="fle\tt\n")
    assert str(error) == "settings.csv:7: fle\\tt\\n: is not known"
    assert error.field == "fle\tt\n"
