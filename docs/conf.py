"""The documentation as a site: ``make docs`` builds it with Sphinx, from the pages as they are."""

import inspect
from enum import Enum
from importlib.metadata import version as installed_version

from pygments.lexers import TextLexer
from sphinx.application import Sphinx

project = "Tailgate"
author = "The Tailgate developers"
copyright = "the Tailgate developers, MIT licence"
version = release = installed_version("tailgate")

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
source_suffix = {".md": "markdown"}
root_doc = "index"
# Tables of experiments, each a file: the pages beside them show them.
exclude_patterns = ["results/*/[a-z]*.md", "results/*/*/[a-z]*.md"]

# Links such as formats.md#solutions work on the site as they do in the repository.
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": False}

# A warning, and so a failure, where a public name has no summary (SS), or where its parameters are
# undocumented, unknown, in another order or not typed in numpydoc's style (PR).
numpydoc_validation_checks = {"GL08", "SS01", "PR01", "PR02", "PR03", "PR04", "PR07", "PR10"}
numpydoc_show_class_members = False
# Its parameters are those of the module enum.
numpydoc_validation_exclude = {r"\.Verdict$"}
autosummary_generate = False

html_theme = "furo"
html_title = f"Tailgate {release}"
html_show_sourcelink = False
html_copy_source = False
# Code without a language is a command or a picture in letters.
highlight_language = "none"


def is_field(_app: Sphinx, what: str, _name: str, member: object, *_: object) -> bool | None:
    """Let autodoc skip the fields of a dataclass: they are the parameters of its class."""
    is_shown = inspect.isroutine(member) or isinstance(member, (property, classmethod, Enum))
    return True if what == "class" and not is_shown else None


def setup(app: Sphinx) -> None:
    """Show CSV as it is: nobody colours it."""
    app.add_lexer("csv", TextLexer)
    app.connect("autodoc-skip-member", is_field)
