"""Runs outlive the server, however it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import serve_setting as page
from tailgate.apps.serve.job import JobOptions
from tailgate.apps.serve.job_run import JobRun
from tailgate.apps.serve.job_runner import MAX_STARTS
from tailgate.apps.serve.job_store import FILE_NAME, MAX_HISTORY, JobStore
from tailgate.io.json_instance import json_instance_text
from tailgate.model.errors import InputError
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.solver.loading import read

pytestmark = pytest.mark.programs


def test_a_run_goes_on_after_an_orderly_restart(tmp_path: Path) -> None:
    """Plan, bound and time so far are kept, and nobody has to ask."""
    with page.serving(tmp_path) as client:
        number = page.start_job(client, page.form_at(page.SLOW))
        before = page.wait_for(client, number, page.has_plan)
    with page.serving(tmp_path) as client:
        after = page.wait_for(client, number, lambda job: job["doing"] != "")
        assert after["status"] == "running"
        assert after["has_plan"]
        assert after["objective"] <= before["objective"]
        assert after["seconds"] > before["seconds"] - 1
        plan = Solution.from_dict(client.get(f"/api/jobs/{number}/solution.json").json())
        assert verify(read(page.SLOW), plan) == []
        client.post(f"/api/jobs/{number}/stop", json={})
        assert page.wait_for(client, number, page.is_over)["result_status"] == "feasible"
    with page.serving(tmp_path) as client:
        # What was stopped on purpose stays stopped.
        assert page.job_of(client, number)["status"] == "done"


def test_a_stop_after_the_end_takes_no_result_back(tmp_path: Path) -> None:
    """A server that closes tells every run to stop, also one whose process has just ended."""
    store = LateStopStore(tmp_path)
    number = store.add("orders", json_instance_text(read(page.QUICK)), JobOptions(time_limit=60))
    job = store.job(number)
    assert job is not None
    store.run = JobRun(job, tmp_path / "run.checkpoint", store, lambda _: None)
    store.run.begin()
    store.run.end(60)
    after = store.job(number)
    store.close()
    assert after is not None
    assert (after.status, after.result_status) == ("done", "optimal")


class LateStopStore(JobStore):
    """Says stop to the run once its result is stored and nobody listens any more."""

    run: JobRun | None = None

    def update(self, number: int, **values: object) -> None:
        """Store it; then wait for the end of the process, and say stop."""
        super().update(number, **values)
        if values.get("status") == "done":
            assert self.run is not None
            assert self.run._process is not None
            self.run._process.wait()
            self.run.stop()


@pytest.mark.parametrize("damage", ["missing", "cut off", "of another instance"])
def test_a_lost_checkpoint_costs_time_but_no_plan(tmp_path: Path, damage: str) -> None:
    """The plan is in the list of runs; the search begins again with it."""
    with page.serving(tmp_path) as client:
        number = page.start_job(client, page.form_at(page.SLOW))
        before = page.wait_for(client, number, page.has_plan)
    checkpoint = tmp_path / f"run-{number}.checkpoint"
    if damage == "missing":
        checkpoint.unlink()
    elif damage == "cut off":
        checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    else:
        with page.serving(tmp_path / "other") as client:
            other = page.start_job(client, page.form_at(page.QUICK))
            page.wait_for(client, other, page.is_over)
        checkpoint.write_bytes((tmp_path / "other" / f"run-{other}.checkpoint").read_bytes())
    with page.serving(tmp_path) as client:
        after = page.wait_for(client, number, lambda job: job["doing"] != "")
        assert after["status"] == "running"
        assert after["objective"] <= before["objective"]
        if damage != "missing":
            assert "starting again" in after["message"]


def test_a_run_that_keeps_ending_the_server_is_left_alone(tmp_path: Path) -> None:
    """Otherwise a machine could never be used again; asked for, it goes on."""
    store = JobStore(tmp_path)
    number = store.add("orders", json_instance_text(read(page.QUICK)), JobOptions(time_limit=60))
    store.update(number, status="running", starts=MAX_STARTS)
    store.close()
    with page.serving(tmp_path) as client:
        job = page.job_of(client, number)
        assert job["status"] == "interrupted"
        assert "continue" in job["message"]
        more = {"time_limit": 60, "gap": 0}
        assert client.post(f"/api/jobs/{number}/continue", json=more).is_success
        assert page.wait_for(client, number, page.is_over)["result_status"] == "optimal"


def test_waiting_runs_wait_for_the_next_server(tmp_path: Path) -> None:
    """They were promised to be solved."""
    with page.serving(tmp_path) as client:
        slow = page.start_job(client, page.form_at(page.SLOW))
        number = page.start_job(client, page.form_at(page.QUICK))
        assert page.job_of(client, number)["status"] == "waiting"
    with page.serving(tmp_path) as client:
        client.post(f"/api/jobs/{slow}/stop", json={})
        assert page.wait_for(client, number, page.is_over)["result_status"] == "optimal"


def test_a_plan_that_was_tampered_with_is_not_shown(tmp_path: Path) -> None:
    """Everything that is given out has passed the judge."""
    with page.serving(tmp_path) as client:
        number = page.start_job(client, page.form_at(page.QUICK))
        page.wait_for(client, number, page.is_over)
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("UPDATE jobs SET solution_text = replace(solution_text, '313.', '1.')")
    connection.close()
    with page.serving(tmp_path) as client:
        for path in ("plan", "solution.json", "report.html"):
            answer = client.get(f"/api/jobs/{number}/{path}")
            assert answer.status_code == 500
            assert "is not valid" in answer.json()["error"]


def test_two_servers_cannot_use_the_same_runs(tmp_path: Path) -> None:
    """They would both search for the same plans."""
    with page.serving(tmp_path), pytest.raises(InputError, match="another tailgate serve"):
        JobStore(tmp_path)
    JobStore(tmp_path).close()


def test_a_list_of_another_version_is_refused(tmp_path: Path) -> None:
    """Its columns may mean something else."""
    JobStore(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match="a later version of Tailgate"):
        JobStore(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """With its name, and no traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file/inner"):
        JobStore(tmp_path / "file" / "inner")


def test_a_long_history_is_thinned_out(tmp_path: Path) -> None:
    """A search of hours must not fill the disk; its ends are kept."""
    store = JobStore(tmp_path)
    number = store.add("orders", "{}", JobOptions(time_limit=60))
    for second in range(MAX_HISTORY + 500):
        store.add_history(number, (float(second), float(second), None))
    history = store.history(number)
    assert len(history) <= MAX_HISTORY
    assert history[-1][0] == MAX_HISTORY + 499
    assert [point[0] for point in history] == sorted(point[0] for point in history)
    store.cut_history(number, 100)
    assert store.history(number)[-1][0] <= 100
    store.close()
