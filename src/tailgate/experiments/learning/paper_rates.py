"""Rates to compare with, TPR and TNR in percent: the paper's table, and an early network."""

from __future__ import annotations

# Xia and Zhang, A Neural Column Generation Approach to the VRP with Two-Dimensional Loading and
# LIFO Constraints (IJCAI 2024), table "Comparative results". By preset and group.
PAPER_RATES: dict[str, dict[str, tuple[float, float]]] = {
    "paper": {
        "overall": (94.08, 96.80),
        "class 2": (84.26, 97.33),
        "class 3": (86.79, 95.83),
        "class 4": (97.81, 88.81),
    },
    "paper-no-augmentation": {
        "overall": (92.84, 96.78),
        "class 2": (81.54, 97.22),
        "class 3": (83.07, 96.69),
        "class 4": (97.47, 87.31),
    },
    "paper-mlp": {
        "overall": (91.44, 95.22),
        "class 2": (77.56, 95.88),
        "class 3": (80.76, 94.68),
        "class 4": (96.43, 82.84),
    },
    "paper-positional": {
        "overall": (92.48, 96.07),
        "class 2": (81.70, 96.86),
        "class 3": (81.65, 93.81),
        "class 4": (95.40, 88.06),
    },
}

# The paper's network on questions of 90 generated instances, split by instance, trained for
# minutes, with one seed.
PROTOTYPE_RATES: dict[str, tuple[float, float]] = {
    "class 2": (82, 88),
    "class 3": (88, 91),
    "class 4": (97, 90),
}
