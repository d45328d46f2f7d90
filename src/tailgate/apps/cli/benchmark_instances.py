"""``tailgate benchmark-instances``: how to obtain the published instances, and whether they are."""

from __future__ import annotations

import argparse
from pathlib import Path

from tailgate.apps.cli.arguments import Commands
from tailgate.apps.cli.exit_codes import ExitCode
from tailgate.apps.cli.output import counted, print_json
from tailgate.io.text_file import write_text
from tailgate.model.errors import InputError
from tailgate.research.experiments.published import FOLDER_VARIABLE, published_path
from tailgate.research.experiments.published_files import LIBRARY, Examination, checksums, examine

_HOW_TO = f"""\
The 180 instances of the 2L-CVRP (36 of them, in 5 packing classes) were made by Iori,
Salazar-Gonzalez and Vigo (2007) and Gendreau, Iori, Laporte and Martello (2008). Tailgate does not
ship them. To obtain them:

  1. Download the 2L-CVRP instances from the library of the operations research group of the
     University of Bologna: {LIBRARY}
     (files such as 2l_cvrp0102.txt: instance 01 in class 2)
  2. Check what you have, and bring it into one folder under the usual names:
     tailgate benchmark-instances DOWNLOADS --out 2l_cvrp
  3. Tell the experiments where they are: export {FOLDER_VARIABLE}=.../2l_cvrp

The paper's own figures, if you have them as a table, belong beside that folder, in
reference/ncg_paper_root_cg.csv (see docs/experiments.md)."""

_DESCRIPTION = f"""\
{_HOW_TO}

An instance is known by the checksum of its numbers: names of files, line ends and blanks do not
matter, and zip archives are looked into. What is missing or damaged is named."""

_EXAMPLES = """\
  tailgate benchmark-instances
  tailgate benchmark-instances downloads
  tailgate benchmark-instances downloads --out 2l_cvrp"""


def add_command(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add("benchmark-instances", run, description=_DESCRIPTION, examples=_EXAMPLES)
    words = "what you have downloaded; without it, only how to obtain it is printed"
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help=words)
    words = "write those that are right here, under their usual names and with uniform line ends"
    parser.add_argument("--out", type=Path, metavar="FOLDER", help=words)


def run(arguments: argparse.Namespace) -> ExitCode:
    """Say how to obtain the instances, or examine a folder."""
    if arguments.folder is None:
        if arguments.out is not None:
            raise InputError("needs a folder with the downloaded files", field="--out")
        if arguments.json:
            print_json({"library": LIBRARY, "instances": list(checksums())})
        else:
            print(_HOW_TO)
        return ExitCode.DONE
    examination = examine(arguments.folder)
    if arguments.out is not None:
        _write(examination, arguments.out)
    if arguments.json:
        print_json(
            {
                "found": list(examination.found),
                "missing": examination.missing,
                "damaged": [
                    {"file": one.file, "instance": one.name, "problem": one.problem}
                    for one in examination.damaged
                ],
                "others": list(examination.others),
            }
        )
    else:
        print(_text(examination, arguments.out, quiet=arguments.quiet))
    return ExitCode.VERIFICATION_FAILED if examination.missing else ExitCode.DONE


def _write(examination: Examination, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, text in examination.found.items():
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        write_text(published_path(out, name), "\n".join(lines) + "\n")


def _text(examination: Examination, out: Path | None, *, quiet: bool) -> str:
    found, missing = len(examination.found), examination.missing
    lines = [f"{found} of {len(checksums())} published instances are here and sound"]
    lines += [
        f"damaged: {one.file} (instance {one.name}): {one.problem}" for one in examination.damaged
    ]
    if missing:
        lines.append(f"missing: {', '.join(_ranges(missing))}")
    if quiet:
        return "\n".join(lines)
    if examination.others:
        lines.append(f"{counted(len(examination.others), 'other file')} left alone")
    if out is not None:
        lines.append(f"written: {counted(found, 'instance')} in {out}")
    if missing:
        lines += ["", _HOW_TO]
    elif out is not None:
        lines.append(f"now: export {FOLDER_VARIABLE}={out.resolve()}")
    return "\n".join(lines)


def _ranges(names: list[str]) -> list[str]:
    """Return names, and those of a whole class or of all classes of an instance together."""
    known = list(checksums())
    if len(names) == len(known):
        return ["all"]
    whole = [
        number
        for number in sorted({name[:2] for name in known})
        if all(name in names for name in known if name[:2] == number)
    ]
    single = [name for name in names if name[:2] not in whole]
    return [*(f"{number}01-{number}05" for number in whole), *single]
