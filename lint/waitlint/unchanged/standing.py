"""All that a run concluded, whatever was asked of it, in a form in which a later run can take it up again.

Each finding is kept with the text that it was said of. So where nothing but the words of some documents has changed,
what was said of these is left out, they alone are judged anew, and everything else still stands.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from waitlint.facts import Comment
from waitlint.finding import Finding, Place
from waitlint.linter import Raised
from waitlint.looking import Looked
from waitlint.report import Reported, RuleCard, Skipped


class Seen(Struct, frozen=True, array_like=True):
    """A file that was read. `copies` are as in `waitlint.gathering.Member`, `key` is that of its facts in the cache."""

    language: str
    surface: str
    vendored: bool = False
    problems: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    key: bytes = b""


class Prose(Struct, frozen=True, array_like=True):
    """A document of which nothing but its own texts hangs on what it says.

    `links` and `lends` are those of its facts: where they change, more changes than what is said of its own texts.
    `means` are the names of the tools that its sentences speak of.
    """

    links: tuple[str, ...]
    lends: int
    means: tuple[str, ...]


class Marking(Struct, frozen=True, array_like=True):
    """A tool that stands where a comment may silence what is said of it."""

    name: str
    place: Place
    definition: Place | None


class Commented(Struct, frozen=True, array_like=True):
    """A file with comments that may silence something."""

    language: str
    surface: str
    comments: tuple[Comment, ...]


class Linked(Struct, frozen=True, array_like=True):
    """What was concluded of the files under one link root. Paths are relative to it, but for `root` and `folders`.

    `unread` are files that could not be read. `judged` is False where nobody has judged the rest: then nothing is known
    but what was read. `granted` are documents that linking has brought into view, `states` files that seem to state an
    idle timeout. `key` is that of what is known of the code. `skills` are the folders of skills, each with what it
    lends to the texts in it. `spoken_of` are names of tools of which it was asked what the texts say of them. `folders`
    are one for each configuration that holds somewhere. `unknown` counts what is not known of tools, by their files.
    """

    root: str
    members: dict[str, Seen]
    states: tuple[str, ...]
    unread: tuple[str, ...]
    judged: bool = False
    granted: tuple[str, ...] = ()
    key: bytes = b""
    prose: dict[str, Prose] = {}
    skills: dict[str, int] = {}
    spoken_of: tuple[str, ...] = ()
    raised: tuple[Raised, ...] = ()
    commented: dict[str, Commented] = {}
    marked: tuple[Marking, ...] = ()
    folders: tuple[str, ...] = ()
    unknown: dict[str, dict[str, int]] = {}


class Entries(Struct, frozen=True, array_like=True):
    """All files below the root of the view, each with its sign, and whether it is `FOREIGN` or `INERT`.

    An inert file is not read for what its path says, and no one looks into it for anything else.
    """

    paths: list[str]
    signs: list[bytes]
    flags: bytes
    pruned: list[tuple[str, str]]


FOREIGN, INERT = 1, 2


class Standing(Struct, frozen=True, array_like=True):
    """What a run concluded and what it looked at.

    `names` are those of all rules, `of_texts` the modules of those that are about texts. `left_out` are files that were
    not read, by absolute path. `told` are findings as they were reported, by the absolute path of the file that they
    stand in and `told_key`, and `cards` their rules. `versions` are those of `waitlint.cache`, of engine and linking.
    """

    looked: Looked
    entries: Entries
    names: tuple[str, ...]
    of_texts: tuple[str, ...]
    groups: tuple[Linked, ...]
    left_out: tuple[Skipped, ...]
    told: dict[str, dict[bytes, Reported]]
    cards: dict[str, RuleCard]
    versions: tuple[bytes, bytes]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Standing)


def encoded(standing: Standing) -> bytes | None:
    """None for what can't be kept: a path that is no UTF-8, say."""
    try:
        return _ENCODER.encode(standing)
    except (UnicodeEncodeError, RecursionError):
        return None


def decoded(data: bytes) -> Standing | None:
    """What was kept; None where the data is none of ours."""
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return None


def told_key(finding: Finding) -> bytes:
    """What tells the findings in one file apart."""
    return _ENCODER.encode((finding.rule, finding.place.span, finding.message, finding.tools))
