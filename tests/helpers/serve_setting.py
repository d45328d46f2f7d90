"""What the tests of ``tailgate serve`` share: a client, forms, and waiting."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
from starlette.testclient import TestClient

from builders import REPOSITORY
from tailgate.apps.serve.address import Address
from tailgate.apps.serve.app import build_app
from tailgate.apps.serve.form_check import check_form
from tailgate.apps.serve.limits import Limits
from tailgate.apps.serve.order_form import form_of
from tailgate.io import read_draft
from tailgate.io.json_instance import json_instance_text
from tailgate.model.instance import Instance
from tailgate.model.json_document import JsonDocument, JsonValue

ADDRESS = Address("127.0.0.1", 8765)
BASE = "http://127.0.0.1:8765"
WRITE = {"X-Tailgate": "1"}
QUICK = REPOSITORY / "src" / "tailgate" / "apps" / "serve" / "page" / "example.json"
"""Solved at once."""
SLOW = REPOSITORY / "examples" / "clustered-n30-c4-s2.json"
"""Takes minutes, though the first plan comes at once."""


@contextmanager
def serving(
    folder: Path, *, limits: Limits | None = None, address: Address = ADDRESS
) -> Iterator[TestClient]:
    """Run the application without a network."""
    app = build_app(folder, address, limits or Limits(running_jobs=1))
    with TestClient(app, base_url=BASE, headers=WRITE) as client:
        yield client


def form_at(path: Path) -> dict[str, Any]:
    """Return the form of an instance file, free to be changed."""
    form: dict[str, Any] = json.loads(json.dumps(form_of(read_draft(path).draft)))
    return form


def form_of_instance(instance: Instance, folder: Path) -> dict[str, Any]:
    """Return the form of an instance."""
    path = folder / "instance.json"
    path.write_text(json_instance_text(instance), encoding="utf-8")
    return form_at(path)


def as_value(content: object) -> JsonValue:
    """Return something as the body of a request would be read."""
    return JsonDocument(json.dumps(content), None).parse()


def problems_of(form: dict[str, Any], limits: Limits) -> dict[str, str]:
    """Return the problems of a form by their cells."""
    checked = check_form(as_value(form), limits)
    assert (checked.instance is None) == any(one.level == "error" for one in checked.problems)
    return {problem.path: problem.message for problem in checked.problems}


def set_cell(form: dict[str, Any], path: str, value: object) -> None:
    """Change one cell of a form."""
    steps = [
        int(step) if step.isdecimal() else step
        for step in path.replace("[", ".").replace("]", "").split(".")
    ]
    inner: Any = form
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value


def upload(
    client: TestClient, files: Mapping[str, bytes], form: dict[str, Any] | None = None
) -> tuple[int, dict[str, Any]]:
    """Drop files onto the page, perhaps beside a form; return the status and the answer."""
    content = [
        {"name": name, "content": base64.b64encode(data).decode()} for name, data in files.items()
    ]
    present = {} if form is None else {"form": form}
    response = client.post("/api/read", json={"files": content, **present})
    return response.status_code, response.json()


def start_job(
    client: TestClient, form: Mapping[str, object], *, seconds: int = 60, gap: float = 0.0
) -> int:
    """Start a run and return its number."""
    options = {"time_limit": seconds, "gap": gap}
    response = client.post("/api/jobs", json={"form": form, "options": options})
    assert response.status_code == 201, response.text
    number: int = response.json()["number"]
    return number


def job_of(client: TestClient, number: int) -> dict[str, Any]:
    """Return what the page shows of a run."""
    job: dict[str, Any] = client.get(f"/api/jobs/{number}").json()["job"]
    return job


def wait_for(
    client: TestClient, number: int, is_reached: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Wait until a run is in some state; one that broke down is in its last."""
    job = until(
        lambda: job_of(client, number),
        lambda job: is_reached(job) or job["status"] == "failed",
    )
    assert is_reached(job), job
    return job


def until(
    ask: Callable[[], dict[str, Any]],
    is_reached: Callable[[dict[str, Any]], bool],
    seconds: float = 60.0,
) -> dict[str, Any]:
    """Ask again and again until the answer is the one hoped for."""
    deadline = time.monotonic() + seconds
    while True:
        answer = ask()
        if is_reached(answer):
            return answer
        assert time.monotonic() < deadline, answer
        time.sleep(0.05)


def assert_is_kept(client: TestClient, number: int, before: dict[str, Any]) -> None:
    """Check that a server has a run with a plan that is no worse than it was."""
    after = job_of(client, number)
    assert after["has_plan"]
    assert after["objective"] <= before["objective"]


def is_over(job: dict[str, Any]) -> bool:
    """Whether a run has ended, well or not."""
    return job["status"] not in ("waiting", "running")


def has_plan(job: dict[str, Any]) -> bool:
    """Whether a run has found something."""
    return bool(job["has_plan"])


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    process: subprocess.Popen[str]
    url: str

    def client(self) -> httpx.Client:
        """Return someone who visits it."""
        return httpx.Client(base_url=self.url, headers=WRITE, timeout=30)


@contextmanager
def server(folder: Path, *options: str) -> Iterator[Server]:
    """Start ``tailgate serve`` on a free port, and end it as Ctrl-C does."""
    arguments = ["serve", "--port", "0", "--json", "--data", str(folder), "--jobs", "1", *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "tailgate", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line == "}\n":
                break
        url = json.loads(text)["url"]
        # The port is taken, so that a visitor waits until the server is there.
        httpx.get(url)
        yield Server(process, url)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
