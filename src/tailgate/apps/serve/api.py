"""The requests of the page and their answers: orders, runs, and what can be downloaded."""

from __future__ import annotations

import threading
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tailgate.apps.serve.comparison_content import comparison_content
from tailgate.apps.serve.documents import (
    WORKBOOK_TYPE,
    chart_svg,
    documents_of,
    file_name,
    instance_bytes,
    instance_of,
    template,
    workbook_bytes,
)
from tailgate.apps.serve.facts import cost_unit_of, facts
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.form_reading import read_form
from tailgate.apps.serve.form_roads import roads_form
from tailgate.apps.serve.job import Job, JobOptions
from tailgate.apps.serve.job_runner import JobRunner
from tailgate.apps.serve.job_store import JobStore
from tailgate.apps.serve.limits import Limits
from tailgate.apps.serve.order_form import form_of
from tailgate.apps.serve.plan_content import plan_content
from tailgate.apps.serve.upload import dropped_files, read_upload
from tailgate.io.draft import Draft
from tailgate.io.json_instance import draft_json_text, json_instance_text
from tailgate.model import validation
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.json_document import JsonValue
from tailgate.model.plausibility import check_plausibility
from tailgate.model.solution import Solution
from tailgate.solver.search.leave_out import with_everything_optional
from tailgate.solver.search.result import LeaveOut

# A report brings its own script along. In its sandbox it belongs to no site, so that even a name
# that got out of its quotes could not ask this server for anything.
_DOCUMENT_POLICY = (
    "sandbox allow-scripts allow-modals; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:"
)
_NAME_OF_UNNAMED = "Unnamed orders"
_MOST_COMPARED = 20


