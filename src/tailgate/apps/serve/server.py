"""Listens on an address until it is asked to end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from tailgate.apps.serve.address import Address
from tailgate.apps.serve.app import build_app
from tailgate.apps.serve.connection import Connection
from tailgate.apps.serve.limits import Limits
from tailgate.model.errors import InputError

SECONDS_TO_END = 3


def serve(
    folder: Path, address: Address, limits: Limits, *, on_ready: Callable[[Address], None]
) -> None:
    """Serve the page until Ctrl-C; ``on_ready`` gets the address, its port filled in."""
    listener = _listener(address)
    port = listener.getsockname()[1]
    ready = Address(address.host, port, address.token, address.allowed_hosts)
    config = uvicorn.Config(
        build_app(folder, ready, limits),
        log_level="warning",
        access_log=False,
        server_header=False,
        # The guard counts requests: a connection that says nothing must not take anyone's place.
        http=Connection,
        ws="none",
        timeout_graceful_shutdown=SECONDS_TO_END,
        lifespan="on",
    )
    on_ready(ready)
    uvicorn.Server(config).run(sockets=[listener])


def _listener(address: Address) -> socket.socket:
    """Take the port before anything else is done, so that a port in use is reported at once."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address.host, address.port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise InputError(
            f"{address.host} port {address.port} cannot be used: {error.strerror or error}; choose "
            "another with --port (0: any that is free)",
            field="--port",
        ) from error
    return listener
