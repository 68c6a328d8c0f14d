"""Digests of the contents of files, known from an earlier run by what the file system says of them."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from pathlib import Path

import msgspec

from waitlint.cache import FactCache
from waitlint.looking import DIGEST, digest_of, is_settled, sign_of, status_of

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(dict[str, tuple[bytes, bytes]])


class Contents:
    """What is known of the files under a root: by their paths, their signs and the digests of their contents."""

    def __init__(self, cache: FactCache, root: Path) -> None:
        self._cache = cache
        self._key = hashlib.blake2b(os.fsencode(root), digest_size=DIGEST).digest()
        self._known: dict[str, tuple[bytes, bytes]] = {}
        self._used: dict[str, tuple[bytes, bytes]] = {}
        data = cache.load_contents(self._key)
        if data is not None:
            try:
                self._known = _DECODER.decode(data)
            except msgspec.MsgspecError:
                return

    def digest(self, path: str) -> bytes | None:
        """The digest of a file's content, if the file is as it was when the content was last looked at."""
        known = self._known.get(path)
        if known is None:
            return None
        status = status_of(path)
        if status is None or not stat.S_ISREG(status.st_mode) or sign_of(status) != known[0]:
            return None
        self._used[path] = known
        return known[1]

    def learn(self, path: str, content: bytes) -> bytes:
        """The digest of a content that was just read from a file."""
        digest = digest_of(content)
        status = status_of(path)
        if status is not None and stat.S_ISREG(status.st_mode) and is_settled(status, time.time_ns()):
            self._used[path] = sign_of(status), digest
        return digest

    def keep(self) -> None:
        """Keep what is known of the files that this run has met."""
        if self._used == self._known:
            return
        try:
            data = _ENCODER.encode(self._used)
        except UnicodeEncodeError:  # a path that is no UTF-8
            return
        self._cache.store_contents(self._key, data)
