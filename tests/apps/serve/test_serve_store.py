"""What becomes of the runs when their file is deleted, damaged, or cannot be written."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import tailgate.apps.serve.app
from serve_setting import (
    QUICK,
    SLOW,
    assert_is_kept,
    form_at,
    has_plan,
    is_over,
    job_of,
    serving,
    start_job,
    until,
    wait_for,
)
from tailgate.apps.serve import job_store
from tailgate.apps.serve.job import JobOptions
from tailgate.apps.serve.job_store import FILE_NAME, JobStore, StoreError
from tailgate.model.errors import InputError

OPTIONS = JobOptions(time_limit=60)
GARBAGE = b"This is not a list of runs. " * 1_000


def numbers_of(store: JobStore) -> list[int]:
    """Return the runs of a store."""
    return [job.number for job in store.jobs()]


def stored(folder: Path) -> list[int]:
    """Return the runs that the next server finds."""
    store = JobStore(folder)
    numbers = numbers_of(store)
    store.close()
    return numbers


def kept_files(folder: Path) -> list[Path]:
    """Return what was put aside."""
    return sorted(folder.glob("jobs-kept-*.sqlite"))


def delete_list(path: Path) -> None:
    """Delete the file alone."""
    path.unlink()


def delete_log(path: Path) -> None:
    """Delete what SQLite has not yet moved into the file."""
    path.with_name(f"{FILE_NAME}-wal").unlink()


def delete_both(path: Path) -> None:
    """Delete all that belongs to the list."""
    delete_list(path)
    delete_log(path)


def delete_folder(path: Path) -> None:
    """Delete everything, at one stroke: the server may be about to write again."""
    gone = path.parent.with_name("gone")
    path.parent.rename(gone)
    shutil.rmtree(gone)


def overwrite(path: Path) -> None:
    """Write something else into the same file."""
    path.write_bytes(GARBAGE)


def overwrite_log(path: Path) -> None:
    """Write something else into the log."""
    path.with_name(f"{FILE_NAME}-wal").write_bytes(GARBAGE)


def put_another(path: Path) -> None:
    """Put another file in its place."""
    other = path.with_name("other")
    other.write_bytes(GARBAGE)
    other.replace(path)


def empty(path: Path) -> None:
    """Leave nothing in the file."""
    path.write_bytes(b"")


HARM = [
    delete_list,
    delete_log,
    delete_both,
    delete_folder,
    overwrite,
    overwrite_log,
    put_another,
    empty,
]


@pytest.mark.parametrize("harm", HARM)
def test_a_list_that_is_harmed_while_it_is_used_is_written_again(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """SQLite writes on into a file that is gone, and the next server knows nothing of it."""
    folder = tmp_path / "data"
    store = JobStore(folder)
    first = store.add("first", "{}", OPTIONS)
    store.add_history(first, (1.0, 2.0, None))
    harm(folder / FILE_NAME)
    second = store.add("second", "{}", OPTIONS)
    store.update(first, message="found after it")
    (notice,) = store.notices
    assert "was deleted or changed by another program. It was written again, with one run" in notice
    assert store.trouble == ""
    if harm in (overwrite, put_another):
        (kept,) = kept_files(folder)
        assert kept.read_bytes() == GARBAGE
        assert kept.name in notice
    # Not closed: what counts is what a sudden end leaves.
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    again = JobStore(copy)
    assert numbers_of(again) == [first, second]
    found = again.job(first)
    assert found is not None
    assert found.message == "found after it"
    assert again.history(first) == [(1.0, 2.0, None)]
    again.close()
    store.close()
    assert stored(folder) == [first, second]


def test_a_harmed_list_is_written_again_at_the_end_at_the_latest(tmp_path: Path) -> None:
    """Nobody may ask for anything between the accident and Ctrl-C."""
    store = JobStore(tmp_path)
    number = store.add("orders", "{}", OPTIONS)
    delete_both(tmp_path / FILE_NAME)
    store.close()
    assert stored(tmp_path) == [number]


def test_an_untouched_list_is_not_written_again(tmp_path: Path) -> None:
    """Its own writing must not look like somebody else's, though the log is emptied at times."""
    store = JobStore(tmp_path)
    for _ in range(30):
        store.add("orders", "x" * 200_000, OPTIONS)
        store.look_after()
    store.close()
    assert store.notices == []
    assert kept_files(tmp_path) == []
    assert len(stored(tmp_path)) == 30


