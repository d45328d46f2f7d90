"""The files of ``tailgate solve``: none may be lost, and what cannot be written is told at once."""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.cli.report_file import check_report_file
from tailgate.errors import InputError
from tailgate.search.checkpoint import refuse_to_overwrite
from tailgate.solution import read_solution
from tailgate.text_file import check_writable


def check_files(arguments: argparse.Namespace, checkpoint: Path | None) -> None:
    """Refuse, before any work is done, what could not be read or would destroy something."""
    out: Path | None = arguments.out
    resume: Path | None = arguments.resume
    if resume is not None and not resume.exists():
        raise InputError(
            f"{resume}: there is no such file, so nothing can be resumed; start with "
            f"--checkpoint {resume}",
            field="--resume",
        )
    if checkpoint is not None:
        refuse_to_overwrite(checkpoint, resume=resume)
    if arguments.report is not None:
        check_report_file(arguments.report)
    if out is None:
        return
    others = (("--checkpoint", checkpoint), ("--resume", resume), ("--report", arguments.report))
    for option, other in others:
        if other is not None and out.resolve() == other.resolve():
            raise InputError(f"is the file of {option}; choose another name", field="--out")
    _check_out(out, Path(arguments.instance))


def _check_out(out: Path, instance: Path) -> None:
    if out.is_dir():
        raise InputError("is a folder, not a file; name a file", source=str(out))
    if not out.parent.is_dir():
        raise InputError(
            f"cannot be written: the folder {out.parent} does not exist; make it first",
            source=str(out),
        )
    check_writable(out)
    if not out.exists():
        return
    if instance.exists() and out.samefile(instance):
        raise InputError("is the instance; choose another file", field="--out")
    if not out.is_file() or out.stat().st_size == 0:
        # A device takes what it is given, and in an empty file nothing is lost.
        return
    try:
        read_solution(out)
    except InputError as error:
        raise InputError(
            "exists, and is not a solution; it is left as it is: choose another file",
            source=str(out),
        ) from error
