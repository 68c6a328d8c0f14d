"""Code to write where no repair can be right, in the language of the place and with its own names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from waitlint.linked import Read, Tool
from waitlint.names import unit_told
from waitlint_rules.wording import is_python, shortened

MOST_STEPS = 25
PAUSE = 5.0
SHOWN = 20_000
_ITEM = re.compile(r"(?P<table>[\w.]+)(?:\[(?P<key>[^\[\]]+)\]|\.get\((?P<got>[^(),]+)\))\Z")


def counted(path: str) -> str:
    """A loop over a number of steps."""
    if is_python(path):
        return f"for step in range({MOST_STEPS}):"
    return f"for (let step = 1; step <= {MOST_STEPS}; step++)"


def raised(path: str, words: str) -> str:
    return f'raise RuntimeError("{words}")' if is_python(path) else f'throw new Error("{words}")'


def clock(path: str, seconds: float) -> str:
    """A deadline, set before a loop."""
    if is_python(path):
        return f"deadline = time.monotonic() + {seconds:g}"
    return f"const deadline = Date.now() + {int(seconds * 1000):_}"


def is_over(path: str) -> str:
    """The test of that deadline."""
    return "time.monotonic() > deadline" if is_python(path) else "Date.now() > deadline"


def pause(path: str, seconds: float, *, waits: bool, signal: str = "") -> str:
    """A pause between two laps; `waits` where the function may await it."""
    if is_python(path):
        return f"{'await asyncio' if waits else 'time'}.sleep({seconds:g})"
    options = f", undefined, {{ {'signal' if signal == 'signal' else f'signal: {signal}'} }}" if signal else ""
    return f"await setTimeout({int(seconds * 1000):_}{options})"


def cut(path: str, code: str) -> str:
    """A text that is cut short."""
    return f"{shortened(code)}[:{SHOWN:_}]" if is_python(path) else f"{shortened(code)}.slice(0, {SHOWN:_})"


def refused(path: str, lookup: str) -> str:
    """A name of a tool that is refused where it is not known, out of the code that looks it up."""
    found = _ITEM.search(" ".join(lookup.split()))
    if found is None:
        known = "if name not in tools: …" if is_python(path) else "if (!(name in tools)) …"
        return f"{known}` before `{shortened(lookup)}"
    table, key = found["table"], (found["key"] or found["got"]).strip()
    return f"if {key} not in {table}: …" if is_python(path) else f"if (!({key} in {table})) …"


def either(path: str, states: Sequence[str]) -> str:
    """A test for several states."""
    listed = ", ".join(f'"{state}"' for state in states)
    return f"in ({listed})" if is_python(path) else f"[{listed}].includes(…)"


def fewest(path: str, name: str, laps: int) -> str:
    """An argument that is no more than so many laps."""
    return f"min({name}, {laps})" if is_python(path) else f"Math.min({name}, {laps})"


def least(path: str, name: str, seconds: float) -> str:
    """An argument that is no longer than so many seconds, in the unit that its name tells; "" where it tells none."""
    unit = unit_told(name) or (1.0 if is_python(path) else None)
    if unit is None or seconds < unit:
        return ""
    return f"min({name}, {seconds / unit:g})" if is_python(path) else f"Math.min({name}, {seconds / unit:.0f})"


def answered(tool: Tool) -> str:
    """What a tool returns that has started work and does not wait for it."""
    path = (tool.handler or tool.place).path
    key = next(iter(tool.gives), "job_id" if is_python(path) else "jobId")
    if is_python(path):
        return f'return {{"{key}": {key}, "state": "started"}}'
    return f'return {{ {key}, state: "started" }}'


def call_of(read: Read, most: int = 60) -> str:
    """A read as it stands in the code, or its name where that is long."""
    line = " ".join(read.excerpt.split())
    return line if len(line) <= most else f"{read.called}(…)"


def waiting(tool: Tool, call: str, test: tuple[str, str], seconds: float) -> list[str]:
    """The body of a status tool that waits: `call` is its read, `test` the field and the state of unfinished work."""
    return (
        _in_python(tool, call, test, seconds) if is_python(tool.place.path) else _in_script(tool, call, test, seconds)
    )


def _in_python(tool: Tool, call: str, test: tuple[str, str], seconds: float) -> list[str]:
    call = call.removeprefix("await ")
    name, _, arguments = call.partition("(")
    if tool.is_async:
        read, nap = f"await {call}", f"await asyncio.sleep({PAUSE:g})"
    elif tool.sync_runs == "thread":
        read, nap = call, f"time.sleep({PAUSE:g})"
    else:
        handed = f"{name}, {arguments}" if arguments != ")" else f"{name})"
        read, nap = f"await asyncio.to_thread({handed}", f"await asyncio.sleep({PAUSE:g})"
    field, state = test
    unfinished = f'last["{field}"] == "{state}"' if field and state else "not is_done(last)"
    return [
        f"    deadline = time.monotonic() + {seconds:g}",
        f"    last = {read}",
        f"    while {unfinished} and time.monotonic() + {PAUSE:g} < deadline:",
        f"        {nap}",
        f"        last = {read}",
        "    return last",
    ]


def _in_script(tool: Tool, call: str, test: tuple[str, str], seconds: float) -> list[str]:
    call = call.removeprefix("await ")
    stop = tool.stop_at[1] if tool.stop_at is not None and re.search(rf"\b{re.escape(tool.stop_at[1])}\b", call) else ""
    bounded = re.sub(rf"\b{re.escape(stop)}\b", "signal", call) if stop else call
    mark = "?" if stop == "abortSignal" else ""
    field, state = test
    unfinished = f'last.{field} === "{state}"' if field and state else "!isDone(last)"
    both = f"AbortSignal.any([{stop}, over])"
    return [
        f"    const over = AbortSignal.timeout({int(seconds * 1000):_});",
        f"    const signal = {f'{stop} ? {both} : over' if mark else both if stop else 'over'};",
        f"    let last = await {bounded};",
        "    try {",
        f"      while ({unfinished}) {{",
        f"        await setTimeout({int(PAUSE * 1000):_}, undefined, {{ signal }});",
        f"        last = await {bounded};",
        "      }",
        "    } catch (error) {",
        f"      if ({f'{stop}{mark}.aborted || ' if stop else ''}!over.aborted) throw error;",
        "    }",
        "    return last;",
    ]
