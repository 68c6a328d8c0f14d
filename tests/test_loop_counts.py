"""How many laps a loop that is written by hand makes, as those who call it use it."""

from __future__ import annotations

from linking import linked
from waitlint.linked import AgentLoop

ASK_PY = """
from openai import OpenAI

client = OpenAI()


def ask(messages):
    return client.chat.completions.create(model="m", messages=messages, tools=[]).choices[0].message


"""
ASK_TS = """
import OpenAI from "openai";

const client = new OpenAI();

async function ask(messages: object[]) {
  return (await client.chat.completions.create({ model: "m", messages, tools: [] })).choices[0].message;
}

"""


def only_loop(path: str, code: str) -> AgentLoop:
    head = ASK_PY if path.endswith(".py") else ASK_TS
    loops = linked({path: head + code}).loops
    assert len(loops) == 1, [loop.excerpt for loop in loops]
    return loops[0]


INNER_PY = """
def grind(messages, most=10):
    laps = 0
    while laps < most:
        laps += 1
        said = ask(messages)
        if not said.tool_calls:
            return said
        messages.append(said)
    raise RuntimeError("not done")
"""


def test_a_wrapper_says_how_many_laps_there_are() -> None:
    wrapper = "\n\ndef mill(messages, most_laps=15):\n    return grind(messages, most=most_laps)\n"
    assert only_loop("mill.py", INNER_PY).steps.value == 10
    assert only_loop("mill.py", INNER_PY + wrapper).steps.value == 15


def test_a_last_lap_that_ends_before_it_asks_is_none() -> None:
    code = """
def grind(messages, most=10):
    laps = 0
    while True:
        laps += 1
        if laps >= most:
            raise RuntimeError("not done")
        said = ask(messages)
        if not said.tool_calls:
            return said
        messages.append(said)
"""
    assert only_loop("mill.py", code).steps.value == 9
    assert only_loop("mill.py", code.replace("laps >= most", "laps > most")).steps.value == 10


def test_a_cap_that_is_infinite_by_default_is_named() -> None:
    python = only_loop(
        "mill.py",
        """
def grind(messages, most: int = float("inf")):
    before = len(messages)
    while len(messages) - before < most:
        said = ask(messages)
        messages.append(said)
        if not said.tool_calls:
            return said
""",
    )
    typescript = only_loop(
        "mill.ts",
        """
export async function grind(messages: object[], most = Infinity) {
  const before = messages.length;
  while (messages.length - before < most) {
    const said = await ask(messages);
    messages.push(said);
    if (!said.tool_calls) return said;
  }
}
""",
    )
    for loop in (python, typescript):
        assert loop.steps.absent
        assert "< most` is no limit: it is infinite" in loop.steps.how


def test_a_lap_that_asks_and_then_finds_itself_the_last_counts() -> None:
    code = """
export async function grind(messages: object[], most = 3) {
  for (let lap = 0; ; lap++) {
    const said = await ask(messages);
    if (!said.tool_calls) return said;
    if (lap === most - 1) throw new Error("not done");
    messages.push(said);
  }
}
"""
    assert only_loop("mill.ts", code).steps.value == 3
    before = code.replace("    const said", "    if (lap === most) throw new Error();\n    const said", 1)
    assert (
        only_loop("mill.ts", before.replace('    if (lap === most - 1) throw new Error("not done");\n', "")).steps.value
        == 3
    )
