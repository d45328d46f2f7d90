"""Runs outlive the server, however it ends."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from serve_setting import (
    QUICK,
    SLOW,
    form_at,
    has_plan,
    is_over,
    job_of,
    serving,
    start_job,
    wait_for,
)
from tailgate.errors import InputError
from tailgate.formats import read
from tailgate.formats.json_instance import json_instance_text
from tailgate.serve.job import JobOptions
from tailgate.serve.job_runner import MAX_STARTS
from tailgate.serve.job_store import FILE_NAME, MAX_HISTORY, JobStore, StoreError
from tailgate.solution import Solution
from tailgate.verify import verify

pytestmark = pytest.mark.programs


def test_a_run_goes_on_after_an_orderly_restart(tmp_path: Path) -> None:
    """Plan, bound and time so far are kept, and nobody has to ask."""
    with serving(tmp_path) as client:
        number = start_job(client, form_at(SLOW))
        before = wait_for(client, number, has_plan)
    with serving(tmp_path) as client:
        after = wait_for(client, number, lambda job: job["doing"] != "")
        assert after["status"] == "running"
        assert after["has_plan"]
        assert after["objective"] <= before["objective"]
        assert after["seconds"] > before["seconds"] - 1
        plan = Solution.from_dict(client.get(f"/api/jobs/{number}/solution.json").json())
        assert verify(read(SLOW), plan) == []
        client.post(f"/api/jobs/{number}/stop", json={})
        assert wait_for(client, number, is_over)["result_status"] == "feasible"
    with serving(tmp_path) as client:
        # What was stopped on purpose stays stopped.
        assert job_of(client, number)["status"] == "done"


@pytest.mark.parametrize("damage", ["missing", "cut off", "of another instance"])
def test_a_lost_checkpoint_costs_time_but_no_plan(tmp_path: Path, damage: str) -> None:
    """The plan is in the list of runs; the search begins again with it."""
    with serving(tmp_path) as client:
        number = start_job(client, form_at(SLOW))
        before = wait_for(client, number, has_plan)
    checkpoint = tmp_path / f"run-{number}.checkpoint"
    if damage == "missing":
        checkpoint.unlink()
    elif damage == "cut off":
        checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    else:
        with serving(tmp_path / "other") as client:
            other = start_job(client, form_at(QUICK))
            wait_for(client, other, is_over)
        checkpoint.write_bytes((tmp_path / "other" / f"run-{other}.checkpoint").read_bytes())
    with serving(tmp_path) as client:
        after = wait_for(client, number, lambda job: job["doing"] != "")
        assert after["status"] == "running"
        assert after["objective"] <= before["objective"]
        if damage != "missing":
            assert "starting again" in after["message"]


def test_a_run_that_keeps_ending_the_server_is_left_alone(tmp_path: Path) -> None:
    """Otherwise a machine could never be used again; asked for, it goes on."""
    store = JobStore(tmp_path)
    number = store.add("orders", json_instance_text(read(QUICK)), JobOptions(time_limit=60))
    store.update(number, status="running", starts=MAX_STARTS)
    store.close()
    with serving(tmp_path) as client:
        job = job_of(client, number)
        assert job["status"] == "interrupted"
        assert "continue" in job["message"]
        more = {"time_limit": 60, "gap": 0}
        assert client.post(f"/api/jobs/{number}/continue", json=more).is_success
        assert wait_for(client, number, is_over)["result_status"] == "optimal"


def test_waiting_runs_wait_for_the_next_server(tmp_path: Path) -> None:
    """They were promised to be solved."""
    with serving(tmp_path) as client:
        slow = start_job(client, form_at(SLOW))
        number = start_job(client, form_at(QUICK))
        assert job_of(client, number)["status"] == "waiting"
    with serving(tmp_path) as client:
        client.post(f"/api/jobs/{slow}/stop", json={})
        assert wait_for(client, number, is_over)["result_status"] == "optimal"


def test_a_plan_that_was_tampered_with_is_not_shown(tmp_path: Path) -> None:
    """Everything that is given out has passed the judge."""
    with serving(tmp_path) as client:
        number = start_job(client, form_at(QUICK))
        wait_for(client, number, is_over)
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("UPDATE jobs SET solution_text = replace(solution_text, '313.', '1.')")
    connection.close()
    with serving(tmp_path) as client:
        for path in ("plan", "solution.json", "report.html"):
            answer = client.get(f"/api/jobs/{number}/{path}")
            assert answer.status_code == 500
            assert "is not valid" in answer.json()["error"]


def test_two_servers_cannot_use_the_same_runs(tmp_path: Path) -> None:
    """They would both search for the same plans."""
    with serving(tmp_path), pytest.raises(InputError, match="another tailgate serve"):
        JobStore(tmp_path)
    JobStore(tmp_path).close()


def test_a_file_that_is_no_list_of_runs_is_refused_and_left_alone(tmp_path: Path) -> None:
    """It may be somebody's only copy of something."""
    path = tmp_path / FILE_NAME
    path.write_text("This is not a database." * 100)
    with pytest.raises(InputError, match=r"jobs.sqlite: is damaged .* move it away"):
        JobStore(tmp_path)
    assert path.read_text().startswith("This is not a database.")


def test_a_list_of_another_version_is_refused(tmp_path: Path) -> None:
    """Its columns may mean something else."""
    JobStore(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match="another version of Tailgate"):
        JobStore(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """With its name, and no traceback."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file/inner"):
        JobStore(tmp_path / "file" / "inner")


def test_a_full_disk_is_told_and_costs_nothing_that_was_stored(tmp_path: Path) -> None:
    """The page shows it, and goes on when there is room again."""
    store = JobStore(tmp_path)
    number = store.add("orders", "{}", JobOptions(time_limit=60))
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="full"):
        store.add("more", "x" * 100_000, JobOptions(time_limit=60))
    assert "runs cannot be stored" in store.trouble
    assert [job.number for job in store.jobs()] == [number]
    store._connection.execute("PRAGMA max_page_count = 1000000")
    store.update(number, message="there is room again")
    assert store.trouble == ""
    store.close()


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
