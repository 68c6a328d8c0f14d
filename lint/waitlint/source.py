"""One file's text: decoding, offsets in bytes, code points, lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from pathlib import Path

MAX_BYTES = 5_000_000
BOM = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """The file can't be scanned; the message is the reason, in words for the user."""


class Source:
    """The decoded text of a file, and the way back to its bytes.

    `text` holds every character after the byte order mark, newlines as they are in the file, so that offsets are exact.
    """

    def __init__(self, path: str, text: str, *, bom: bool = False) -> None:
        self.path = path
        self.text = text
        self.bom = bom

    @classmethod
    def from_bytes(cls, path: str, data: bytes, *, limit: int | None = MAX_BYTES) -> Source:
        """Decode UTF-8, with or without a byte order mark.

        Raises Unreadable for binary, oversized or undecodable data.
        """
        if limit is not None and len(data) > limit:
            raise Unreadable(f"larger than {limit / 1_000_000:g} MB")
        bom = data.startswith(BOM)
        if bom:
            data = data[len(BOM) :]
        elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise Unreadable("UTF-16, not UTF-8")
        if b"\0" in data[:8192]:
            raise Unreadable("binary")
        try:
            return cls(path, data.decode("utf-8"), bom=bom)
        except UnicodeDecodeError as error:
            raise Unreadable(f"not UTF-8 (byte {error.start})") from error

    @classmethod
    def read(cls, path: str | Path) -> Source:
        """Read a file. Raises Unreadable for whatever keeps it from being scanned."""
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError as error:
            raise Unreadable("vanished while it was to be read") from error
        except OSError as error:
            raise Unreadable(error.strerror or type(error).__name__) from error
        return cls.from_bytes(str(path), data)

    def to_bytes(self, text: str | None = None) -> bytes:
        """The bytes of `text` (or of this source) as they belong in the file."""
        encoded = (self.text if text is None else text).encode("utf-8")
        return BOM + encoded if self.bom else encoded

    @cached_property
    def data(self) -> bytes:
        """The text as UTF-8 without the byte order mark: what a byte-based parser is given."""
        return self.text.encode("utf-8")

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def _byte_to_char(self) -> list[int]:
        table: list[int] = []
        for index, char in enumerate(self.text):
            table.extend([index] * len(char.encode("utf-8")))
        table.append(len(self.text))
        return table

    def char(self, byte: int) -> int:
        """The code point offset of a byte offset in `data`."""
        return byte if self._is_ascii else self._byte_to_char[byte]

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        text, find = self.text, self.text.find
        position = find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = find("\n", position + 1)
        if "\r" in text:
            lone = [i + 1 for i, c in enumerate(text) if c == "\r" and text[i + 1 : i + 2] != "\n"]
            starts = sorted({*starts, *lone})
        return starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a code point offset, both from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its newline."""
        if not 1 <= line <= len(self._line_starts):
            return ""
        start = self._line_starts[line - 1]
        end = self._line_starts[line] if line < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    @cached_property
    def newline(self) -> str:
        """The newline that the file uses most at its beginning."""
        head = self.text[:4096]
        return "\r\n" if "\r\n" in head else "\n"
