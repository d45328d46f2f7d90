"""A connection to the server, which must say soon what it wants.

A connection costs a file handle whether or not anything comes through it. One that sends half a
header, or nothing, is closed after a while; where there are too many, the longest silent one first.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

SECONDS_FOR_HEADERS = 10.0
"""From the opening, or from the end of the last answer, to the end of the next headers."""
MAX_CONNECTIONS = 600
"""At once, silent ones included; systems allow a process about a thousand open files."""


class Connection(H11Protocol):
    """Speaks HTTP, and does not wait for ever to be spoken to."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._deadline: asyncio.TimerHandle | None = None
        """Set while no request is under way."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first headers; one connection too many closes another."""
        # Counted here and not before: a burst of connections is built first and joins later.
        super().connection_made(cast(asyncio.Transport, transport))
        self._wait()
        if len(self.connections) > MAX_CONNECTIONS:
            self._make_room()

    def handle_events(self) -> None:
        """Take in what has come; complete headers are in time."""
        super().handle_events()
        if self.cycle is not None and not self.cycle.response_complete:
            self._end_waiting()

    def on_response_complete(self) -> None:
        """Wait for the next headers, which may have come already."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._end_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._end_waiting()
        self._deadline = self.loop.call_later(SECONDS_FOR_HEADERS, self._hang_up)

    def _end_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        self._end_waiting()
        # Sends what is left of the last answer first.
        self.transport.close()

    def _make_room(self) -> None:
        silent = [
            (one._deadline.when(), one)
            for one in self.connections
            if isinstance(one, Connection) and one._deadline is not None
        ]
        if silent:
            _, longest = min(silent, key=lambda pair: pair[0])
            longest._hang_up()
