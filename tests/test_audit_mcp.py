"""Live MCP servers: what they say is judged, they are ended, none of their tools is called, and bad ones do no harm."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from serving import command, serving
from waitlint import cli
from waitlint.audit.live import MOST_PAGES, NoServer, from_command, from_url

pytest.importorskip("mcp")


@pytest.fixture(autouse=True)
def nothing_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    called = tmp_path / "called"
    monkeypatch.setenv("CALLED", str(called))
    yield
    assert not called.exists()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_server_over_stdio_is_judged_by_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["audit", "--mcp", command("harbour"), "--output", "json=a.json", "--output", "html=a.html"]) == 0
    (found,) = json.loads(Path("a.json").read_text())["repositories"]
    assert found["name"] == "harbour"
    answers = {tool["name"]: {k: v["answer"] for k, v in tool["verdicts"].items()} for tool in found["tools"]}
    assert answers["berth_state"]["C1"] == "no"
    assert answers["berth_state"]["C2"] == "unknown"
    assert answers["await_tide"]["C1"] == "unknown"
    said = {(text["words"], text["tools"][0]) for text in found["texts"]}
    assert said == {
        ("Poll `berth_state` every 10 seconds until the ship has moored", "berth_state"),
        ("Keep calling `berth_state` until the berth is ready", "berth_state"),
    }
    assert "harbour.mcp-server.json" in Path("a.html").read_text()


def test_a_server_over_http_says_the_same() -> None:
    with serving() as url:
        assert from_url(url).document == from_command(command("harbour")).document


class Refusing(BaseHTTPRequestHandler):
    """Keeps what it is sent, and lets nobody in."""

    keys: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.keys.append(self.headers.get("Authorization", ""))
        self.send_error(401)

    do_GET = do_DELETE = do_POST

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_header_goes_with_the_requests_and_is_not_told(capfd: pytest.CaptureFixture[str]) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/mcp"
        assert cli.run(["audit", "--mcp-url", url, "--mcp-header", "Authorization: Bearer oak"]) == 2
        server.shutdown()
    assert set(Refusing.keys) == {"Bearer oak"}
    out, err = capfd.readouterr()
    assert url in err
    assert "oak" not in out + err


def test_a_header_without_a_name_is_exit_2(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["audit", "--mcp-url", "http://127.0.0.1:9", "--mcp-header", "oak"]) == 2
    assert "oak" not in capfd.readouterr().err


def test_a_server_that_hangs_is_given_up_and_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    start = time.monotonic()
    with pytest.raises(NoServer, match="did not answer within 2 s"):
        from_command(command("stubborn"), 2)
    assert time.monotonic() - start < 20
    found = [int(pid) for pid in pids.read_text().split()]
    try:
        assert [pid for pid in found if is_alive(pid)] == []
    finally:
        for pid in filter(is_alive, found):
            os.kill(pid, signal.SIGKILL)


def test_a_server_that_says_nothing_is_exit_2(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["audit", "--mcp", command("silent"), "--mcp-timeout", "1.5", "--output-format", "json"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "did not answer within 1.5 s" in err


def test_a_server_that_sends_garbage_is_said_to(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["audit", "--mcp", command("garbage"), "--mcp-timeout", "2", "--output-format", "json"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "wrote what is no message" in err
    assert "Traceback" not in err


def test_a_list_without_end_is_cut_and_a_name_leads_nowhere() -> None:
    found = from_command(command("endless"))
    assert len(json.loads(found.document)["tools"]) == MOST_PAGES
    assert "/" not in found.file_name


@pytest.mark.parametrize(
    ("ask", "of", "message"),
    [
        (from_command, "", "empty"),
        (from_command, "'", "no command"),
        (from_command, "no-such-program-of-mine", "No such file"),
        (from_command, shlex.join([sys.executable, "-c", "pass"]), "closed"),
        (from_url, "http://127.0.0.1:9/mcp", "127.0.0.1:9"),
        (from_url, "nonsense", "nonsense"),
    ],
)
def test_what_is_no_server_is_said(ask: object, of: str, message: str) -> None:
    assert callable(ask)
    with pytest.raises(NoServer, match=message):
        ask(of, 10)


def test_without_the_sdk_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(NoServer, match=r"waitlint\[mcp\]"):
        from_command("anything")
