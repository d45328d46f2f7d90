"""How results show themselves in a notebook, and become pandas tables.

Pictures and tables are made by ``tailgate.report``, which stands above all that is shown. So it is
looked up by name when it is needed, and nothing here depends on it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


class InNotebooks:
    """Something that a notebook shows as HTML, and that has tables."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows (Jupyter calls this)."""
        html: str = importlib.import_module("tailgate.report.notebook_html").html_of(self)
        return html

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """Return a table of this as a ``pandas.DataFrame``, in the units of the file.

        Without a name the first of its tables; a name that it has not is refused with a list of
        those it has. Needs the extra ``pandas``.
        """
        module = importlib.import_module("tailgate.report.pandas_tables")
        frame: pd.DataFrame = module.table_of(self, table)
        return frame
