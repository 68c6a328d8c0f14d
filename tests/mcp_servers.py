"""Small MCP servers for tests, one a word on the command line: good ones, and ones that misbehave.

Every tool leaves a file behind when it is called, which no test wants to find.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

INSTRUCTIONS = "Poll `berth_state` every 10 seconds until the ship has moored."


def harbour() -> None:
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("harbour", instructions=INSTRUCTIONS)

    @server.tool()
    def berth_state(berth: str) -> str:
        """The state of a berth: "waiting" or "moored"."""
        Path(os.environ.get("CALLED", "called")).write_text(berth)
        return "moored"

    @server.tool()
    def await_tide(port: str) -> str:
        """Waits up to 50 s for the tide, so call it once."""
        Path(os.environ.get("CALLED", "called")).write_text(port)
        return "high"

    @server.prompt()
    def arrival() -> str:
        """How to bring a ship in."""
        return "Keep calling `berth_state` until the berth is ready."

    @server.prompt()
    def departure(ship: str) -> str:
        """How to see a ship off."""
        return f"See {ship} off."

    @server.resource("harbour://rules")
    def rules() -> str:
        """What holds in the harbour."""
        return "No wake."

    if len(sys.argv) > 2:
        server.run("streamable-http", port=int(sys.argv[2]))
    else:
        server.run("stdio")


def silent() -> None:
    """Reads everything, says nothing."""
    for _ in sys.stdin:
        pass


def stubborn() -> None:
    """Has a child, and ends neither with its input nor when it is asked to."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(os.environ["PIDS"]).write_text(f"{os.getpid()} {child.pid}")
    time.sleep(600)


def garbage() -> None:
    """Answers every message with what is none."""
    for _ in sys.stdin:
        print("Traceback (most recent call last): \x1b[31mno JSON\x1b[0m", flush=True)
        print('{"jsonrpc": "2.0", "id": "never asked", "result": []}', flush=True)


def endless() -> None:
    """Lists tools, page after page, for ever."""
    import json

    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        answer: dict[str, object] = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "initialize":
            answer["result"] = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "../../endless", "version": "1"},
            }
        elif message["method"] == "tools/list":
            tool = {"name": "again", "description": "Once more.", "inputSchema": {"type": "object"}}
            answer["result"] = {"tools": [tool], "nextCursor": f"{time.monotonic()}"}
        else:
            answer["error"] = {"code": -32601, "message": "no such method"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    {f.__name__: f for f in (harbour, silent, stubborn, garbage, endless)}[sys.argv[1]]()
