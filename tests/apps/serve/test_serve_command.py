"""The server as a process: its start, its sudden end, and many visitors at once."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from serve_setting import QUICK, SLOW, WRITE, form_at, server, until
from tailgate.apps.cli.main import main
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read

pytestmark = pytest.mark.programs

VISITORS = 50


def job_at(client: httpx.Client, number: int) -> dict[str, Any]:
    """Return a run."""
    answer: dict[str, Any] = client.get(f"/api/jobs/{number}").json()["job"]
    return answer


def start(client: httpx.Client, path: Path) -> int:
    """Start a run."""
    body = {"form": form_at(path), "options": {"time_limit": 60, "gap": 0}}
    number: int = client.post("/api/jobs", json=body).json()["number"]
    return number


def test_a_killed_server_loses_no_run(tmp_path: Path) -> None:
    """Power fails when it likes: the next server goes on, with the best plan so far."""
    with server(tmp_path) as first, first.client() as client:
        number = start(client, SLOW)
        before = until(lambda: job_at(client, number), lambda job: bool(job["has_plan"]))
        first.process.kill()
        first.process.wait()
    with server(tmp_path) as second, second.client() as client:
        after = until(lambda: job_at(client, number), lambda job: bool(job["doing"]))
        assert after["status"] == "running"
        assert after["objective"] <= before["objective"]
        plan = Solution.from_dict(client.get(f"/api/jobs/{number}/solution.json").json())
        assert verify(read(SLOW), plan) == []
        client.post(f"/api/jobs/{number}/stop", json={})
        over = until(lambda: job_at(client, number), lambda job: job["status"] == "done")
        assert over["result_status"] == "feasible"


def test_searches_end_with_a_killed_server(tmp_path: Path) -> None:
    """Nobody would hear what they find, and the next server begins its own."""
    with server(tmp_path) as one, one.client() as client:
        number = start(client, SLOW)
        until(lambda: job_at(client, number), lambda job: bool(job["has_plan"]))
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(one.process.pid)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        (worker,) = [int(word) for word in listed.split()]
        one.process.kill()
        one.process.wait()
        deadline = time.monotonic() + 20
        while Path(f"/proc/{worker}/stat").exists() and time.monotonic() < deadline:
            state = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z":
                break
            time.sleep(0.1)
        else:
            assert not Path(f"/proc/{worker}/stat").exists()


def test_fifty_visitors_at_once_are_served(tmp_path: Path) -> None:
    """While a search runs, all of them get right answers, and soon."""

    async def visit(client: httpx.AsyncClient, number: int) -> float:
        slowest = 0.0
        form = form_at(QUICK)
        form["name"] = f"visitor {number}"
        form["customers"][number % 12]["weight"] = "heavy"
        for path in ("/", "/page/main.js", "/api/state", "/api/example", "/api/jobs/1"):
            began = time.monotonic()
            answer = await client.get(path)
            slowest = max(slowest, time.monotonic() - began)
            assert answer.status_code == 200
        checked = (await client.post("/api/check", json=form)).json()
        assert [one["path"] for one in checked["problems"]] == [f"customers[{number % 12}].weight"]
        return slowest

    async def visit_all(url: str) -> list[float]:
        limits = httpx.Limits(max_connections=VISITORS)
        async with httpx.AsyncClient(
            base_url=url, headers=WRITE, limits=limits, timeout=60
        ) as client:
            return await asyncio.gather(*(visit(client, number) for number in range(VISITORS)))

    with server(tmp_path) as one:
        with one.client() as client:
            assert start(client, SLOW) == 1
            until(lambda: job_at(client, 1), lambda job: bool(job["has_plan"]))
        slowest = asyncio.run(visit_all(one.url))
        with one.client() as client:
            assert job_at(client, 1)["status"] == "running"
    assert len(slowest) == VISITORS
    assert max(slowest) < 20


def test_fifty_visitors_start_runs_at_once(tmp_path: Path) -> None:
    """Each gets a run of its own, or is told that too many wait; none is lost or doubled."""

    async def begin(client: httpx.AsyncClient, number: int) -> httpx.Response:
        form = form_at(QUICK)
        form["name"] = f"visitor {number}"
        body = {"form": form, "options": {"time_limit": 60, "gap": 0}}
        return await client.post("/api/jobs", json=body)

    async def begin_all(url: str) -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=url, headers=WRITE, timeout=60) as client:
            return await asyncio.gather(*(begin(client, number) for number in range(VISITORS)))

    with server(tmp_path) as one:
        answers = asyncio.run(begin_all(one.url))
        numbers = [answer.json()["number"] for answer in answers if answer.status_code == 201]
        assert {answer.status_code for answer in answers} <= {201, 429}
        assert len(numbers) >= 20
        assert len(set(numbers)) == len(numbers)
        with one.client() as client:
            jobs = client.get("/api/state").json()["jobs"]
            assert sorted(job["number"] for job in jobs) == sorted(numbers)
            assert len({job["name"] for job in jobs}) == len(numbers)
            assert sum(job["status"] == "running" for job in jobs) <= 1


def test_a_hundred_megabytes_are_refused_before_they_are_sent(tmp_path: Path) -> None:
    """The answer comes on the headers alone."""
    with server(tmp_path) as one:
        url = httpx.URL(one.url)
        with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
            connection.sendall(
                f"POST /api/read HTTP/1.1\r\nHost: 127.0.0.1:{url.port}\r\nX-Tailgate: 1\r\n"
                "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n".encode()
            )
            assert connection.recv(1000).startswith(b"HTTP/1.1 413")


def test_a_token_is_made_and_printed(tmp_path: Path) -> None:
    """The address that is printed opens the page, and another does not."""
    with server(tmp_path, "--token") as one:
        base, _, token = one.url.partition("?token=")
        assert len(token) >= 32
        assert httpx.get(base).status_code == 401
        with httpx.Client(follow_redirects=True) as client:
            assert client.get(one.url).status_code == 200
            assert client.get(f"{base}api/state").status_code == 200


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "--host: 0.0.0.0 can be reached from other machines"),
        (["--host", "0.0.0.0", "--token", "short"], "--token: must have at least 16"),
        (["--port", "70000"], "--port: must be at most 65535"),
        (["--host", "203.0.113.7", "--token"], "cannot be used"),
    ],
)
def test_what_cannot_be_served_is_refused_at_once(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything listens or is stored."""
    assert main(["serve", "--data", str(tmp_path / "data"), *options]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_port_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Perhaps the page is open already."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--data", str(tmp_path), "--port", str(port)]) == 2
    assert f"127.0.0.1 port {port} cannot be used" in capsys.readouterr().err


def test_without_its_packages_the_command_names_the_extra(tmp_path: Path) -> None:
    """The page is an extra; a traceback would not say so."""
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError(name='starlette')")
    finished = subprocess.run(
        [sys.executable, "-m", "tailgate", "serve"],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert "pip install 'tailgate[serve]'" in finished.stderr
