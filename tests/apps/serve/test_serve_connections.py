"""Visitors who say nothing, or half of it, must not keep others from being served."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.server import ServerState

from serve_setting import ADDRESS, Server, server
from tailgate.apps.serve import connection, guard
from tailgate.apps.serve.connection import MAX_CONNECTIONS, SECONDS_FOR_HEADERS, Connection
from tailgate.apps.serve.guard import Guard
from tailgate.apps.serve.limits import Limits

HALF = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half"


@contextmanager
def half_connections(one: Server, count: int, sent: bytes = HALF) -> Iterator[list[socket.socket]]:
    """Open connections of which each sends something, and not enough."""
    url = httpx.URL(one.url)
    with ExitStack() as stack:
        opened = []
        for _ in range(count):
            half = socket.create_connection((url.host, url.port or 80), timeout=10)
            opened.append(stack.enter_context(half))
            half.sendall(sent)
        yield opened


def ask(one: Server) -> tuple[int, float]:
    """Return the status of an authorised request, and how long it took."""
    base, _, token = one.url.partition("?token=")
    began = time.monotonic()
    headers = {"Authorization": f"Bearer {token}"}
    status = httpx.get(f"{base}api/state", headers=headers, timeout=10).status_code
    return status, time.monotonic() - began


def is_closed(visitor: socket.socket, within: float) -> bool:
    """Whether the server hangs up."""
    visitor.settimeout(max(within, 0.01))
    try:
        while visitor.recv(4096):
            continue
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.programs
def test_half_a_header_keeps_nobody_from_being_served(tmp_path: Path) -> None:
    """Anyone who reaches the port can send one, without the token."""
    with server(tmp_path, "--token") as one, half_connections(one, 250) as halves:
        began = time.monotonic()
        status, seconds = ask(one)
        assert (status, seconds < 3) == (200, True)
        # One that goes on sending a little is no better.
        halves[0].sendall(b"A")
        deadline = began + SECONDS_FOR_HEADERS + 5
        assert all(is_closed(half, deadline - time.monotonic()) for half in halves)
        assert time.monotonic() - began > SECONDS_FOR_HEADERS / 2
        assert ask(one)[0] == 200


@pytest.mark.programs
def test_a_body_that_nobody_may_send_keeps_nobody_from_being_served(tmp_path: Path) -> None:
    """It is refused on its headers, and its connection goes soon, whatever else it sends."""
    with server(tmp_path, "--token") as one:
        sent = b"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
        with half_connections(one, 250, sent) as halves:
            assert ask(one)[0] == 200
            deadline = time.monotonic() + SECONDS_FOR_HEADERS + 5
            assert all(is_closed(half, deadline - time.monotonic()) for half in halves)


@pytest.mark.programs
def test_beyond_the_limit_the_longest_silent_connection_is_closed(tmp_path: Path) -> None:
    """The system allows so many open files, and new visitors need one."""
    with server(tmp_path, "--token") as one, half_connections(one, MAX_CONNECTIONS + 20) as halves:
        assert ask(one)[0] == 200
        assert is_closed(halves[0], 2)
        assert not is_closed(halves[-1], 0.2)


def test_a_burst_beyond_the_limit_closes_the_longest_silent_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many connections that arrive between two turns of the event loop are counted, too."""
    monkeypatch.setattr(connection, "MAX_CONNECTIONS", 5)

    async def run() -> list[bool]:
        answer = PlainTextResponse("never asked")
        config = Config(app=answer, http=Connection, ws="none", log_level="critical")
        config.load()
        state = ServerState()
        accepting = await asyncio.get_running_loop().create_server(
            lambda: Connection(config, state, {}), "127.0.0.1", 0
        )
        with ExitStack() as stack:
            address = accepting.sockets[0].getsockname()
            # The loop does not turn here: the system accepts all eight.
            visitors = [stack.enter_context(socket.create_connection(address)) for _ in range(8)]
            while len(state.connections) != 5:
                await asyncio.sleep(0.01)
            closed = [is_closed(visitor, 0.05) for visitor in visitors]
            accepting.close()
            for one in list(state.connections):
                one.transport.abort()
            await asyncio.sleep(0)
        return closed

    closed = asyncio.run(asyncio.wait_for(run(), 10))
    assert closed == [True] * 3 + [False] * 5


def test_more_requests_than_the_limit_are_turned_away() -> None:
    """Those that are under way stay quick; the place is free again when one is done."""

    async def run() -> list[int]:
        gate = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await gate.wait()
            await PlainTextResponse("done")(scope, receive, send)

        guarded = Guard(slow, address=ADDRESS, limits=Limits(requests=2))
        first = [asyncio.create_task(visit(guarded)) for _ in range(2)]
        await asyncio.sleep(0)
        turned_away = await visit(guarded)
        gate.set()
        return [turned_away, *(await asyncio.gather(*first)), await visit(guarded)]

    assert asyncio.run(run()) == [503, 200, 200, 200]


def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that waits for its body takes a place."""
    monkeypatch.setattr(guard, "SECONDS_BETWEEN_PIECES", 0.05)

    async def reading(_scope: Scope, receive: Receive, _send: Send) -> None:
        while (await receive()).get("more_body"):
            continue

    async def run() -> int:
        guarded = Guard(reading, address=ADDRESS, limits=Limits())
        return await asyncio.wait_for(visit(guarded, is_silent=True), 10)

    assert asyncio.run(run()) == 408


async def visit(guarded: Guard, *, is_silent: bool = False) -> int:
    """Send a request and return the status of the answer; a silent one never sends its body."""
    statuses: list[int] = []

    async def receive() -> Message:
        if is_silent:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/state",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
    }
    await guarded(scope, receive, send)
    return statuses[0]
