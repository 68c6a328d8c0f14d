"""What a repository states about a timeout, and how it counts."""

from __future__ import annotations

import enum

from msgspec import Struct

from waitlint.facts import Span
from waitlint.finding import Place
from waitlint.source import Source

NEVER = float("inf")


class Hop(enum.StrEnum):
    """What it is that gives up.

    A `proxy` stands in front and closes a silent connection; a `server` ends the code itself; a `client` is what calls
    an MCP server.
    """

    PROXY = "proxy"
    SERVER = "server"
    CLIENT = "client"


class Statement(Struct, frozen=True):
    """One timeout that a file states.

    `seconds` is `NEVER` where it says that there is none. `what` names the setting, and statements of the same `what`
    are alternatives. `about` are globs, from the root, of the files that it is about; it holds for other files of its
    package too if it is `loose`. `tools` are the names of the tools that it is about, if it names them. `renewed` says
    whether a report of progress starts it anew, None where that is not known. `package` is the folder, relative to the
    root, that it speaks of; None for the folder of the file itself. `default` where the file only shows what is there,
    and the number is what that does by default.
    """

    seconds: float
    hop: Hop
    what: str
    place: Place
    about: tuple[str, ...] = ()
    loose: bool = True
    tools: tuple[str, ...] = ()
    renewed: bool | None = None
    package: str | None = None
    default: bool = False


def stated(source: Source, seconds: float, hop: Hop, what: str, start: int, end: int) -> Statement:
    """A statement of a source, at some of its characters. A proxy's count starts anew with each byte."""
    renewed = True if hop is Hop.PROXY else False if hop is Hop.SERVER else None
    return Statement(seconds, hop, what, Place(source.path, Span(start, end)), renewed=renewed)
