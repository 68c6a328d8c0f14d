"""What is written where: standard output, standard error, colour, a line of progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from typing import TextIO

from waitlint.output.styled import Line, coloured, plain


def wants_colour(stream: TextIO) -> bool:
    """Whether a stream is to be coloured: terminals are, unless `NO_COLOR` is set; `FORCE_COLOR` colours pipes too."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def show(lines: Iterable[Line]) -> None:
    """Write lines to standard output."""
    write((coloured if wants_colour(sys.stdout) else plain)(lines))


def write(text: str) -> None:
    """Write text to standard output as UTF-8. A reader that has gone away (`| head`) is no fault."""
    try:
        sys.stdout.flush()
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(text)
        else:
            buffer.write(text.encode("utf-8", "replace"))
            buffer.flush()
    except BrokenPipeError:
        silence_stdout()


def silence_stdout() -> None:
    """Let what is still written to standard output, and its last flush, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """Write a line to standard error."""
    try:
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


class Progress:
    """One line on a terminal that counts files, from the moment that the work turns out to be long."""

    PATIENCE = 0.5
    PACE = 0.1

    def __init__(self, *, quiet: bool) -> None:
        self.on = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.last = time.monotonic() + self.PATIENCE - self.PACE
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.on and now - self.last >= self.PACE:
            self.last, self.shown = now, True
            sys.stderr.write(f"\r\x1b[KReading {done} of {total} files")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False
