"""Which functions are run to see whether a loop of theirs asks a model: a shared name alone is not enough."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from linking import linked
from waitlint.project.agents.loops import HandWritten
from waitlint.project.agents.roots import Root
from waitlint.project.agents.runs import AgentRun

FILES = {
    "weaver.py": """
        from openai import OpenAI

        client = OpenAI()

        class Weaver:
            def step(self, messages):
                reply = client.chat.completions.create(model="m", messages=messages)
                return reply.choices[0].message

        class Loom:
            def step(self, messages):
                return [thread.strip() for thread in messages]
    """,
    "mill.py": """
        from weaver import Loom, Weaver

        def asks(messages):
            weaver = Weaver()
            while True:
                said = weaver.step(messages)
                if not said.tool_calls:
                    return said
                messages.append(said)

        def weaves(messages):
            loom = Loom()
            while messages:
                messages = loom.step(messages)
            return messages

        def asks_from_afar(messages):
            while True:
                said = one_round(messages)
                if not said.tool_calls:
                    return said

        def one_round(messages):
            return Weaver().step(messages)
    """,
}
Runs = Callable[[HandWritten, Root], AgentRun]


def ran(monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> tuple[set[str], set[str]]:
    """The names of the functions that were run, and of those in which a loop was found."""
    run: Runs = HandWritten._run
    seen: set[str] = set()

    def noted(by_hand: HandWritten, root: Root) -> AgentRun:
        seen.add(by_hand.world.files[root.path].functions[root.index].name if root.index is not None else root.path)
        return run(by_hand, root)

    monkeypatch.setattr(HandWritten, "_run", noted)
    return {loop.scope for loop in linked(files).loops}, seen


def test_a_function_is_run_where_its_calls_lead_to_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    loops, run = ran(monkeypatch, FILES)
    assert loops == {"asks", "asks_from_afar"}
    assert run == {"asks", "asks_from_afar"}


def test_the_order_of_files_is_nothing_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran(monkeypatch, FILES) == ran(monkeypatch, dict(reversed(FILES.items())))


def test_what_a_class_leaves_to_its_heirs_may_lead_to_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    base = """
        class Worker:
            def step(self, messages):
                raise NotImplementedError

            def work(self, messages):
                while True:
                    said = self.step(messages)
                    if not said.tool_calls:
                        return said
    """
    heir = """
        from openai import OpenAI

        from base import Worker

        client = OpenAI()

        class Weaver(Worker):
            def step(self, messages):
                reply = client.chat.completions.create(model="m", messages=messages)
                return reply.choices[0].message
    """
    loops, _ = ran(monkeypatch, {"base.py": base, "heir.py": heir})
    assert loops == {"work"}
