"""What a finding says of a sentence, and what it proposes instead: by its shape, with the tool named."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from harness import run

SERVER = '''
import time

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("print shop")


@mcp.tool()
def get_print(number: str) -> dict:
    """Get a print by its number."""
    return shop.read(number)


@mcp.tool()
def await_proof(number: str) -> dict:
    """Get a proof. Waits up to 40 s for it."""
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        proof = shop.read(number, timeout=5)
        if proof["state"] == "proofed":
            break
        time.sleep(2)
    return proof
'''


def said(folder: Path, words: str, server: str = SERVER) -> tuple[str, str, str]:
    """Rule, message and help of the one finding in words of a skill beside the print shop's server."""
    (folder / "waitlint.toml").write_text("root = true\n", encoding="utf-8")
    (folder / "server.py").write_text(server, encoding="utf-8")
    skill = folder / "skills" / "print" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(f"---\nname: print\ndescription: Prints.\n---\n\n# Print\n\n{dedent(words)}\n", encoding="utf-8")
    report = run(folder)
    (finding,) = [one for one in report.findings if one.spot.path.endswith("SKILL.md")]
    return finding.rule, finding.message, finding.help


@pytest.mark.parametrize(
    ("words", "message", "instead"),
    [
        (
            "Poll `get_print` until it is done.",
            "asks for another `get_print` call until it is done",
            "“Call `get_print` once: it waits. Call it again only if it comes back unfinished.”",
        ),
        (
            "Poll `get_print` every 30 s.",
            "asks for another `get_print` call every 30 s",
            "“`get_print` looks every 30 s itself and returns as soon as the work is over: call it once rather than",
        ),
        (
            "Use `get_print` to poll.",
            "asks for another `get_print` call",
            "“Get the result with one call to `get_print`:",
        ),
        (
            "## Poll for the state of `get_print`",
            "asks for another `get_print` call",
            "“Wait for the result (one call)”",
        ),
        (
            'If the state is "queued", wait 20 s and call `get_print` again.',
            'asks for another `get_print` call after 20 s while the state is "queued"',
            "“If it comes back “queued”, its wait ran out: say that it is still going, then call `get_print` once",
        ),
        (
            "Check `get_print` periodically.",
            "asks for another `get_print` call periodically",
            "“You will be told when it is over; do not check on it”, or have one call wait for it.",
        ),
        (
            "Look at the print with `get_print`.\nThen keep polling until it is “dry” or “torn”.",
            "asks for another `get_print` call until it is “dry” or “torn”",
            "“Call `get_print` once: it waits.",
        ),
        (
            "Poll with `press state --job <number>` every 5 s.",
            "asks for another `press state` call every 5 s",
            "Let one command own the loop: a script that runs `press state` until it is done or a deadline has passed.",
        ),
        (
            "Poll: `press state --job <number>` every 5 s.",
            "asks for another `press state` call every 5 s",
            "“Run it once: it waits. Run it again only if the deadline passed first.”",
        ),
        (
            "Poll `list_the_prints_that_are_still_wet_in_the_dryer` until `DryingStatus` leaves WET.",
            "asks for another `list_the_prints_that_are_still_wet_in_the_dryer` call until DryingStatus leaves WET",
            "Let the tool own the loop",
        ),
    ],
)
def test_a_poll_is_quoted_and_rewritten_by_its_shape(tmp_path: Path, words: str, message: str, instead: str) -> None:
    rule, found, help_ = said(tmp_path, words)
    assert rule == "loop/keep-calling"
    assert found == f"{message}: every lap is a full inference"
    assert instead in help_


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        ("Wait 5 s between calls of `get_print`.", "“Call `get_print` once: it waits.”"),
        (
            "On a rate limit, wait 60 s and then call `get_print` for the next number.",
            "“Rate limits are handled: call `get_print` normally.”",
        ),
        ("Wait 10 s for the change to propagate before calling `get_print`.", "try again until the change shows"),
    ],
)
def test_a_sleep_is_rewritten_by_its_cause(tmp_path: Path, words: str, instead: str) -> None:
    rule, message, help_ = said(tmp_path, words)
    assert rule == "loop/model-sleeps"
    assert message.startswith("tells the model to wait")
    assert instead in help_


@pytest.mark.parametrize(
    "words",
    [
        "Poll `await_proof` until it is proofed.",
        "Look at the proof with `await_proof`.\n\nPoll every 5 s until it is proofed.",
    ],
)
def test_a_tool_that_waits_is_contradicted_by_name(tmp_path: Path, words: str) -> None:
    rule, message, help_ = said(tmp_path, words)
    assert rule == "tell/prompt-contradicts-tool"
    assert message.startswith("asks for another `await_proof` call")
    assert "but the tool waits by itself, for up to 40 s" in message
    assert "“Call `await_proof` once: it waits, for up to 40 s.”" in help_


def test_a_process_that_a_tool_runs_on_its_way_is_no_wait_for_the_work(tmp_path: Path) -> None:
    server = SERVER.replace(
        "    return shop.read(number)",
        '    root = subprocess.run(["git", "status"], timeout=5)\n    return shop.read(number, root)',
    ).replace("import time", "import subprocess\nimport time")
    rule, _, _ = said(tmp_path, "Poll `get_print` until it is done.", server)
    assert rule == "loop/keep-calling"


def test_a_tool_that_is_only_named_for_when_is_not_the_one_to_poll(tmp_path: Path) -> None:
    server = SERVER.replace(
        '"""Get a print by its number."""', '"""Get a print by its number. Poll this after calling `start_print`."""'
    ).replace("async def", "def")
    server += (
        '\n\n@mcp.tool()\ndef start_print(sheet: str) -> dict:\n    """Print a sheet."""\n    return shop.send(sheet)\n'
    )
    (tmp_path / "waitlint.toml").write_text("root = true\n", encoding="utf-8")
    (tmp_path / "server.py").write_text(server, encoding="utf-8")
    (finding,) = [one for one in run(tmp_path).findings if one.rule == "loop/keep-calling"]
    assert finding.tools == ("get_print",)
    assert finding.message.startswith("asks for another `get_print` call: ")


def test_a_poll_of_what_another_tool_waits_for_names_that_one(tmp_path: Path) -> None:
    server = SERVER.replace("number: str", "print_id: str").replace("(number", "(print_id")
    rule, _, help_ = said(tmp_path, "Poll `get_print` until it is proofed.", server)
    assert rule == "loop/keep-calling"
    assert help_.startswith("`await_proof` waits for it, up to 40 s. Write: “Call `await_proof` once:")
