"""The order in which files come changes nothing in what is linked."""

from __future__ import annotations

from itertools import permutations

from linking import linked

FILES = {
    "words.py": """
        RULES = "You are a careful clerk. Keep calling `weigh` until the scales have come to rest, then answer."
    """,
    "clerk.py": """
        from words import RULES

        def ask(client, question):
            messages = [{"role": "system", "content": RULES}, {"role": "user", "content": question}]
            return client.chat.completions.create(model="m", messages=messages)
    """,
    "agent.py": """
        from agents import Agent
        from words import RULES

        clerk = Agent(name="clerk", instructions=f"{RULES}\\nAnswer in one sentence, and name the sack.")
    """,
    "scales.py": """
        import time
        from mcp.server.fastmcp import FastMCP
        from reading import at_rest

        mcp = FastMCP("scales")

        @mcp.tool()
        def weigh(sack: str) -> str:
            \"\"\"Weighs a sack.\"\"\"
            for _ in range(20):
                if at_rest(sack):
                    return "at rest"
                time.sleep(3)
            return "not yet"
    """,
    "reading.py": """
        import requests

        def at_rest(sack):
            return requests.get(f"https://scales.test/{sack}", timeout=5).json()["state"] == "rest"
    """,
}


def test_texts_tools_and_mentions_are_the_same_in_every_order() -> None:
    found = []
    for order in permutations(FILES):
        project = linked({path: FILES[path] for path in order})
        found.append((tuple(project.tools), tuple(project.texts), tuple(project.mentions), tuple(project.loops)))
    assert found[0][1]
    assert all(one == found[0] for one in found)
