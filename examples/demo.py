"""A first look at Tailgate: make an instance, load its trucks, have the plan judged, draw it.

Run it with ``make demo``, or ``python examples/demo.py --out FOLDER``.
"""

from __future__ import annotations

import argparse
import sys
import time
from html import escape
from importlib.metadata import version
from pathlib import Path

from tailgate.formats import write_json
from tailgate.generate import build_proven_routes, generate_instance
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.report import loading_plan_svg
from tailgate.solution import Route, Solution, write_solution
from tailgate.verify import verify

_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 "Helvetica Neue", Arial, sans-serif; color: #1f2933; background: #f5f7fa;
         max-width: 1260px; margin: 2rem auto; padding: 0 1rem; }}
  figure {{ background: white; border: 1px solid #cbd2d9; border-radius: 8px; margin: 0 0 2rem; }}
  svg {{ display: block; width: 100%; height: auto; }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
{figures}
</html>
"""


def main() -> int:
    """Run the demo and say where to look."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=Path("build", "demo"), help="folder to fill")
    parser.add_argument("--customers", type=int, default=22)
    parser.add_argument("--class", dest="packing_class", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    # A semi-trailer in millimetres, to show that lengths may be of any size.
    instance = generate_instance(
        arguments.customers,
        arguments.packing_class,
        distribution="clustered",
        width=2450,
        length=13600,
        capacity=24000,
        seed=arguments.seed,
    )
    write_json(instance, arguments.out / "instance.json")
    print(f"made    {instance!r}")

    started = time.perf_counter()
    routes = load_trucks(instance, arguments.seed)
    solution = as_solution(instance, routes, arguments.seed, time.perf_counter() - started)
    write_solution(solution, arguments.out / "solution.json")

    violations = verify(instance, solution)
    for violation in violations:
        print(f"violated: {violation.kind}: {violation.message}", file=sys.stderr)
    print(
        f"judged  {'valid' if not violations else 'INVALID'}: {len(routes)} routes, "
        f"cost {solution.objective}"
    )

    draw(instance, routes, arguments.out)
    print(f"drawn   open {arguments.out / 'index.html'} in a browser")
    return 4 if violations else 0


def load_trucks(instance: Instance, seed: int) -> list[Route]:
    """Find routes whose loading is proven, and ask for the plan of each."""
    plan = build_proven_routes(instance, seed=seed, enough=instance.vehicle_count)
    if plan is None or len(plan) != instance.vehicle_count:
        raise SystemExit("no plan for the whole fleet was found; try another seed")
    oracle = LoadingOracle(instance)
    routes = []
    print("truck  stops  items  floor used   verdict   decided by          seconds")
    for truck, customers in enumerate(plan, start=1):
        result = oracle.check(customers)
        area = sum(instance.customer(number).area for number in customers)
        print(
            f"{truck:5}  {len(customers):5}  {len(result.placements):5}"
            f"  {100 * area / instance.vehicle.area:8.1f} %  {result.verdict.value:>8}"
            f"   {result.decided_by:<18} {result.seconds:8.6f}"
        )
        routes.append(
            Route(
                customers=customers,
                cost=instance.route_cost(customers),
                weight=sum(instance.customer(number).weight for number in customers),
                area=area,
                placements=result.placements,
            )
        )
    return routes


def as_solution(instance: Instance, routes: list[Route], seed: int, seconds: float) -> Solution:
    """State what the routes are: a feasible plan, with no bound on how much better one could be."""
    return Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=sum(route.cost for route in routes),
        lower_bound=None,
        gap=None,
        routes=tuple(routes),
        solver={"version": version("tailgate"), "seed": seed, "options": {}, "seconds": seconds},
        units=instance.units,
    )


def draw(instance: Instance, routes: list[Route], folder: Path) -> None:
    """Write one picture per truck and a page with all of them."""
    figures = []
    for truck, route in enumerate(routes, start=1):
        picture = loading_plan_svg(
            instance,
            route,
            title=f"Truck {truck} of {len(routes)}",
            id_prefix=f"truck-{truck}",
        )
        (folder / f"truck-{truck}.svg").write_text(picture, encoding="utf-8")
        figures.append(f"<figure>\n{picture}</figure>")
    page = _PAGE.format(
        title=escape(f"Tailgate demo: {instance.name}"),
        summary=escape(
            f"{instance.n} customers, {len(routes)} trucks. Every stop's goods leave straight "
            "through the door. Hover over an item to read more."
        ),
        figures="\n".join(figures),
    )
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
