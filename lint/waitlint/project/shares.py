"""The tools of a project built by several processes at once, each its share of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import process_time
from typing import TypeVar

import msgspec
from msgspec import Struct

from waitlint.linked import Tool
from waitlint.project.ahead import Begin, LookedUp

# So many tools, from everywhere, are built first: they tell how long the others will take.
TRIED = 24
# What is left is shared where it will take longer than this, in seconds of processor time.
LONG = 1.0
# Neighbours go to one process: what they have in common is found out once there.
TOGETHER = 8

One = TypeVar("One")


class Share(Struct, frozen=True, array_like=True):
    tools: tuple[Tool, ...]
    looked_up: LookedUp


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Share)


def built(
    wanted: Sequence[One],
    build: Callable[[One], Tool],
    begin: Begin | None,
    processes: int,
    looked_up: Callable[[], LookedUp],
    take_over: Callable[[LookedUp], None],
) -> list[Tool]:
    """The tool of each of what is `wanted`, in order, whichever of up to so many `processes` builds it.

    `looked_up` tells what a process has looked up and failed at, `take_over` takes that over from another one.
    """
    found: dict[int, Tool] = {}

    def build_here(positions: Sequence[int]) -> None:
        for position in positions:
            found[position] = build(wanted[position])

    tried = range(0, len(wanted), max(1, len(wanted) // TRIED))
    start = process_time()
    build_here(tried)
    left = [position for position in range(len(wanted)) if position not in found]
    expected = (process_time() - start) / max(1, len(tried)) * len(left)
    if begin is None or processes < 2 or expected < LONG:
        build_here(left)
    else:
        own, *others = _dealt(left, processes)

        def tell(positions: Sequence[int]) -> bytes:
            tools = tuple([build(wanted[position]) for position in positions])
            return _ENCODER.encode(Share(tools, looked_up()))

        answers = [(positions, begin(partial(tell, positions))) for positions in others]
        build_here(own)
        for positions, answer in answers:
            share = _heard(answer() if answer is not None else None, len(positions))
            if share is None:
                build_here(positions)
            else:
                found.update(zip(positions, share.tools, strict=True))
                take_over(share.looked_up)
    return [found[position] for position in range(len(wanted))]


def _dealt(positions: Sequence[int], processes: int) -> list[list[int]]:
    """Positions, dealt out a few neighbours at a time."""
    hands: list[list[int]] = [[] for _ in range(processes)]
    for turn, first in enumerate(range(0, len(positions), TOGETHER)):
        hands[turn % processes] += positions[first : first + TOGETHER]
    return [hand for hand in hands if hand]


def _heard(data: bytes | None, asked: int) -> Share | None:
    """What another process has built; None where it has failed."""
    try:
        share = _DECODER.decode(data) if data is not None else None
    except (msgspec.MsgspecError, RecursionError):
        return None
    return share if share is not None and len(share.tools) == asked else None
