"""Names of every script, through every command: none is changed, lost or taken for markup."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.research.generate import generate_instance
from tailgate.solver.loading import read

NAMES = (
    "Bäckerei 🥐👩\N{ZERO WIDTH JOINER}🍳",  # an emoji joined of several
    "מאפיית השכונה",  # from right to left
    "نان\N{ZERO WIDTH NON-JOINER}وایی ١٢",  # with a joiner and digits of its own
    "Cafe\N{COMBINING ACUTE ACCENT}, Zoe\N{COMBINING DIAERESIS}",  # combining, with a comma
    "面包店-1",  # wide, with a hyphen as in a route
    "<b>&amp;\"'</b>]]>",  # markup
    "x" * 200,  # the longest that is allowed
)


def named() -> Instance:
    """Return seven customers with these names."""
    instance = generate_instance(7, 2, seed=15)
    customers = zip(instance.customers, NAMES, strict=True)
    return replace(
        instance,
        name="Tour 🚚 ירושלים",
        customers=tuple(replace(customer, name=name) for customer, name in customers),
    )


@pytest.mark.parametrize("file", ["ein Tag 🚚.json", "orders", "day.xlsx"])
def test_names_go_through_every_command(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read, solve, verify, show, pack; in files whose own names are strange, too."""
    instance, folder = named(), tmp_path / "מסלולים 🗺"
    folder.mkdir()
    path, plan = str(folder / file), str(folder / "plan é.json")
    write(instance, path)
    assert [customer.name for customer in read(path).customers] == list(NAMES)
    assert main(["solve", path, "--out", plan, "--report", str(folder / "r.html")]) == 0
    told = capsys.readouterr().out
    assert NAMES[2] in told
    assert main(["verify", path, plan]) == 0
    shown = folder / "show"
    assert main(["show", path, plan, "--out", str(shown), "--format", "svg,csv"]) == 0
    for picture in shown.glob("*.svg"):
        ElementTree.parse(picture)
    sheets = (shown / "sheets.html").read_text(encoding="utf-8")
    assert "🥐" in sheets
    assert "<b>&amp;" not in sheets
    assert "&lt;b&gt;&amp;amp;" in sheets
    capsys.readouterr()
    assert main(["pack", path, "--route", f"{NAMES[1]},{NAMES[4]}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] in ("feasible", "infeasible")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 201, "at most 200 characters"),
        ("half \ud800", "control characters"),
        ("line\nbreak", "line breaks"),
        ("\0", "control characters"),
        ("seemingly \N{RIGHT-TO-LEFT OVERRIDE}reversed", "control characters"),
    ],
)
def test_names_that_no_file_can_carry_are_refused_at_once(name: str, words: str) -> None:
    """Rather than by the program that reads the plan."""
    with pytest.raises(InputError, match=words):
        replace(named().customers[0], name=name)
