"""The documentation as a site: ``make docs`` builds it with Sphinx, from the pages as they are."""

from importlib.metadata import version as installed_version

from pygments.lexers import TextLexer
from sphinx.application import Sphinx

project = "Tailgate"
author = "The Tailgate developers"
copyright = "the Tailgate developers, MIT licence"
version = release = installed_version("tailgate")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
root_doc = "index"
# Tables of experiments, each a file: the pages beside them show them.
exclude_patterns = ["results/*/[a-z]*.md"]

# Links such as formats.md#solutions work on the site as they do in the repository.
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": False}

html_theme = "furo"
html_title = f"Tailgate {release}"
html_show_sourcelink = False
html_copy_source = False
# Code without a language is a command or a picture in letters.
highlight_language = "none"


def setup(app: Sphinx) -> None:
    """Show CSV as it is: nobody colours it."""
    app.add_lexer("csv", TextLexer)
