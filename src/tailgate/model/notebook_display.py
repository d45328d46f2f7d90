"""How results show themselves in a notebook, and become pandas tables.

Pictures and tables are made by ``tailgate.report``, a layer above everything that is shown. The
package registers it here (``tailgate/__init__.py``), so that the model depends on nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pandas as pd


class Display(Protocol):
    """Draws an object of the model and makes its tables."""

    def html_of(self, shown: object) -> str:
        """Return what a notebook shows."""

    def table_of(self, shown: object, table: str | None) -> pd.DataFrame:
        """Return one of its tables."""


_load_display: Callable[[], Display]


def register_display(load: Callable[[], Display]) -> None:
    """Name who draws; it is loaded when something is shown for the first time.

    Parameters
    ----------
    load : callable
        Returns the display.
    """
    global _load_display
    _load_display = load


class NotebookDisplay:
    """Something that a notebook shows as HTML, and that has tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows (Jupyter calls this)."""
        return _load_display().html_of(self)

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Return a table of this as a ``pandas.DataFrame``, in the units of the file.

        Needs the extra ``pandas``.

        Parameters
        ----------
        table : str, optional
            The name of the table; without it the first. A name that does not exist is refused
            with a list of those that do.
        """
        return _load_display().table_of(self, table)
