"""The JSON Schemas of instance and solution files, for programs that write or check them."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Literal

SchemaName = Literal["instance", "instance-2", "solution", "solution-2"]


def json_schema(name: SchemaName) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of instance or solution files.

    Parameters
    ----------
    name : {"instance", "instance-2", "solution", "solution-2"}
        Which files the schema describes; without a number they are those of format 1.

    Examples
    --------
    >>> from tailgate.io import json_schema
    >>> json_schema("instance")["required"]
    ['format', 'vehicle', 'depot', 'customers']
    """
    folder = resources.files("tailgate.io") / "schemas"
    text = (folder / f"{name}.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
