"""The files of ``tailgate solve``: checked at once, so that none is lost and all can be written."""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.apps.cli.leaving_out import leaves_out_any
from tailgate.apps.cli.output import print_note
from tailgate.apps.cli.output_file import check_file, check_report_file
from tailgate.apps.cli.standard_streams import (
    INSTANCE_MARK,
    is_standard_stream,
    refuse_both,
    refuse_json_and_output,
    refuse_standard_stream,
)
from tailgate.io import read_solution, write_json
from tailgate.io.text_file import cannot_be_written, read_text, source_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.search.checkpoint_codec import is_checkpoint


def check_files(arguments: argparse.Namespace, checkpoint: Path | None) -> None:
    """Refuse, before any work is done, what could not be read or would destroy something."""
    out: Path | None = arguments.out
    refuse_both(arguments.instance, arguments.warm_start, "--warm-start")
    if is_standard_stream(out):
        refuse_json_and_output(json=arguments.json)
        out = None
    resume: Path | None = arguments.resume
    refuse_standard_stream(arguments.checkpoint, "--checkpoint")
    refuse_standard_stream(resume, "--resume")
    if arguments.leave_out and checkpoint is not None:
        raise InputError(
            "is for one search, and --leave-out takes two; do without one of the two options",
            field="--checkpoint" if resume is None else "--resume",
        )
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
    _refuse_instance(out, arguments, "is the instance")
    check_file(out, "a solution", _is_solution)
    if leaves_out_any(arguments):
        orders = orders_path(out)
        _refuse_instance(orders, arguments, f"{orders} is written beside it, and is the instance")
        check_file(orders, "orders of Tailgate", _is_instance)


def _refuse_instance(target: Path, arguments: argparse.Namespace, problem: str) -> None:
    """Refuse to overwrite the orders that are solved, or that a plan to keep was made for."""
    for given in (arguments.instance, arguments.keep_orders):
        source = None if given is None else Path(given)
        if source and source.exists() and target.exists() and target.samefile(source):
            raise InputError(f"{problem}; choose another file", field="--out")


def orders_path(out: Path) -> Path:
    """Return where the orders go in which everything may be left out."""
    return out.with_name(f"{out.stem}.orders.json")


def write_orders(instance: Instance, arguments: argparse.Namespace) -> None:
    """Write the orders of a plan that leaves out such as must be served.

    The judge would refuse it as a plan of the others.
    """
    if arguments.out is None:
        return
    if is_standard_stream(arguments.out):
        print_note(
            "the plan is one of orders in which all may be left out; with a file as --out these "
            "are written, too, for verify, show and compare"
        )
        return
    path = orders_path(arguments.out)
    write_json(instance, path)
    if not arguments.quiet:
        print_note(
            f"written: {path}: the orders, in which all may be left out; verify, show and compare "
            "the plan with these"
        )


def refuse_to_overwrite(target: Path, *, resume: Path | None = None) -> None:
    """Refuse a path at which something else would be lost; the one that is resumed is replaced."""
    try:
        exists = target.is_file() and target.stat().st_size > 0
        is_resumed = exists and resume is not None and resume.exists() and target.samefile(resume)
        check_file(target, "a checkpoint", lambda path: is_resumed or is_checkpoint(path))
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise cannot_be_written(target, error) from error
    if exists and not is_resumed:
        raise InputError(
            "holds a search already; go on with it by --resume, delete it, or name another file",
            source=source_text(target),
        )


def _is_instance(path: Path) -> bool:
    return INSTANCE_MARK in read_text(path)


def _is_solution(path: Path) -> bool:
    try:
        read_solution(path)
    except InputError:
        return False
    return True
