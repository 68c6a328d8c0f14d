"""gunicorn: the timeout of its workers, on a command line or in the environment.

The timeout ends a request only in a synchronous worker. In an asynchronous or threaded one it is a heartbeat, which a
request that waits does not miss. uvicorn has no timeout for a request at all: its keep-alive counts between requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.limits.statement import NEVER, Hop, Statement, stated
from waitlint.limits.units import plain_seconds
from waitlint.source import Source

WHAT = "gunicorn timeout"
SYNCHRONOUS = ("sync", "gunicorn.workers.sync.SyncWorker")

_START = re.compile(r"(?<![\w./-])(?:[\w./-]*/)?gunicorn(?![\w=.-])|GUNICORN_CMD_ARGS[\"']?\s*[=:]\s*")
_PIECE = re.compile(r"\\\r?\n|\r?\n|&&|\|\||[;|]|[\[\]]|[^\s\"',\[\];|&\\]+|.", re.DOTALL)
_ITEM = re.compile(r"[ \t]*-[ \t]")
_FOLDED = re.compile(r":[ \t]*>[-+]?\s*$")
_INDENTED = re.compile(r"[ \t]+\S")
_DEFAULT = re.compile(r"\$\{\w+:-(\d+)\}")
_OPTIONS = {
    "-t": "timeout",
    "--timeout": "timeout",
    "-k": "class",
    "--worker-class": "class",
    "--threads": "threads",
}


def gunicorn(source: Source) -> Iterator[Statement]:
    """Every gunicorn that a file starts: in a Dockerfile, a Procfile, a compose file or a script."""
    for found in _START.finditer(source.text):
        line_start = source.text.rfind("\n", 0, found.start()) + 1
        if source.text[line_start : found.start()].lstrip().startswith(("#", "//")):
            continue
        yield from _options(source, list(_words(source.text, found.end())))


def _options(source: Source, words: list[tuple[str, int]]) -> Iterator[Statement]:
    threaded = False
    timeout: tuple[str, int, int] | None = None
    position = 0
    while position < len(words):
        word, start = words[position]
        position += 1
        name, equals, value = word.partition("=")
        option, at = _OPTIONS.get(name), start + len(name) + 1
        if option is None and word[:2] in _OPTIONS and not word.startswith("--"):
            option, value, at, equals = _OPTIONS[word[:2]], word[2:], start + 2, "="
        if option is None:
            continue
        if not equals:
            if position == len(words):
                break
            value, at = words[position]
            position += 1
        if option == "timeout":
            timeout = (value, start, at + len(value))
        else:
            threaded |= value not in SYNCHRONOUS if option == "class" else value != "1"
    if threaded:
        yield stated(source, NEVER, Hop.SERVER, WHAT, words[0][1], words[-1][1])
    elif timeout is not None:
        seconds = plain_seconds(_DEFAULT.sub(r"\1", timeout[0]))
        if seconds is not None:
            yield stated(source, seconds, Hop.SERVER, WHAT, timeout[1], timeout[2])


def _words(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The words of a command with their offsets: of a shell line, a JSON list, a YAML list or a folded YAML scalar."""
    line_start = text.rfind("\n", 0, start) + 1
    listed = bool(_ITEM.match(text, line_start))
    folded = bool(_FOLDED.search(text, 0, line_start))
    depth = text.count("[", line_start, start) - text.count("]", line_start, start)
    for piece in _PIECE.finditer(text, start):
        found = piece.group()
        if found == "[":
            depth += 1
        elif found == "]":
            depth -= 1
            if depth <= 0:
                return
        elif found in ("&&", "||", ";", "|"):
            return
        elif found in ("\n", "\r\n"):
            goes_on = (listed and _ITEM.match(text, piece.end())) or (folded and _INDENTED.match(text, piece.end()))
            if depth <= 0 and not goes_on:
                return
        elif not found[0].isspace() and found[0] not in "\"',&\\":
            if listed and found == "-":
                continue
            yield found, piece.start()
