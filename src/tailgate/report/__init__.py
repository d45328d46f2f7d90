"""Pictures and sheets made from solutions."""

from tailgate.report.loading_plan_svg import loading_plan_svg

__all__ = ["loading_plan_svg"]
