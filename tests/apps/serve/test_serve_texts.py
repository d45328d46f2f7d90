"""What the page says of a run in figures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tailgate.apps.serve.facts import cost_unit_of
from tailgate.apps.serve.job import Job, JobOptions
from tailgate.model.cost_unit import CostUnit

JOB = Job(1, "orders", 0.0, "{}", JobOptions(60), "done")


def texts_of(job: Job, unit: CostUnit) -> dict[str, str]:
    """Return the figures for people."""
    texts = job.to_dict(unit)["texts"]
    assert isinstance(texts, dict)
    return texts


@pytest.mark.parametrize(
    ("bound", "cost", "texts"),
    [
        (None, None, ("", "", "")),
        (0, None, ("", "", "")),
        (0, 10, ("", "10", "")),
        (451.3699999999999, 451.37, ("451.3699", "451.3700", "0.01 %")),
        (451.37, 451.36999999, ("451.3700", "451.3700", "0 %")),
        (0, 0, ("0", "0", "0 %")),
    ],
)
def test_figures_say_no_more_than_is_known(
    bound: Any, cost: Any, texts: tuple[str, str, str]
) -> None:
    """A bound of zero is none, unless the plan costs nothing, either; and no raw fractions."""
    job = replace(JOB, lower_bound=bound, objective=cost)
    found = texts_of(job, CostUnit())
    assert (found["lower_bound"], found["objective"], found["gap"]) == texts


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"units": {}}', '{"units": 3}'])
def test_orders_that_are_damaged_have_no_unit(text: str) -> None:
    """The list of runs must not break on one of them."""
    assert cost_unit_of(replace(JOB, instance_text=text)) == CostUnit()
