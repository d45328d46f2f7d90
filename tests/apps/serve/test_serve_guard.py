"""Who may ask the server what: names, origins, tokens and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from serve_setting import BASE, WRITE, serving
from tailgate.apps.serve.address import Address, host_name, make_token
from tailgate.apps.serve.limits import Limits
from tailgate.model.errors import InputError

TOKEN = "correct-horse-battery"
PUBLIC = Address("0.0.0.0", 8765, TOKEN, frozenset({"planning.example.org"}))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server on the loopback."""
    with serving(tmp_path_factory.mktemp("guard"), limits=Limits(upload_bytes=1_000_000)) as one:
        yield one


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that can be reached from elsewhere, and so has a token."""
    with serving(tmp_path_factory.mktemp("public"), address=PUBLIC) as one:
        yield one


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("LOCALHOST", 200),
        ("[::1]:9000", 200),
        ("evil.example", 403),
        ("evil.example:8765", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example", 403),
        ("localhost@evil.example", 403),
        ("192.168.1.20:8765", 403),
        ("", 403),
    ],
)
def test_only_names_of_this_machine_are_answered(
    client: TestClient, host: str, status: int
) -> None:
    """A foreign name that leads here (DNS rebinding) would make a foreign page one of ours."""
    assert client.get("/api/state", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": BASE}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "null"}, 403),
        ({"X-Tailgate": None}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_only_the_page_itself_may_write(
    client: TestClient, headers: dict[str, str | None], status: int
) -> None:
    """Any site in the same browser can send a form or a plain request to this machine."""
    sent = WRITE | {"Content-Type": "application/json"} | headers
    kept = {name: value for name, value in sent.items() if value is not None}
    # The client of the fixture adds its own headers.
    bare = TestClient(client.app, base_url=BASE)
    body = (
        b'{"name":"","units":{"length":"","weight":"","distance":""},"conventions":{},'
        b'"vehicle":{"width":"","length":"","capacity":"","count":""},'
        b'"depot":{"x":"","y":"","ready":"","due":""},"customers":[]}'
    )
    assert bare.post("/api/check", content=body, headers=kept).status_code == status


def test_a_foreign_page_can_link_here_but_not_look_inside(client: TestClient) -> None:
    """A link opens the page; a picture, a script or a frame of a foreign page gets nothing."""
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/", headers=foreign | {"Sec-Fetch-Mode": "navigate"}).status_code == 200
    assert client.get("/", headers=foreign | {"Sec-Fetch-Mode": "no-cors"}).status_code == 403
    assert client.get("/api/state", headers=foreign).status_code == 403


def test_no_foreign_page_is_given_leave(client: TestClient) -> None:
    """A browser asks before it sends our header, and must not hear a yes."""
    asked = client.options(
        "/api/jobs",
        headers={"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert asked.status_code == 403
    assert not any(name.startswith("access-control") for name in asked.headers)


@pytest.mark.parametrize("path", ["/", "/page/main.js", "/api/state", "/nothing"])
def test_every_answer_carries_the_policies(client: TestClient, path: str) -> None:
    """Even if a name got out of its quotes, nothing of it may run."""
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_the_page_needs_nothing_from_elsewhere(client: TestClient) -> None:
    """It must work without a network, and tell nobody that it is open."""
    page = client.get("/").text
    assert "http://" not in page
    assert "https://" not in page
    assert "style=" not in page
    scripts = [path.name for path in _page_files() if path.suffix in (".js", ".css", ".html")]
    for name in scripts:
        path = "/" if name == "index.html" else f"/page/{name}"
        answer = client.get(path)
        assert answer.status_code == 200
        assert "innerHTML" not in answer.text


def _page_files() -> list[Path]:
    import tailgate.apps.serve

    return sorted((Path(str(tailgate.apps.serve.__file__)).parent / "page").iterdir())


@pytest.mark.parametrize(
    "path",
    [
        "/page/../api.py",
        "/page/..%2fapi.py",
        "/page/%2e%2e/%2e%2e/errors.py",
        "/page//etc/passwd",
        "/page/example.json",
        "/api/jobs/1/../../../etc/passwd",
        "/api/jobs/-1",
        "/api/jobs/99999999999999999999",
    ],
)
def test_no_path_leads_to_a_file(client: TestClient, path: str) -> None:
    """Only the files of the page are given out, and only by their names."""
    assert client.get(path).status_code == 404


def test_a_body_beyond_the_limit_is_refused(client: TestClient) -> None:
    """Stated or not: what is too large is not even read."""
    limit = Limits(upload_bytes=1_000_000).body_bytes
    stated = client.post("/api/check", content=b" " * (limit + 1), headers=_json())
    assert stated.status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(limit // 100_000 + 1):
            yield b" " * 100_000

    unstated = client.post("/api/check", content=pieces(), headers=_json())
    assert unstated.status_code == 413
    lying = client.post("/api/check", content=b"{}", headers=_json() | {"Content-Length": "-1"})
    assert lying.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"a": 1, "a": 2}', b"null", b'"\\ud800"']
)
@pytest.mark.parametrize("path", ["/api/check", "/api/read", "/api/jobs", "/api/save"])
def test_a_body_that_makes_no_sense_is_refused(client: TestClient, path: str, body: bytes) -> None:
    """Never a traceback, whatever is sent."""
    answer = client.post(path, content=body, headers=_json())
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_a_server_for_others_asks_for_its_token(public: TestClient) -> None:
    """Without it nothing is told, not even that there are runs."""
    for path in ("/", "/api/state", "/page/main.js", "/api/jobs/1/solution.json"):
        assert public.get(path).status_code == 401
    assert public.get("/?token=wrong-horse-battery").status_code == 401
    assert public.post("/api/check", json={}).status_code == 401
    for header in ({"Authorization": f"Bearer {TOKEN}"}, {"Authorization": TOKEN}):
        assert public.get("/api/state", headers=header).status_code == 200
    assert public.get("/api/state", headers={"Cookie": "tailgate-x=1; =; a"}).status_code == 401


def test_the_token_moves_from_the_address_into_a_cookie(public: TestClient) -> None:
    """The address bar, the history and screenshots must not keep it."""
    visitor = TestClient(public.app, base_url=BASE, headers=WRITE)
    answer = visitor.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].casefold()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert visitor.get("/api/state").status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.20:8765", 200),
        ("[2001:db8::1]:8765", 200),
        ("planning.example.org", 200),
        ("localhost:1", 200),
        ("other.example.org", 403),
    ],
)
def test_a_server_for_others_goes_by_numbers_and_given_names(
    public: TestClient, host: str, status: int
) -> None:
    """A numeric address cannot be made to lead elsewhere; a name can."""
    headers = {"Host": host, "Authorization": f"Bearer {TOKEN}"}
    assert public.get("/api/state", headers=headers).status_code == status


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20", "planning.example.org"])
def test_an_open_door_without_a_token_is_refused(host: str) -> None:
    """Anyone in the same network could read the orders and use the machine."""
    with pytest.raises(InputError, match=r"--host: .* add --token"):
        Address(host, 8765)
    assert Address(host, 8765, make_token()).token


@pytest.mark.parametrize("token", ["", "short", "ümlaut-ümlaut-ümlaut"])
def test_a_weak_token_is_refused(token: str) -> None:
    """A word that can be guessed is no lock."""
    with pytest.raises(InputError, match="--token"):
        Address("127.0.0.1", 8765, token)


@pytest.mark.parametrize("header", ["[::1", "a:b", "localhost:٣", "[evil]:80", ":80"])
def test_a_garbled_host_has_no_name(header: str) -> None:
    """What cannot be understood is refused rather than guessed."""
    assert host_name(header) is None


def _json() -> dict[str, str]:
    return WRITE | {"Content-Type": "application/json"}
