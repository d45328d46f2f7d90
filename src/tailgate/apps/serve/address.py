"""Where the page may be reached: on this machine only, or with a token from elsewhere."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

from tailgate.model.errors import InputError

LEAST_TOKEN_CHARACTERS = 16
_LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain"})


@dataclass(frozen=True, slots=True)
class Address:
    """An address to listen on, the names under which it may be asked for, and its token."""

    host: str
    port: int
    token: str | None = field(default=None, repr=False)
    allowed_hosts: frozenset[str] = frozenset()
    """Names besides those of the machine, the loopback and numeric addresses."""

    def __post_init__(self) -> None:
        """Refuse an open door: whoever reaches the address must know the token."""
        if self.token is not None and len(self.token) < LEAST_TOKEN_CHARACTERS:
            raise InputError(
                f"must have at least {LEAST_TOKEN_CHARACTERS} characters; leave it out after "
                "--token to have one made",
                field="--token",
            )
        if self.token is not None and not self.token.isascii():
            raise InputError("must be of plain letters, digits and marks", field="--token")
        if self.token is None and not self.is_loopback:
            raise InputError(
                f"{self.host} can be reached from other machines; add --token, which makes a "
                "secret word that the page asks for, or stay with 127.0.0.1",
                field="--host",
            )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    def allows(self, host_header: str) -> bool:
        """Return whether a request was really meant for us.

        A foreign page can have its own name lead to this machine, but it cannot make the browser
        send a numeric address or a name of ours (DNS rebinding).
        """
        name = host_name(host_header)
        if name is None:
            return False
        if is_loopback(name):
            return True
        if self.is_loopback:
            return False
        own = {socket.gethostname().casefold(), *self.allowed_hosts}
        return _ip(name) is not None or name in own

    def url(self) -> str:
        """Return what to open."""
        host = self.host
        address = _ip(host)
        if address is not None and address.is_unspecified:
            host = socket.gethostname()
        shown = f"[{host}]" if ":" in host else host
        query = "" if self.token is None else f"?token={self.token}"
        return f"http://{shown}:{self.port}/{query}"


def make_token() -> str:
    """Return a word that nobody guesses."""
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Return whether a name or number means this machine alone."""
    address = _ip(host)
    return host.casefold() in _LOOPBACK_NAMES if address is None else address.is_loopback


def host_name(host_header: str) -> str | None:
    """Return the name of a Host header without its port, in small letters."""
    text = host_header.strip().casefold()
    if text.startswith("["):
        name, bracket, port = text[1:].partition("]")
        port = port.removeprefix(":")
        if not bracket or _ip(name) is None:
            return None
    else:
        name, _, port = text.partition(":")
    if port and not (port.isascii() and port.isdecimal()):
        return None
    return name.removesuffix(".") or None


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
