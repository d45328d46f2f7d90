"""Pictures, sheets and reports made from solutions."""

from tailgate.report.html_report import html_report
from tailgate.report.loading_plan_svg import loading_plan_svg
from tailgate.report.sheets import sheets_html

__all__ = ["html_report", "loading_plan_svg", "sheets_html"]
