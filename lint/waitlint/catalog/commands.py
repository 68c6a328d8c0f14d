"""Commands that are done at once: the table `commands.yaml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct

from waitlint.catalog.tables import mapping_of

JOINED = re.compile(r"\s*(?:&&|\|\|?|;|\n)\s*")
# A line of Python that prints something of what it imports.
PRINTS = re.compile(r"\s*(?:(?:import|from)\s[^;\n()]*[;\n]\s*)*print\([^;\n]*\);?\s*")
QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
TAKES_ONE = 2
REDIRECTED = re.compile(r"\d?>{1,2}\s*(?:&\d|\S+)")


class Commands(Struct, frozen=True):
    """`quick` are beginnings of commands that end at once, `asking` last words that make any do so, `except` others."""

    quick: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    except_: tuple[str, ...] = msgspec.field(name="except", default=())

    def are_quick(self, words: Sequence[str]) -> bool:
        """Whether a program with its arguments, as far as they are written down, ends at once."""
        if not words or set(words) & set(self.except_):
            return False
        if words[-1] in self.asking and ((len(words) == 4 and words[1] == "-m") or all(map(_is_option, words[1:-1]))):
            return True
        if len(words) == 3 and words[1] == "-c" and PRINTS.fullmatch(words[2]):
            return True
        program = (words[0].rpartition("/")[2], *_after_settings(words[1:]))
        return any(program[: len(known)] == known for known in self._beginnings())

    def asks(self, word: str) -> bool:
        """Whether a program that is given this word alone says what it is, and no more."""
        return word in self.asking

    def line_is_quick(self, line: str) -> bool:
        """Whether each command of a line for a shell ends at once."""
        parts = [part.split() for part in JOINED.split(QUOTED.sub("…", REDIRECTED.sub(" ", line))) if part.strip()]
        return bool(parts) and "$(" not in line and "`" not in line and all(self.are_quick(part) for part in parts)

    def _beginnings(self) -> list[tuple[str, ...]]:
        return [tuple(one.split()) for one in self.quick]


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-c"


def _after_settings(words: Sequence[str]) -> Sequence[str]:
    """The words of a command without the folder and the settings that it is given first: `git -C folder status`."""
    while len(words) > TAKES_ONE and words[0] in ("-C", "-c") and not words[TAKES_ONE].startswith("/"):
        words = words[TAKES_ONE:]
    return words


@cache
def load_commands() -> Commands:
    return msgspec.convert(mapping_of("commands.yaml"), Commands)
