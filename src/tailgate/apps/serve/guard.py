"""What every request must pass before anything else looks at it.

The page is on the planner's own machine, where any web site that is open in the same browser can
send requests to it. So names, origins, tokens, sizes and counts are looked at here, once for all.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailgate.apps.serve.address import Address
from tailgate.apps.serve.limits import MEGABYTE, Limits

WRITE_HEADER = "x-tailgate"
"""A foreign page cannot send it without asking first, and the server does not answer that."""

_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
SECONDS_BETWEEN_PIECES = 20.0
"""Of a body, the longest pause: who has sent the headers must go on."""
_READING = ("GET", "HEAD")
# Another port of this machine counts as the same site.
_FOREIGN = ("cross-site", "same-site")


class _BodyError(Exception):
    """The body does not come, or grows beyond the limit while it is read."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


class Guard:
    """Lets through what the page itself has sent, and nothing that is too large."""

    def __init__(self, app: ASGIApp, *, address: Address, limits: Limits) -> None:
        self._app = app
        self._address = address
        self._body_bytes = limits.body_bytes
        self._most_under_way = limits.requests
        self._under_way = 0
        token = address.token or ""
        # Cookies know no ports: two servers with two tokens must not take each other's.
        self._cookie = f"tailgate-{hashlib.sha256(token.encode()).hexdigest()[:12]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer for the application where it must not be asked."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        started = False

        async def guarded_send(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers) or self._ask_for_token(scope, headers)
        if refusal is None and self._under_way >= self._most_under_way:
            refusal = _refused(503, "too many requests at once; try again in a moment")
        if refusal is not None:
            await refusal(scope, receive, guarded_send)
            return
        # Only what may be asked counts: nobody takes a place without the token.
        self._under_way += 1
        try:
            await self._app(scope, self._limited(receive), guarded_send)
        except _BodyError as error:
            if not started:
                await error.answer(scope, receive, guarded_send)
        finally:
            self._under_way -= 1

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = headers.get("host", "")
        if not self._address.allows(host):
            return _refused(
                403, "this server does not go by that name; open the address that it has printed"
            )
        if headers.get("sec-fetch-site") in _FOREIGN and not _is_visit(scope, headers):
            return _refused(403, "this request comes from another web site")
        if scope["method"] not in _READING:
            origin = headers.get("origin")
            if origin is not None and urlsplit(origin).netloc.casefold() != host.casefold():
                return _refused(403, "this request comes from another web site")
            if WRITE_HEADER not in headers:
                return _refused(403, f"the header {WRITE_HEADER} is missing")
            kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
            if kind != "application/json":
                return _refused(415, "send application/json")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()) or int(length[:18]) > self._body_bytes:
            return self._too_large()
        return None

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response | None:
        token = self._address.token
        if token is None:
            return None
        if scope["path"] == "/":
            offered = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if _same(offered, token):
                # Out of the address bar, the history and the next screenshot.
                response = RedirectResponse("/", status_code=303)
                response.set_cookie(self._cookie, token, httponly=True, samesite="strict", path="/")
                return response
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if _same(bearer, token) or _same(self._cookie_of(headers), token):
            return None
        return _refused(401, "the token is missing; open the address that the server has printed")

    def _cookie_of(self, headers: Headers) -> str:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return "" if cookie is None else cookie.value

    def _limited(self, receive: Receive) -> Receive:
        """Count what comes in: the stated length may be missing or a lie; and do not wait long."""
        total = 0
        is_whole = False

        async def counting() -> Message:
            nonlocal total, is_whole
            # After the body, the application may wait for the visitor to leave.
            seconds = None if is_whole else SECONDS_BETWEEN_PIECES
            try:
                message = await asyncio.wait_for(receive(), seconds)
            except TimeoutError as error:
                problem = "the rest of the request did not come; send it again"
                raise _BodyError(_refused(408, problem, is_last=True)) from error
            is_whole = not message.get("more_body", False)
            total += len(message.get("body", b""))
            if total > self._body_bytes:
                raise _BodyError(self._too_large())
            return message

        return counting

    def _too_large(self) -> Response:
        megabytes = self._body_bytes // MEGABYTE
        problem = f"this is too large; a request may have {megabytes} MB"
        return _refused(413, problem, is_last=True)


def _refused(status: int, problem: str, *, is_last: bool = False) -> Response:
    """Return a refusal; after one that ``is_last`` the connection is closed."""
    headers = {"connection": "close"} if is_last else None
    return JSONResponse({"error": problem}, status_code=status, headers=headers)


def _is_visit(scope: Scope, headers: Headers) -> bool:
    """Return whether somebody has followed a link to the page itself."""
    is_navigation = headers.get("sec-fetch-mode") == "navigate"
    return bool(scope["path"] == "/" and scope["method"] == "GET" and is_navigation)


def _same(offered: str, token: str) -> bool:
    return hmac.compare_digest(offered.encode("utf-8", "replace"), token.encode())
