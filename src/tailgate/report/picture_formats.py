"""Pictures as files: SVG, and with the extra ``pictures`` PNG and PDF."""

from __future__ import annotations

import importlib
from types import ModuleType

from tailgate.model.errors import InputError

PICTURE_FORMATS = ("svg", "png", "pdf")

_REMEDY = "PNG and PDF need the extra `pictures`: pip install 'tailgate[pictures]'"
# Enough for letters of 6 points on paper.
_PNG_SCALE = 2.0


def picture_bytes(svg: str, picture_format: str) -> bytes:
    """Return the file of a picture in one of the formats."""
    document = svg.encode("utf-8")
    if picture_format == "svg":
        return document
    if picture_format == "png":
        content: bytes = load_converter().svg2png(bytestring=document, scale=_PNG_SCALE)
    else:
        content = load_converter().svg2pdf(bytestring=document)
    return content


def load_converter() -> ModuleType:
    """Return the library that converts, or say how to get it."""
    try:
        return importlib.import_module("cairosvg")
    except ImportError as error:
        raise InputError(_REMEDY) from error
    except OSError as error:
        # The Python package is there; what it stands on is not.
        raise InputError(
            f"{_REMEDY}, and the system library cairo, which was not found (on Debian: apt-get "
            "install libcairo2; on macOS: brew install cairo)"
        ) from error
