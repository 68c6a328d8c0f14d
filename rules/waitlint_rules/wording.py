"""Sentences that several rules share."""

from __future__ import annotations

import re
from functools import lru_cache

from waitlint.linked import Bound, Reach, Read, Seconds, Tool, ToolText, Wait
from waitlint.names import words_of

HANDSHAKE = 15.0
CONNECTING = frozenset(
    ["connect", "connected", "connection", "reconnect", "handshake", "auth", "authenticate", "authenticated", "login"]
)
SHORTEST_WAIT = 2.0
RUNNERS = frozenset(
    {
        "run",
        "exec",
        "execute",
        "command",
        "commands",
        "shell",
        "bash",
        "terminal",
        "query",
        "sql",
        "code",
        "script",
        "python",
    }
)
RUNNER_LIMIT = 100.0
ONCE_MORE = 1
KEYS_KEPT = 4096
FEW_LAPS = 4
PERSON = re.compile(
    r"\b(?:approv|confirm|consent|sign(?:s|ed)? in|log(?:s|ged)? ?in|oauth|device code|authori[sz]|human|"
    r"ask (?:the |a )?(?:user|customer|person))",
    re.IGNORECASE,
)

ASKS_OR_WAITS = re.compile(
    r"\b(?:wait|until|block|paus|ask|prompt|request|poll|interactive|open(?:s|ing)? (?:a|the) browser)", re.IGNORECASE
)
SENTENCE_END = re.compile(r"[.!?:;]\s|\n\s*(?:\n|[-*\d])")
# A wait below so many seconds is for the next sign of work, not for its end.
LEAST_WAIT = 10.0


def in_seconds(value: float) -> str:
    """A number of seconds as it stands in a message."""
    return f"{value:.0f} s" if value >= 10 or value == int(value) else f"{value:.2g} s"


def how_known(seconds: Seconds) -> str:
    return f" ({seconds.how})" if seconds.how else ""


def is_runner(tool: Tool) -> bool:
    """Whether a tool runs what the model hands it, so that everybody knows it takes its time."""
    return bool(RUNNERS & set(words_of(tool.name)))


def is_retry(wait: Wait) -> bool:
    """Whether a loop only tries again a few times, with no state in view that it waits for."""
    counted = wait.bound is Bound.LAPS and wait.cap.known and wait.pause.known and wait.pause.value > 0
    laps = wait.cap.value / wait.pause.value if counted else 0.0
    return counted and laps <= (ONCE_MORE if wait.states else FEW_LAPS)


def is_for_a_person(tool: Tool) -> bool:
    """Whether a tool waits for what a person does, by its name or by a sentence that speaks of both."""
    if PERSON.search(" ".join(words_of(tool.name))):
        return True
    said = tool.description.text.value if tool.description is not None else ""
    return any(PERSON.search(sentence) and ASKS_OR_WAITS.search(sentence) for sentence in SENTENCE_END.split(said))


def real_waits(tool: Tool) -> list[Wait]:
    """The waits of a tool that are long enough to matter.

    One whose length is not known counts if it is a loop, and one without an end unless it is for a local process; for a
    command that ends at once nobody waits, and the few seconds of a handshake belong to the request after it.
    """
    found: list[Wait] = []
    for wait in tool.waits:
        if wait.of_quick_command or (wait.cap.known and wait.cap.value < SHORTEST_WAIT):
            continue
        if wait.kind == "call" and not wait.cap.known and not (wait.cap.absent and not wait.of_command):
            continue
        if not is_retry(wait) and not _is_a_handshake(wait, tool):
            found.append(wait)
    return found


def _is_a_handshake(wait: Wait, tool: Tool) -> bool:
    """Whether a helper waits a little until a connection stands, which the tool is not there to make."""
    if not wait.callers or not wait.cap.known or wait.cap.value > HANDSHAKE:
        return False
    return not CONNECTING.isdisjoint(words_of(wait.scope)) and CONNECTING.isdisjoint(words_of(tool.name))


def stands_in_line(wait: Wait) -> bool:
    """Whether a call only waits until its request is let through: the bound of that says nothing of the usual time."""
    words = set(words_of(wait.scope))
    queued = bool(words & {"queue", "enqueue"}) and bool(words & {"request", "call", "execution"})
    limited = {"rate", "limit"} <= words or bool(words & {"throttle", "throttled", "limiter", "ratelimit", "semaphore"})
    return wait.kind != "loop" and (queued or limited)


def waits_for_state(tool: Tool) -> list[Wait]:
    """The waits in which a tool looks again and again, or blocks until work is done; a plain pause is none."""
    return [wait for wait in real_waits(tool) if wait.kind != "sleep"]


def loops_in_place_of_model(tool: Tool) -> list[Wait]:
    """The waits that make the model's own asking needless: a command that runs for a while shows a state, no change."""
    return [wait for wait in waits_for_state(tool) if not wait.of_command]


def waits_for_the_work(tool: Tool) -> list[Wait]:
    """Of these, the waits that are long enough for work: in a few seconds only the next sign of it may come."""
    return [wait for wait in loops_in_place_of_model(tool) if not wait.cap.known or wait.cap.value >= LEAST_WAIT]


def longest(waits: list[Wait]) -> Wait:
    """The wait that says most: without a cap first, then the longest cap."""
    return max(waits, key=lambda wait: (wait.cap.absent, wait.cap.known, wait.cap.value))


def head_of_function(code: str) -> int:
    """The length of a function's head, up to the end of its parameters; all of its first line where that is odd."""
    first = code.partition("\n")[0]
    opened = code.find("(")
    arrow = code.find("=>")
    if opened < 0 or 0 <= arrow < opened:
        return arrow + 2 if arrow >= 0 else len(first.rstrip())
    depth = 0
    for index in range(opened, len(code)):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if depth == 0:
            return index + 1
    return len(first.rstrip())


def runs_plain_on_loop(tool: Tool) -> bool:
    """Whether the tool is a plain function that its framework runs on the event loop."""
    return not tool.is_async and tool.sync_runs == "inline"


def is_python(path: str) -> bool:
    return path.endswith((".py", ".pyi", ".ipynb"))


def explains_unfinished(text: ToolText) -> bool:
    """Whether a text says what to do when a wait comes back unfinished: the wording that is asked for, no polling."""
    return any(intent.kind == "call-again-if-unfinished" for intent in text.text.intents)


def late_reads(wait: Wait) -> list[Read]:
    """The reads that the deadline does not reach and that last longer than a pause."""
    if wait.bound not in (Bound.CLOCK, Bound.PAUSES):
        return []
    pause = wait.pause.value if wait.pause.known else 0.0
    missed = [read for read in wait.reads if read.deadline is Reach.MISSES]
    return [read for read in missed if read.timeout.absent or (read.timeout.known and read.timeout.value > pause)]


def shares_id(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two lists of ID keys have one in common, written in whatever way; a plain `id` fits any."""
    if not left or not right:
        return False
    wanted = [_plain_key(key) for key in right]
    plain = (_plain_key(key) for key in left)
    return any(key == other or (key == "id" and other.endswith("id")) for key in plain for other in wanted)


@lru_cache(KEYS_KEPT)
def _plain_key(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key.lower())


def shortened(code: str, most: int = 60) -> str:
    """Code as it stands in a message: on one line, and not long."""
    line = " ".join(code.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