class Api:
    """The answers; each is called in a thread of its own."""

    def __init__(self, store: JobStore, runner: JobRunner, limits: Limits) -> None:
        self._store = store
        self._runner = runner
        self._limits = limits
        self._adding = threading.Lock()
        self._cost_units: dict[int, CostUnit] = {}
        """By the numbers of runs; the list of runs has not their orders."""

    # Orders.

    def read_files(self, root: JsonValue) -> Response:
        """Turn dropped files into a form, or into the roads of the form that is there."""
        members = root.members(required=("files",), optional=("form",))
        files = dropped_files(members["files"], self._limits)
        form = members.get("form")
        # Read only if it matters: orders take its place, whatever is wrong with it.
        present = None if form is None else partial(self._draft, form)
        upload = read_upload(files, self._limits, present)
        if upload.is_roads_only:
            return JSONResponse({"roads": roads_form(upload.draft.travel), "notes": upload.notes})
        self._refuse_too_many(upload.draft)
        return JSONResponse({"form": form_of(upload.draft), "notes": upload.notes})

    def _draft(self, form: JsonValue) -> Draft:
        return read_form(form, self._limits).draft

    def example(self, _request: Request) -> Response:
        """Return a form to try the page with."""
        text = files("tailgate.apps.serve").joinpath("page", "example.json").read_text("utf-8")
        return JSONResponse({"form": form_of(draft_json_text(text, "example", "", {}).draft)})

    def template(self, request: Request) -> Response:
        """Return tables to overwrite with orders."""
        name = request.path_params["name"]
        found = template(name)
        if found is None:
            raise HTTPException(404, "there are template.xlsx and template.zip")
        return _attachment(found[1], found[0], name)

    def check(self, root: JsonValue) -> Response:
        """Return what is wrong with a form."""
        return JSONResponse(check_form(root, self._limits).to_dict())

    def save(self, root: JsonValue) -> Response:
        """Return a form as a file."""
        members = root.members(required=("form", "format"))
        instance = self._instance(members["form"])
        match members["format"].string():
            case "json":
                return _attachment(instance_bytes(instance), "application/json", "orders.json")
            case "xlsx":
                return _attachment(workbook_bytes(instance), WORKBOOK_TYPE, "orders.xlsx")
        members["format"].fail('must be "json" or "xlsx"')

    def _instance(self, form: JsonValue, *, leaves_out_any: bool = False) -> Instance:
        checked = check_form(form, self._limits)
        instance = checked.instance
        if instance is None and leaves_out_any:
            instance = checked.if_left_out
        if instance is None:
            first = checked.problems[0]
            raise InputError(first.message, field=first.path)
        return instance

    def _refuse_too_many(self, draft: Draft) -> None:
        rows = sum(len(customer.items) for customer in draft.customers)
        limits = self._limits
        if len(draft.customers) > limits.customers or rows > limits.item_rows:
            raise InputError(
                f"{len(draft.customers):,} customers with {rows:,} rows of items are more than the "
                f"page takes ({limits.customers:,} and {limits.item_rows:,}); use tailgate solve"
            )

    # Runs.

    def state(self, _request: Request) -> Response:
        """Return what the page needs at its start, and the list of runs."""
        self._store.look_after()
        return JSONResponse(
            {
                "version": version("tailgate"),
                "limits": self._limits.to_dict(),
                "trouble": self._store.trouble,
                "notices": self._store.notices,
                "jobs": [self._job_content(job) for job in self._store.jobs()],
            }
        )

    def add_job(self, root: JsonValue) -> Response:
        """Start a search, or have it wait for its turn."""
        members = root.members(required=("form", "options"))
        options = self._options(members["options"])
        leaves_out_any = options.leave_out == "number"
        instance = self._instance(members["form"], leaves_out_any=leaves_out_any)
        if options.leave_out is not None:
            # Refused here, where somebody can still choose.
            with_everything_optional(instance, options.leave_out)
        name = instance.name or _NAME_OF_UNNAMED
        # One after the other: each must count the one before.
        with self._adding:
            self._refuse_too_many_runs()
            number = self._store.add(name, json_instance_text(instance), options)
            self._runner.start_waiting()
        return JSONResponse({"number": number}, status_code=201)

    def _refuse_too_many_runs(self) -> None:
        if self._store.count("waiting") >= self._limits.waiting_jobs:
            raise HTTPException(429, "too many runs are waiting; stop some, or try again later")
        if self._store.count() >= self._limits.stored_jobs:
            raise HTTPException(429, "too many runs are stored; delete some that you do not need")

    def job(self, request: Request) -> Response:
        """Return a run with its history."""
        job = self._job(request)
        instance, history = instance_of(job), self._store.history(job.number)
        unit = CostUnit.of_instance(instance).name
        return JSONResponse(
            {
                "job": self._job_content(job),
                "facts": facts(instance),
                "documents": list(documents_of(instance)),
                "warnings": [str(warning) for warning in check_plausibility(instance)],
                "history": history,
                "chart": chart_svg(job, self._seconds(job), history, unit),
            }
        )

    def plan(self, request: Request) -> Response:
        """Return the trucks of a run's best plan."""
        job = self._job(request)
        instance, solution = _with_plan(job)
        return JSONResponse(plan_content(instance, solution))

    def compare(self, request: Request) -> Response:
        """Return runs side by side, and what the further plans do otherwise than the first."""
        numbers = _run_numbers(request.query_params.get("runs", ""))
        jobs = [self._numbered_job(number) for number in numbers]
        return JSONResponse(comparison_content(jobs))

    def form_of_job(self, request: Request) -> Response:
        """Return the orders of a run, to be edited again."""
        job = self._job(request)
        draft = draft_json_text(job.instance_text, job.name, job.name, {}).draft
        return JSONResponse({"form": form_of(draft)})

    def stop(self, request: Request) -> Response:
        """End a run early."""
        job = self._job(request)
        self._runner.stop(job.number)
        return JSONResponse({})

    def go_on(self, request: Request, root: JsonValue) -> Response:
        """Search on for some more time, from where the run has ended."""
        job = self._job(request)
        options = self._options(root)
        if job.is_active or job.is_proven:
            raise HTTPException(409, "there is nothing to continue: the run is active or proven")
        self._runner.go_on(job, options)
        return JSONResponse({})

    def delete(self, request: Request) -> Response:
        """Forget a run."""
        job = self._job(request)
        if job.is_active:
            raise HTTPException(409, "the run is active; stop it first")
        self._runner.forget(job.number)
        return JSONResponse({})

    def document(self, request: Request) -> Response:
        """Return a file of a run; with ``?view`` to look at, otherwise to save."""
        job = self._job(request)
        name = request.path_params["document"]
        instance = instance_of(job)
        if name == "orders.json":
            return _attachment(instance_bytes(instance), "application/json", file_name(job, name))
        documents = documents_of(instance)
        if name not in documents:
            raise HTTPException(404, f"this run has {', '.join(documents)} and orders.json")
        instance, solution = _with_plan(job)
        kind, make = documents[name]
        content = make(instance, solution, self._store.history(job.number))
        if isinstance(content, str):
            content = content.encode("utf-8")
        response = _attachment(content, kind, file_name(job, name))
        response.headers["content-security-policy"] = _DOCUMENT_POLICY
        if "view" in request.query_params:
            response.headers["content-disposition"] = "inline"
        return response

    def _job(self, request: Request) -> Job:
        return self._numbered_job(request.path_params["number"])

    def _numbered_job(self, number: int) -> Job:
        job = self._store.job(number)
        if job is None:
            raise HTTPException(404, "there is no such run; it may have been deleted")
        return job

    def _job_content(self, job: Job) -> dict[str, object]:
        return {**job.to_dict(self._cost_unit(job.number)), "seconds": self._seconds(job)}

    def _seconds(self, job: Job) -> float:
        """Return the seconds so far: a search may be silent for a while."""
        return max(job.seconds, self._runner.elapsed(job.number) or 0.0)

    def _cost_unit(self, number: int) -> CostUnit:
        unit = self._cost_units.get(number)
        if unit is None:
            job = self._store.job(number)
            unit = self._cost_units[number] = CostUnit() if job is None else cost_unit_of(job)
        return unit

    def _options(self, value: JsonValue) -> JobOptions:
        members = value.members(required=("time_limit", "gap"), optional=("leave_out",))
        seconds = members["time_limit"].integer(low=1, high=self._limits.seconds)
        gap = float(members["gap"].decimal())
        if not 0 <= gap < 1:
            members["gap"].fail("must be a share from 0 to below 1")
        leave_out = members.get("leave_out")
        if leave_out is None or leave_out.is_null:
            return JobOptions(time_limit=seconds, gap=gap)
        with leave_out.placing_errors():
            chosen = validation.choice(leave_out.string(), "", get_args(LeaveOut))
        return JobOptions(time_limit=seconds, gap=gap, leave_out=cast(LeaveOut, chosen))


def _run_numbers(text: str) -> list[int]:
    """Read the runs that are asked for: 3,7."""
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and len(word) < 19 for word in words):
        raise HTTPException(422, "name the runs to compare by their numbers, such as runs=3,7")
    if len(words) > _MOST_COMPARED:
        raise HTTPException(422, f"at most {_MOST_COMPARED} runs are compared at a time")
    return [int(word) for word in words]


def _with_plan(job: Job) -> tuple[Instance, Solution]:
    instance = instance_of(job)
    solution = job.solution(instance)
    if solution is None:
        raise HTTPException(404, "no plan has been found yet")
    return instance, solution


def _attachment(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content,
        media_type=kind,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )
