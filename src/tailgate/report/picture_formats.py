"""Pictures in other formats than SVG, with the extra ``pictures``."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Literal

from tailgate.errors import InputError

PictureFormat = Literal["png", "pdf"]

_REMEDY = "PNG and PDF need the extra `pictures`: pip install 'tailgate[pictures]'"
# Enough for letters of 6 points on paper.
_PNG_SCALE = 2.0


def converted(svg: str, picture_format: PictureFormat) -> bytes:
    """Return a picture as PNG or PDF."""
    cairosvg = load_converter()
    document = svg.encode("utf-8")
    if picture_format == "png":
        content: bytes = cairosvg.svg2png(bytestring=document, scale=_PNG_SCALE)
    else:
        content = cairosvg.svg2pdf(bytestring=document)
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
