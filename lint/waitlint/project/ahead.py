"""The loops of agents, found in another process while this one finds the tools and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from waitlint.facts import FileFacts
from waitlint.linked import AgentLoop, AgentStart, Retry
from waitlint.project.agents import AgentFacts
from waitlint.project.world import CODE

# From how many files of code on it is worth a process.
MANY = 400
Begin = Callable[[Callable[[], bytes]], Callable[[], bytes | None] | None]


class LookedUp(Struct, frozen=True, array_like=True):
    """The sources and documents that a process has looked up, by their paths, and what failed in it."""

    sources: tuple[str, ...]
    documents: tuple[str, ...]
    faults: tuple[str, ...]


class Found(Struct, frozen=True, array_like=True):
    loops: tuple[AgentLoop, ...]
    retries: tuple[Retry, ...]
    starts: tuple[AgentStart, ...]
    looked_up: LookedUp


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Found)


def is_worth_it(files: Mapping[str, FileFacts]) -> bool:
    """Whether there is much code."""
    return sum(facts.language in CODE for facts in files.values()) >= MANY


def find(agents: AgentFacts, looked_up: Callable[[], LookedUp]) -> bytes:
    return _ENCODER.encode(Found(agents.loops, agents.retries, agents.starts, looked_up()))


def heard(data: bytes | None) -> Found | None:
    """What the other process has found; None where it has failed."""
    try:
        return _DECODER.decode(data) if data is not None else None
    except (msgspec.MsgspecError, RecursionError):
        return None
