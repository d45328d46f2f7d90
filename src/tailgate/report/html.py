"""HTML from Python calls, in which nothing that is not HTML already can slip in unescaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

import tailgate
from tailgate.report.svg_text import escaped

_VOID = frozenset({"br", "hr", "input", "meta"})


class Html(str):
    """Text that is HTML. Any other text is escaped where it becomes part of an element."""

    __slots__ = ()


NOTHING = Html("")


def tag(name: str, /, *children: str, **attributes: str | int | bool) -> Html:
    """Return an element. ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``.

    An attribute that is ``True`` stands alone, one that is ``False`` is left out.
    """
    stated = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{stated}>")
    return Html(f"<{name}{stated}>{joined(children)}</{name}>")


def joined(parts: Iterable[str]) -> Html:
    """Return the parts as one piece of HTML."""
    return Html("".join(part if isinstance(part, Html) else escaped(part) for part in parts))


def _attribute(key: str, value: str | int | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; numbers stand on the right, and names keep room for whole words."""

    title: str
    is_number: bool = False
    is_name: bool = False


def numbers(*titles: str) -> list[Column]:
    """Return columns of numbers."""
    return [Column(title, is_number=True) for title in titles]


Rows = Iterable[Sequence[str]]


def table(caption: str, columns: Sequence[Column], rows: Rows, *, class_: str = "") -> Html:
    """Return a table whose first column with a title names each row for a screen reader."""
    return _table(caption, columns, [_body(columns, rows)], class_)


def grouped_table(
    caption: str, columns: Sequence[Column], groups: Iterable[tuple[str, Rows]], *, class_: str = ""
) -> Html:
    """Return a table in parts, each below a heading of its own."""
    bodies = (
        _body(columns, rows, tag("tr", tag("th", heading, colspan=len(columns), scope="rowgroup")))
        for heading, rows in groups
    )
    return _table(caption, columns, bodies, class_)


def _table(caption: str, columns: Sequence[Column], bodies: Iterable[Html], class_: str) -> Html:
    heads = (
        tag("th", column.title, scope="col", class_=_cell_class(column))
        if column.title
        else tag("td")
        for column in columns
    )
    head = tag("thead", tag("tr", *heads))
    return tag("table", tag("caption", caption), head, *bodies, class_=class_ or False)


def _body(columns: Sequence[Column], rows: Rows, heading: Html = NOTHING) -> Html:
    named_by = next((index for index, column in enumerate(columns) if column.title), 0)
    return tag("tbody", heading, *(_row(columns, row, named_by) for row in rows))


def _row(columns: Sequence[Column], row: Sequence[str], named_by: int) -> Html:
    cells = (
        tag("th", cell, scope="row", class_=_cell_class(column))
        if index == named_by
        else tag("td", cell, class_=_cell_class(column))
        for index, (column, cell) in enumerate(zip(columns, row, strict=True))
    )
    return joined(("\n", tag("tr", *cells)))


def _cell_class(column: Column) -> str | bool:
    if column.is_name:
        return "name"
    return "number" if column.is_number else False


def document(
    title: str, *body: str, style: str, script: str = "", color_scheme: str = "light"
) -> str:
    """Return a page that needs nothing from outside, and would not be given it.

    The policy lets no script run but this one, whatever might stand in a name.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed = f"script-src 'sha256-{digest}'" if script else "script-src 'none'"
    policy = f"default-src 'none'; style-src 'unsafe-inline'; {allowed}; base-uri 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content=color_scheme),
        tag("meta", name="generator", content=f"Tailgate {tailgate.__version__}"),
        tag("title", title),
        tag("style", Html(style)),
    )
    scripts = [tag("script", Html(script))] if script else []
    content = tag("body", *body, *scripts)
    return f"<!doctype html>\n{tag('html', head, content, lang='en')}\n"


def packaged_text(name: str) -> str:
    """Return a style sheet or script that ships with the package."""
    return (resources.files("tailgate.report") / name).read_text(encoding="utf-8")
