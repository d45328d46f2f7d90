"""A first look at Tailgate: make an instance, solve it, have the plan judged, draw it.

Run it with ``make demo``, or ``python examples/demo.py --out FOLDER``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import tailgate
from tailgate.report import html_report, loading_plan_svg, sheets_html


def main() -> int:
    """Run the demo and say where to look."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=Path("build", "demo"), help="folder to fill")
    parser.add_argument("--customers", type=int, default=22)
    parser.add_argument("--class", dest="packing_class", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    # A semi-trailer in millimetres, to show that lengths may be of any size.
    instance = tailgate.generate_instance(
        arguments.customers,
        arguments.packing_class,
        distribution="clustered",
        width=2450,
        length=13600,
        capacity=24000,
        seed=arguments.seed,
    )
    tailgate.write(instance, arguments.out / "instance.json")
    print(f"made    {instance!r}")

    result = tailgate.solve(instance, time_limit=arguments.time_limit, seed=arguments.seed)
    print(f"solved  {result}")
    if result.solution is None:
        print("without a plan there is nothing to draw; try another seed", file=sys.stderr)
        return 1
    tailgate.write_solution(result.solution, arguments.out / "solution.json")

    violations = tailgate.verify(instance, result.solution)
    for violation in violations:
        print(f"violated: {violation.kind}: {violation.message}", file=sys.stderr)
    print(f"judged  {'valid' if not violations else 'INVALID'}")

    draw(instance, result.solution, arguments.out)
    print(f"drawn   open {arguments.out / 'index.html'} in a browser")
    return 4 if violations else 0


def draw(instance: tailgate.Instance, solution: tailgate.Solution, folder: Path) -> None:
    """Write the report, the sheets to print, and one picture per truck."""
    (folder / "index.html").write_text(html_report(instance, solution), encoding="utf-8")
    (folder / "sheets.html").write_text(sheets_html(instance, solution), encoding="utf-8")
    for truck, route in enumerate(solution.routes, start=1):
        title = f"Truck {truck} of {len(solution.routes)}"
        picture = loading_plan_svg(instance, route, title=title, id_prefix=f"truck-{truck}")
        (folder / f"truck-{truck}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
