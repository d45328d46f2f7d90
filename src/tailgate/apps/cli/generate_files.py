"""Where ``tailgate generate`` writes instances, and in which format."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from tailgate.apps.cli.output_file import check_folder_of
from tailgate.apps.cli.standard_streams import is_standard_stream, refuse_json_and_output
from tailgate.io import benchmark_instance_text, json_instance_text, write_csv_folder
from tailgate.io.csv_folder import ALL_FILES
from tailgate.io.text_file import write_text
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance

_Format = Literal["json", "txt", "csv"]
_FORMAT_OF_SUFFIX: dict[str, _Format] = {".json": "json", ".txt": "txt", "": "csv"}

_FLEET_WORDS = {
    "kinds": "several kinds of vehicles",
    "optional": "customers that may be left out",
    "rules": "rules of customers",
}


class InstanceFiles:
    """The files of one call of the command, or its standard output."""

    def __init__(self, arguments: argparse.Namespace, overrides: ConventionOverrides) -> None:
        """Refuse options that contradict each other, or a path that leads nowhere."""
        self._arguments = arguments
        self._out: Path | None = arguments.out
        self.is_stream = is_standard_stream(self._out)
        """Whether one instance goes to the standard output."""
        if self.is_stream:
            self._check_stream()
        else:
            self._check_path()
        self._format = self._choose_format()
        if self._format == "txt":
            self._refuse_what_text_cannot_hold(overrides)

    def refuse_to_overwrite(self, names: list[str]) -> None:
        """Check all files before the first instance is made."""
        if self._arguments.force or self.is_stream:
            return
        for path in map(self._path, names):
            files = [path / name for name in ALL_FILES] if self._format == "csv" else [path]
            if any(file.exists() for file in files):
                raise InputError("exists already; overwrite it with --force", source=str(path))

    def text(self, instance: Instance) -> str:
        """Return the text of an instance, which has one unless it is a folder of tables."""
        if self._format == "txt":
            return benchmark_instance_text(instance, item_class=self._arguments.packing_class)
        return json_instance_text(instance)

    def write(self, instance: Instance) -> Path:
        """Write an instance, and return its file or folder."""
        path = self._path(instance.name)
        try:
            # The folder of all instances; the folder that it stands in was checked before.
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(
                f"the folder cannot be made: {error.strerror}", source=str(path.parent)
            ) from error
        if self._format == "csv":
            write_csv_folder(instance, path)
        else:
            write_text(path, self.text(instance))
        return path

    def _check_stream(self) -> None:
        refuse_json_and_output(json=self._arguments.json)
        if self._arguments.count > 1:
            raise InputError("the standard output takes one instance; name a folder", field="--out")
        if self._arguments.format == "csv":
            raise InputError("tables are several files; name a folder with --out", field="--format")

    def _check_path(self) -> None:
        out, asked = self._out, self._arguments.format
        if out is None or out.is_dir():
            return
        check_folder_of(out)
        by_suffix = _FORMAT_OF_SUFFIX.get(out.suffix.lower()) if out.suffix else None
        if by_suffix is not None and self._arguments.count > 1:
            raise InputError(
                f"is the folder for all instances where --count is given; leave out {out.suffix}, "
                f"and say --format {by_suffix}",
                field="--out",
            )
        if by_suffix is not None and asked not in (None, by_suffix):
            raise InputError(
                f"{asked} contradicts --out, which ends in {out.suffix}; leave out one of the two",
                field="--format",
            )

    def _choose_format(self) -> _Format:
        """Return the format that was asked for, else what the file's name says."""
        asked: _Format | None = self._arguments.format
        if asked is not None:
            return asked
        if self._out is None or self._arguments.count > 1 or self.is_stream:
            return "json"
        suffix = self._out.suffix.lower()
        if suffix not in _FORMAT_OF_SUFFIX:
            raise InputError(
                f"ends in {suffix}; choose .json, .txt, a folder without a dot, or say --format",
                field="--out",
            )
        return _FORMAT_OF_SUFFIX[suffix]

    def _refuse_what_text_cannot_hold(self, overrides: ConventionOverrides) -> None:
        refused = [
            *(["roads"] if self._arguments.roads else []),
            *(["time windows"] if self._arguments.time_windows else []),
            *(["kinds"] if (self._arguments.kinds or 1) > 1 else []),
            *(["optional"] if self._arguments.optional else []),
            *(["rules"] if self._arguments.rules else []),
            *overrides,
        ]
        if refused:
            what = "conventions" if refused[0] in overrides else refused[0]
            what = _FLEET_WORDS.get(what, what)
            raise InputError(
                f"benchmark text has no place for {what}; write .json or a CSV folder",
                field=f"--{refused[0].replace(' ', '-').replace('_', '-')}",
            )

    def _path(self, name: str) -> Path:
        is_file, out = self._format != "csv", self._out
        if out is not None and self._arguments.count == 1 and not (is_file and out.is_dir()):
            return out
        # A given name may hold what a file's name may not.
        file_name = "".join(one if one.isalnum() or one in "-._ " else "-" for one in name)
        return (out or Path()) / (f"{file_name}.{self._format}" if is_file else file_name)