def another_program(path: Path) -> None:
    """Leave a database of another kind."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()


def lacking_column(path: Path) -> None:
    """Leave a list with other columns under the same version."""
    JobStore(path.parent).close()
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE jobs RENAME COLUMN reason TO cause")
    connection.close()


def lacking_table(path: Path) -> None:
    """Leave a list without histories."""
    JobStore(path.parent).close()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE history")
    connection.close()


def few_bytes(path: Path) -> None:
    """Leave less than a header."""
    path.write_bytes(b"oops")


def cut_off(path: Path) -> None:
    """Leave the first half of a list."""
    store = JobStore(path.parent)
    for _ in range(10):
        store.add("orders", "x" * 10_000, OPTIONS)
    store.close()
    path.write_bytes(path.read_bytes()[:30_000])


@pytest.mark.parametrize(
    "harm", [overwrite, few_bytes, another_program, lacking_column, lacking_table, cut_off]
)
def test_a_list_that_is_damaged_at_the_start_is_kept_and_a_new_one_begun(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """The page must work, and the file may be somebody's only copy of something."""
    path = tmp_path / FILE_NAME
    harm(path)
    content = path.read_bytes()
    with serving(tmp_path) as client:
        state = client.get("/api/state").json()
        (notice,) = state["notices"]
        assert "could not be read" in notice
        (kept,) = kept_files(tmp_path)
        assert kept.name in notice
        assert kept.read_bytes() == content
        assert state["trouble"] == ""
        number = start_job(client, form_at(QUICK))
        client.post(f"/api/jobs/{number}/stop", json={})
        wait_for(client, number, is_over)
    assert number in stored(tmp_path)


def test_what_can_be_read_of_a_damaged_list_is_taken_over(tmp_path: Path) -> None:
    """A few bad blocks must not cost all runs."""
    store = JobStore(tmp_path)
    numbers = [store.add(f"orders {n}", "x" * 2_500, OPTIONS) for n in range(60)]
    store.close()
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(content)
    store = JobStore(tmp_path)
    found = numbers_of(store)
    assert 40 < len(found) < 60
    assert f"with {len(found)} runs; what was found there is kept as" in store.notices[0]
    # Numbers of lost runs are not given to new ones.
    assert store.add("new", "{}", OPTIONS) == numbers[-1] + 1
    store.close()


def test_a_new_list_leaves_out_the_numbers_of_checkpoints(tmp_path: Path) -> None:
    """A new run must not write over what is left of a lost one; and the page says that it is."""
    (tmp_path / "run-7.checkpoint").write_bytes(b"state of a search")
    (tmp_path / "run-x.checkpoint").write_bytes(b"")
    store = JobStore(tmp_path)
    assert store.add("orders", "{}", OPTIONS) == 8
    assert "may have been moved or deleted" in store.notices[0]
    store.close()
    store = JobStore(tmp_path)
    assert store.notices == []
    store.close()


def test_a_log_without_its_list_is_kept(tmp_path: Path) -> None:
    """SQLite would delete it, and with it the only trace of the last runs."""
    log = tmp_path / f"{FILE_NAME}-wal"
    log.write_bytes(GARBAGE)
    JobStore(tmp_path).close()
    (kept,) = tmp_path.glob("jobs-kept-*.wal")
    assert kept.read_bytes() == GARBAGE


def test_the_list_of_another_server_is_left_alone(tmp_path: Path) -> None:
    """Where the file was deleted, a second server can begin its own; two must not share it."""
    first = JobStore(tmp_path)
    first.add("orders of the first", "{}", OPTIONS)
    delete_both(tmp_path / FILE_NAME)
    second = JobStore(tmp_path)
    number = second.add("orders of the second", "{}", OPTIONS)
    with pytest.raises(StoreError, match="another tailgate serve uses these jobs"):
        first.add("more", "{}", OPTIONS)
    assert [job.name for job in first.jobs()] == ["orders of the first"]
    second.update(number, message="undisturbed")
    first.close()
    second.close()
    store = JobStore(tmp_path)
    assert [job.message for job in store.jobs()] == ["undisturbed"]
    store.close()


def test_a_place_that_cannot_be_used_is_refused_with_a_remedy(tmp_path: Path) -> None:
    """At the start nothing is lost yet; one sentence, and no page that can store nothing."""
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(InputError, match=r"make the folder writable, or give another folder"):
        JobStore(tmp_path)


def fill_disk(store: JobStore) -> None:
    """Let the file grow no more."""
    (pages,) = store._file.connection.execute("PRAGMA page_count").fetchone()
    store._file.connection.execute(f"PRAGMA max_page_count = {pages}")


def make_room(store: JobStore) -> None:
    """Let it grow again."""
    store._file.connection.execute("PRAGMA max_page_count = 1000000")


def make_read_only(store: JobStore) -> None:
    """Have every writing refused."""
    store._file.connection.execute("PRAGMA query_only = ON")


