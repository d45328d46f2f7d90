"""The JSON formats of instances; docs/formats.md describes them.

What format 1 can say is written in format 1, which older versions read.
"""

from __future__ import annotations

from pathlib import Path

from tailgate.io.draft import ParsedDraft
from tailgate.io.json_instance_1 import FORMAT_1, content_1, draft_format_1, model_path_1
from tailgate.io.json_parts import place_in
from tailgate.io.json_reader_2 import FORMAT_2, draft_format_2, model_path_2
from tailgate.io.json_writer_2 import content_2, matrix_file_text
from tailgate.io.text_file import MAX_FILE_BYTES, write_text, write_texts
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.instance import Instance
from tailgate.model.json_document import JsonDocument, JsonValue, format_json
from tailgate.model.validation import shown


def draft_json_text(
    text: str,
    source: str,
    file_name: str,
    overrides: ConventionOverrides,
    folder: Path | None = None,
) -> ParsedDraft:
    """Read the text of a JSON instance; ``source`` is what complaints call it.

    ``folder`` is where files are that it names; without it, it may name none.
    """
    document = JsonDocument(text, source)
    root = document.parse()
    if _format_of(root) == FORMAT_1:
        draft = draft_format_1(root, file_name, overrides)
        return ParsedDraft(draft, lambda path: place_in(document, model_path_1(path)))
    draft = draft_format_2(root, file_name, overrides, folder)
    return ParsedDraft(draft, lambda path: place_in(document, model_path_2(path)))


def _format_of(root: JsonValue) -> str:
    """Tell a file of another kind from an instance with a mistake in it."""
    stated = root.value.get("format") if isinstance(root.value, dict) else None
    if stated in (FORMAT_1, FORMAT_2):
        return str(stated)
    source = root.document.source or ""
    if isinstance(root.value, dict) and stated is None and Path(source).name == "vehicle.json":
        root.fail("this is part of a CSV folder; give the folder instead of the file")
    if isinstance(stated, str) and stated.startswith("tailgate-solution"):
        root.fail("this is a solution, not an instance", "format")
    known = f'"{FORMAT_1}" or "{FORMAT_2}"'
    if stated is None:
        root.fail(f'is not an instance: it must be an object with "format": {known}')
    root.fail(f"must be {known}, got {shown(stated)}", "format")


def write_json(instance: Instance, path: PathLike) -> None:
    """Write a JSON instance; reading it back gives the same numbers, names and conventions.

    Matrices that would make the file too large to be read are in a file beside it.
    """
    text = json_instance_text(instance)
    target = Path(path)
    if len(text) <= MAX_FILE_BYTES or instance.travel.metric != "matrix":
        write_text(path, text)
        return
    beside = f"{target.stem}.matrix.json"
    text = format_json(content_2(instance, beside)) + "\n"
    write_texts(target.parent, {target.name: text, beside: matrix_file_text(instance)})


def json_instance_text(instance: Instance) -> str:
    """Return the text of a JSON instance."""
    content = content_1(instance) if instance.is_format_1 else content_2(instance)
    return format_json(content) + "\n"
