"""The MCP servers of the tests, started."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SERVERS = Path(__file__).parent / "mcp_servers.py"


def command(name: str) -> str:
    """The command line that starts one of them over stdio."""
    return shlex.join([sys.executable, str(SERVERS), name])


@contextmanager
def serving() -> Iterator[str]:
    """The URL of a good one, over HTTP."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, str(SERVERS), "harbour", str(port)], stdout=quiet, stderr=quiet)
    try:
        end = time.monotonic() + 60
        while not _answers(port):
            assert time.monotonic() < end
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
