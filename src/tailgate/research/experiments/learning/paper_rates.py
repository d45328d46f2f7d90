"""Rates to compare with, TPR and TNR in percent: the paper's table, and an early network."""

from __future__ import annotations

GROUPS = ("overall", "class 2", "class 3", "class 4")


def _by_group(*rates: tuple[float, float]) -> dict[str, tuple[float, float]]:
    return dict(zip(GROUPS, rates, strict=True))


# Xia and Zhang, A Neural Column Generation Approach to the VRP with Two-Dimensional Loading and
# LIFO Constraints (IJCAI 2024), table "Comparative results". By preset and group.
PAPER_RATES: dict[str, dict[str, tuple[float, float]]] = {
    "paper": _by_group((94.08, 96.80), (84.26, 97.33), (86.79, 95.83), (97.81, 88.81)),
    "paper-no-augmentation": _by_group(
        (92.84, 96.78), (81.54, 97.22), (83.07, 96.69), (97.47, 87.31)
    ),
    "paper-mlp": _by_group((91.44, 95.22), (77.56, 95.88), (80.76, 94.68), (96.43, 82.84)),
    "paper-positional": _by_group((92.48, 96.07), (81.70, 96.86), (81.65, 93.81), (95.40, 88.06)),
}

# The paper's network on queries of 90 generated instances, split by instance, trained for
# minutes, with one seed.
PROTOTYPE_RATES: dict[str, tuple[float, float]] = {
    "class 2": (82, 88),
    "class 3": (88, 91),
    "class 4": (97, 90),
}
