"""The application: which address leads where, and what becomes of errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tailgate.apps.serve.address import Address
from tailgate.apps.serve.api import Api
from tailgate.apps.serve.guard import Guard
from tailgate.apps.serve.job_runner import JobRunner
from tailgate.apps.serve.job_store import JobStore, StoreError
from tailgate.apps.serve.limits import Limits
from tailgate.model.errors import InputError, TailgateError
from tailgate.model.json_document import JsonDocument, JsonValue

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}

Endpoint = Callable[[Request], Awaitable[Response]]


def build_app(folder: Path, address: Address, limits: Limits | None = None) -> Starlette:
    """Return the application with the jobs of a folder; opening it is part of its start."""
    chosen = limits or Limits()
    store = JobStore(folder)
    runner = JobRunner(store, chosen)
    api = Api(store, runner, chosen)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await run_in_threadpool(runner.start)
        yield
        await run_in_threadpool(runner.close)
        store.close()

    return Starlette(
        routes=[*_page_routes(), *_api_routes(api)],
        lifespan=lifespan,
        middleware=[Middleware(Guard, address=address, limits=chosen)],
        exception_handlers={
            HTTPException: _on_http_error,
            InputError: _on_input_error,
            # For the moment: it can be mended while the server runs.
            StoreError: _answer_with(503),
            TailgateError: _answer_with(500),
        },
    )


def _api_routes(api: Api) -> list[Route]:
    run = "/api/jobs/{number:int}"
    return [
        Route("/api/state", api.state),
        Route("/api/example", api.example),
        Route("/api/templates/{name}", api.template),
        Route("/api/read", _posted(api.read_files), methods=["POST"]),
        Route("/api/check", _posted(api.check), methods=["POST"]),
        Route("/api/save", _posted(api.save), methods=["POST"]),
        Route("/api/jobs", _posted(api.add_job), methods=["POST"]),
        Route("/api/compare", api.compare),
        Route(run, api.job, methods=["GET"]),
        Route(run, api.delete, methods=["DELETE"]),
        Route(f"{run}/plan", api.plan),
        Route(f"{run}/form", api.form_of_job),
        Route(f"{run}/stop", api.stop, methods=["POST"]),
        Route(f"{run}/continue", _posted_to(api.go_on), methods=["POST"]),
        Route(f"{run}/{{document}}", api.document),
    ]


def _posted(answer: Callable[[JsonValue], Response]) -> Endpoint:
    return _posted_to(lambda _request, root: answer(root))


def _posted_to(answer: Callable[[Request, JsonValue], Response]) -> Endpoint:
    """Read the body as strict JSON, and answer in a thread."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()
        return await run_in_threadpool(lambda: answer(request, _parsed(body)))

    return endpoint


def _parsed(body: bytes) -> JsonValue:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError("the request is not UTF-8 text") from error
    return JsonDocument(text, None).parse()


def _page_routes() -> list[Route]:
    """Return the files of the page by their names: no path from outside is ever opened."""
    routes = []
    for file in files("tailgate.apps.serve").joinpath("page").iterdir():
        kind = _TYPES.get(Path(file.name).suffix)
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/page/{file.name}"
            routes.append(Route(path, _file(file.read_bytes(), f"{kind}; charset=utf-8")))
    return routes


def _file(content: bytes, kind: str) -> Endpoint:
    async def endpoint(_request: Request) -> Response:
        return Response(content, media_type=kind)

    return endpoint


def _on_http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, status_code=error.status_code)


def _on_input_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, InputError)
    return JSONResponse({"error": str(error), "path": error.field}, status_code=422)


def _answer_with(status: int) -> Callable[[Request, Exception], Response]:
    return lambda _request, error: JSONResponse({"error": str(error)}, status_code=status)
