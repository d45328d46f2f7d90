"""Comparing screenshots with expected ones, but for what another font or version would change."""

from __future__ import annotations

import io
import os
from pathlib import Path

from PIL import Image, ImageChops

FOLDER = Path(__file__).parents[1] / "apps" / "browser" / "expected"

# Expected screenshots are kept small: single letters blur, layout and colours stay.
_REDUCTION = 4
# Blurred once more before they are compared, so that a line that is half a pixel off is none.
_BLUR = 4
_LARGEST_MEAN = 4.0
# Of the channel that differs most: a missing item is pale, but not grey.
_LARGE_DIFFERENCE = 30
_LARGEST_SHARE = 0.015


def differences(screenshot: bytes, name: str) -> str:
    """Return how a screenshot differs from the expected one of that name, or nothing.

    With the environment variable ``UPDATE_SCREENSHOTS`` set it becomes the expected one.
    """
    taken = reduced(screenshot)
    path = FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_SCREENSHOTS"):
        FOLDER.mkdir(exist_ok=True)
        taken.save(path, optimize=True)
    with Image.open(path) as expected:
        return compare(taken, expected.convert("RGB"))


def reduced(screenshot: bytes) -> Image.Image:
    """Return a screenshot at the size at which expected ones are kept."""
    with Image.open(io.BytesIO(screenshot)) as image:
        return image.convert("RGB").reduce(_REDUCTION)


def compare(one: Image.Image, other: Image.Image) -> str:
    """Return in which way two pictures differ more than they may, or nothing."""
    if abs(one.height - other.height) > 3 or abs(one.width - other.width) > 3:
        return f"the size is {one.size}, expected {other.size}"
    size = min(one.width, other.width), min(one.height, other.height)
    blurred = (picture.crop((0, 0, *size)).reduce(_BLUR) for picture in (one, other))
    red, green, blue = ImageChops.difference(*blurred).split()
    counts = ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()
    pixels = sum(counts)
    mean = sum(value * count for value, count in enumerate(counts)) / pixels
    share = sum(counts[_LARGE_DIFFERENCE:]) / pixels
    if mean > _LARGEST_MEAN or share > _LARGEST_SHARE:
        return f"the mean difference is {mean:.1f} of 255, and {share:.1%} of it differs much"
    return ""
