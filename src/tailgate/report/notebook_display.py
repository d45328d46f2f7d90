"""What a notebook shows of an object, and its tables: registered in ``tailgate/__init__.py``."""

from tailgate.report.notebook_html import html_of
from tailgate.report.pandas_tables import table_of

__all__ = ["html_of", "table_of"]
