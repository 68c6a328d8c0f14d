"""How a tool waits, in a few words: the tool's contract as its caller feels it."""

from __future__ import annotations

from waitlint.linked import Ending, Tool, Wait

SHORTEST = 2.0
AT_THE_CAP = {
    Ending.LAST_STATE: "returns the last state at the cap",
    Ending.RAISES: "raises at the cap",
    Ending.ERROR: "returns an error at the cap",
    Ending.NOTHING: "returns nothing at the cap",
    Ending.LOOKS_DONE: "answers at the cap as if it were done",
}


def in_words(seconds: float) -> str:
    """A length of time as it is read aloud: `90 s`, `5 min`, `2 h`."""
    for size, name in ((3600, "h"), (60, "min")):
        if seconds >= 2 * size and seconds % size == 0:
            return f"{seconds / size:g} {name}"
    return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:.0f} s"


def waits_of(tool: Tool) -> list[Wait]:
    """The waits of a tool that are no part of another and not known to be over in a moment."""
    return [w for w in tool.waits if w.within is None and not (w.cap.known and w.cap.value < SHORTEST)]


def looks_of(tool: Tool) -> list[Wait]:
    """The waits in which a tool looks again, or blocks until work is done; a plain pause is none."""
    return [wait for wait in waits_of(tool) if wait.kind != "sleep"]


def longest(waits: list[Wait]) -> Wait:
    """The wait that says most: one without a cap, then one of unknown length, then the longest."""
    return max(waits, key=lambda wait: (wait.cap.absent, not wait.cap.known, wait.cap.value))


def contract(tool: Tool) -> str:
    """How the tool waits: `reads once`, `waits up to 90 s, returns the last state at the cap`."""
    waits = waits_of(tool)
    if waits:
        wait = longest(waits)
        if wait.cap.absent:
            return "waits without a cap"
        if not wait.cap.known:
            return "waits, for how long is unknown"
        if wait.kind == "sleep":
            return f"pauses for up to {in_words(wait.cap.value)}"
        if wait.kind == "call":
            return f"may block for up to {in_words(wait.cap.value)} in one call"
        ending = f", {AT_THE_CAP[wait.ending]}" if wait.ending in AT_THE_CAP else ""
        return f"waits up to {in_words(wait.cap.value)}{ending}"
    if not tool.body:
        return "its code is not in view"
    if not tool.understood:
        return "its code was not understood"
    if tool.reads:
        return "reads once" if len(tool.reads) == 1 else f"reads, in {len(tool.reads)} places, and does not wait"
    return "calls code that is not in view" if tool.unknown else "does not wait"
