"""The verdict on a solution."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, localcontext
from itertools import chain

from tailgate.model.instance import Instance
from tailgate.model.judge.case import Case
from tailgate.model.judge.claims import check_claims
from tailgate.model.judge.demands import check_demands
from tailgate.model.judge.loading import check_loading
from tailgate.model.judge.statements import check_statements
from tailgate.model.judge.tour import check_tour
from tailgate.model.judge.violation import Violation
from tailgate.model.solution import Solution

# Fifty digits, of roots and angles; the rest is fractions.
_ARITHMETIC = Context(prec=50)


def verify(instance: Instance, solution: Solution) -> list[Violation]:
    """Return every violation; an empty list says that nothing stated is wrong.

    That holds of a file without a plan, too: look at its status. The rules are those that the
    solution states (``solution.conventions``), not the instance's.

    Parameters
    ----------
    instance : Instance
        The problem.
    solution : Solution
        What is claimed about it, with the conventions under which it is judged.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> solution = tailgate.solve(instance).solution
    >>> tailgate.verify(instance, solution)
    []
    """
    # The caller's own settings for decimals must not sway the verdict.
    with localcontext(_ARITHMETIC):
        return list(_violations(Case(instance, solution)))


def _violations(case: Case) -> Iterator[Violation]:
    yield from check_claims(case)
    for index, route in enumerate(case.solution.routes, start=1):
        findings = chain(
            check_tour(case, route),
            check_demands(case, route),
            check_statements(case, route),
            check_loading(case, route),
        )
        for kind, message, customer in findings:
            yield Violation(kind, message, index, customer)
