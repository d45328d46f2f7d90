"""Random instances after the paper's appendix "Data Sets"; see docs/generator.md."""

from tailgate.research.generate.customers import DISTRIBUTIONS, Distribution
from tailgate.research.generate.fleet_options import FleetOptions
from tailgate.research.generate.generator import (
    PACKING_CLASS_NUMBERS,
    default_name,
    generate_instance,
)
from tailgate.research.generate.road_options import RoadOptions
from tailgate.research.generate.routes import build_proven_routes

__all__ = [
    "DISTRIBUTIONS",
    "PACKING_CLASS_NUMBERS",
    "Distribution",
    "FleetOptions",
    "RoadOptions",
    "build_proven_routes",
    "default_name",
    "generate_instance",
]
