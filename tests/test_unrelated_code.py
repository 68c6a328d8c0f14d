"""What is known of a tool does not depend on what else was looked at, nor on the order in which files come."""

from __future__ import annotations

from typing import Any

import msgspec

from linking import linked

GUARDED = {
    "app.py": """
        from mcp.server.fastmcp import FastMCP

        class Kilns(FastMCP):
            def __init__(self, name):
                super().__init__(name)
                self.may_heat = False

        app = Kilns("kilns")
    """,
    "server.py": """
        import argparse
        import functools
        import time

        import requests

        from app import app

        def heating(func):
            @functools.wraps(func)
            def wrapper(*args, **kwargs):
                if not app.may_heat:
                    raise PermissionError("this server only looks")
                return func(*args, **kwargs)

            return wrapper

        @app.tool()
        @heating
        def heat(kiln: str) -> str:
            \"\"\"Heat a kiln.\"\"\"
            while True:
                if requests.get(f"https://kiln.test/{kiln}", timeout=5).json()["state"] == "hot":
                    return "hot"
                time.sleep(2)

        def main():
            parser = argparse.ArgumentParser()
            args = parser.parse_args()
            app.may_heat = args.heat
            app.run()
    """,
}
UNRELATED = {
    "aaa.py": """
        from app import app

        def banner(words):
            shown = words.upper()
            return app.name + shown
    """,
    "zzz.py": """
        from server import main

        def start():
            banner = "kilns"
            main()
            return banner
    """,
}


def tools(files: dict[str, str]) -> dict[str, Any]:
    return {tool.name: msgspec.to_builtins(tool) for tool in linked(files).tools}


def test_a_flag_that_the_start_of_the_program_sets_leaves_the_tool_in_view() -> None:
    heat = tools(GUARDED)["heat"]
    assert [wait["excerpt"] for wait in heat["waits"]] == ["while True"]


def test_unrelated_files_change_nothing_wherever_they_come() -> None:
    alone = tools(GUARDED)
    assert tools({**UNRELATED, **GUARDED})["heat"] == alone["heat"]
    assert tools({**GUARDED, **UNRELATED})["heat"] == alone["heat"]
    assert tools(dict(reversed({**GUARDED, **UNRELATED}.items())))["heat"] == alone["heat"]


def test_a_name_costs_only_what_it_depends_on() -> None:
    """A prompt that stands behind much other work in a function is known all the same."""
    work = "\n".join(f"        rows_{n} = [load(line, {n}) for line in open('rows-{n}.txt')]" for n in range(400))
    files = {
        "agent.py": f"""
    from openai import OpenAI

    client = OpenAI()

    def load(line, number):
        parts = line.split(",")
        return {{"number": number, "left": parts[0].strip(), "right": parts[1].strip()}}

    def main():
        words = "You are a patient potter and answer in one short sentence."
{work}
        return client.chat.completions.create(
            model="m", messages=[{{"role": "system", "content": words}}]
        )
"""
    }
    assert any("patient potter" in text.text.value for text in linked(files).texts)
