"""The loops of agents, found in another process while this one finds the tools and texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from waitlint.facts import FileFacts
from waitlint.linked import AgentLoop, AgentStart, Retry
from waitlint.project.agents import AgentFacts
from waitlint.project.documents import Documents
from waitlint.project.faults import Faults
from waitlint.project.sources import Sources
from waitlint.project.world import CODE

# From how many files of code on it is worth a process.
MANY = 400
Begin = Callable[[Callable[[], bytes]], Callable[[], bytes | None] | None]


class Found(Struct, frozen=True, array_like=True):
    """What was found, with the sources and documents that were looked up for it, and what failed meanwhile."""

    loops: tuple[AgentLoop, ...]
    retries: tuple[Retry, ...]
    starts: tuple[AgentStart, ...]
    sources: tuple[str, ...]
    documents: tuple[str, ...]
    faults: tuple[str, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Found)


def is_worth_it(files: Mapping[str, FileFacts]) -> bool:
    """Whether there is much code, all of it at hand: what a cache still holds can't be read by two processes."""
    at_hand = all(type(facts) is FileFacts for facts in files.values())
    return at_hand and sum(facts.language in CODE for facts in files.values()) >= MANY


def find(agents: AgentFacts, sources: Sources, documents: Documents, faults: Faults) -> bytes:
    loops, retries, starts = agents.loops, agents.retries, agents.starts
    return _ENCODER.encode(
        Found(loops, retries, starts, tuple(sources.asked), tuple(documents.asked), tuple(faults.found))
    )


def heard(data: bytes | None) -> Found | None:
    """What the other process has found; None where it has failed."""
    try:
        return _DECODER.decode(data) if data is not None else None
    except (msgspec.MsgspecError, RecursionError):
        return None