def make_writable(store: JobStore) -> None:
    """Allow it again."""
    store._file.connection.execute("PRAGMA query_only = OFF")


REFUSALS = [
    pytest.param(fill_disk, make_room, "full; make room on the disk", id="full"),
    pytest.param(
        make_read_only, make_writable, "readonly database; make the folder writable", id="read-only"
    ),
]
Change = Callable[[JobStore], None]


@pytest.mark.parametrize(("refuse", "allow", "words"), REFUSALS)
def test_a_disk_that_refuses_is_told_and_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuse: Change, allow: Change, words: str
) -> None:
    """New runs are refused; what searches find is kept, and stored as soon as it can be."""
    monkeypatch.setattr(job_store, "SECONDS_BETWEEN_ATTEMPTS", 0.0)
    store = JobStore(tmp_path)
    number = store.add("orders", "{}", OPTIONS)
    refuse(store)
    with pytest.raises(StoreError, match=words):
        store.add("more", "x" * 100_000, OPTIONS)
    assert "no new run is taken" in store.trouble
    assert numbers_of(store) == [number]
    store.update(number, solution_text="y" * 100_000, objective=5)
    store.add_history(number, (1.0, 2.0, 5))
    found = store.job(number)
    assert found is not None
    assert found.objective == 5
    allow(store)
    store.look_after()
    assert store.trouble == ""
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path, copy)
    again = JobStore(copy)
    assert again.history(number) == [(1.0, 2.0, 5)]
    kept = again.job(number)
    assert kept is not None
    assert kept.solution_text == "y" * 100_000
    again.close()
    store.close()


def test_what_could_not_be_stored_by_the_end_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever has ended the server must know what the next one will not."""
    store = JobStore(tmp_path)
    number = store.add("orders", "{}", OPTIONS)
    make_read_only(store)
    store.update(number, message="found")
    store.close()
    assert f"the last state of run {number} is lost" in caplog.text


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose server's store can be reached by ``opened``."""
    opened.clear()

    def open_store(folder: Path) -> JobStore:
        opened.append(JobStore(folder))
        return opened[-1]

    monkeypatch.setattr(tailgate.apps.serve.app, "JobStore", open_store)
    monkeypatch.setattr(job_store, "SECONDS_BETWEEN_ATTEMPTS", 0.0)
    return tmp_path / "data"


opened: list[JobStore] = []


def refusal(client: TestClient) -> str:
    """Ask for a run that cannot be taken; return the reason."""
    body = {"form": form_at(QUICK), "options": {"time_limit": 60, "gap": 0}}
    answer = client.post("/api/jobs", json=body)
    assert answer.status_code == 503
    error: str = answer.json()["error"]
    return error


@pytest.mark.programs
@pytest.mark.parametrize(("refuse", "allow", "words"), REFUSALS)
def test_a_search_goes_on_while_the_disk_refuses(
    served: Path, refuse: Change, allow: Change, words: str
) -> None:
    """The page answers, says why nothing new is taken, and no plan is lost."""
    with serving(served) as client:
        number = start_job(client, form_at(SLOW))
        wait_for(client, number, lambda job: job["status"] == "running")
        refuse(opened[0])
        wait_for(client, number, has_plan)
        body = until(lambda: client.get("/api/state").json(), lambda state: bool(state["trouble"]))
        assert words in body["trouble"]
        assert words in refusal(client)
        assert client.delete(
            f"/api/jobs/{number}", headers={"Content-Type": "application/json"}
        ).status_code in (409, 503)
        assert len(client.get("/api/state").json()["jobs"]) == 1
        allow(opened[0])
        until(lambda: client.get("/api/state").json(), lambda state: not state["trouble"])
        before = job_of(client, number)
        assert before["status"] == "running"
    with serving(served) as client:
        assert_is_kept(client, number, before)


@pytest.mark.programs
@pytest.mark.parametrize("harm", HARM)
def test_a_search_goes_on_when_the_list_is_harmed(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """With its plan, beside runs that are taken later; the next server has them all."""
    folder = tmp_path / "data"
    with serving(folder) as client:
        number = start_job(client, form_at(SLOW))
        wait_for(client, number, has_plan)
        harm(folder / FILE_NAME)
        second = start_job(client, form_at(QUICK))
        state = client.get("/api/state").json()
        assert [job["number"] for job in state["jobs"]] == [number, second]
        assert state["trouble"] == ""
        assert "written again" in state["notices"][0]
        before = job_of(client, number)
        assert before["status"] == "running"
    with serving(folder) as client:
        assert_is_kept(client, number, before)
        assert job_of(client, second)["number"] == second
