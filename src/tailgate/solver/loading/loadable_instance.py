"""Reading an instance whose every customer fits into a truck.

Files are read by ``tailgate.io``, which knows nothing of loading. Here a customer whose own items
fit into no truck is refused, with the place in the file.
"""

from __future__ import annotations

from typing import Unpack

from tailgate.io import read_draft, read_text_draft
from tailgate.io.draft import ParsedDraft
from tailgate.model.aliases import PathLike
from tailgate.model.conventions import ConventionOverrides
from tailgate.model.instance import Instance
from tailgate.solver.loading.oracle import find_unloadable_customer, may_fit_turned


def read(
    path: PathLike,
    *,
    check_loading: bool = True,
    all_optional: bool = False,
    **overrides: Unpack[ConventionOverrides],
) -> Instance:
    """Read an instance of any format: a CSV folder, a workbook, JSON, or else benchmark text.

    Parameters
    ----------
    path : str or path-like
        The file or folder. Its content decides the format.
    check_loading : bool
        Refuse a customer whose own items cannot be loaded into an empty vehicle.
    all_optional : bool
        Let every order be left out, those without a cost of it for nothing; so an order that fits
        no vehicle is not refused.
    **overrides : str or bool
        Conventions (``distance``, ``fleet``, ``single_customer_routes``, ``lifo``, ``turn``) that
        go before those of the file or of its format.

    Examples
    --------
    >>> import tailgate
    >>> tailgate.read("examples/garden_centres", fleet="exactly").n
    10
    >>> tailgate.read("examples/garden_centres", turn="all").has_turning
    True
    """
    parsed = read_draft(path, **overrides)
    return _instance(parsed, check_loading=check_loading, all_optional=all_optional)


def read_text_instance(
    text: str,
    source: str,
    name: str,
    *,
    check_loading: bool = True,
    all_optional: bool = False,
    **overrides: Unpack[ConventionOverrides],
) -> Instance:
    """Read an instance that is not in a file: JSON, or else benchmark text.

    Parameters
    ----------
    text : str
        JSON or benchmark text.
    source : str
        What errors call it.
    name : str
        The name of an instance that has none.
    check_loading : bool
        Refuse a customer whose own items cannot be loaded into an empty vehicle.
    all_optional : bool
        Let every order be left out, those without a cost of it for nothing; so an order that fits
        no vehicle is not refused.
    **overrides : str or bool
        Conventions, as in ``read``.
    """
    parsed = read_text_draft(text, source, name, **overrides)
    return _instance(parsed, check_loading=check_loading, all_optional=all_optional)


def _instance(parsed: ParsedDraft, *, check_loading: bool, all_optional: bool) -> Instance:
    if all_optional:
        parsed.let_all_be_left_out()
    instance = parsed.to_instance()
    number = find_unloadable_customer(instance) if check_loading else None
    if number is not None:
        may_help = may_fit_turned(instance, number)
        turned = ", or let its items be turned (turn: yes)" if may_help else ""
        raise parsed.locate(f"customers[{number - 1}].items").error(
            f"the items of customer {instance.label(number)} cannot be loaded together, "
            f"even alone in a vehicle; split the order between two customers{turned}"
        )
    return instance
