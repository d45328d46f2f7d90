"""The network in torch and its training: symmetric, repeatable, and fit for the core."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from query_sets import make_small_dataset  # noqa: E402
