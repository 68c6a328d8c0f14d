"""What linking found out about code, kept for the next run.

Documents change more often than code, and what code says does not hang on them, but for those that it reads. So the
tools, loops and texts of code are kept under a digest of all files that are no prose, with what was looked up besides:
sources such as lock files, and documents, each with a digest of what was there, or that nothing was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waitlint.catalog.own import OwnRows
from waitlint.deferred import whole
from waitlint.facts import FileFacts
from waitlint.project.codelinks import CodeLinks, decoded, encoded
from waitlint.project.documents import PROSE, Documents
from waitlint.project.sources import Sources

DIGEST = 16
NOTHING = b""
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


class Keep(Struct, frozen=True):
    """Where results are kept. `keys` are digests of the content, path and surface of files, by their path."""

    keys: Mapping[str, bytes]
    load: Callable[[bytes], bytes | None]
    store: Callable[[bytes, bytes], None]


class KeptLinks:
    """The entry of one project among what is kept."""

    def __init__(
        self, files: Mapping[str, FileFacts], own: OwnRows, sources: Sources, documents: Documents, keep: Keep
    ) -> None:
        self.sources = sources
        self.documents = documents
        self.keep = keep
        self.in_key = {path for path, facts in files.items() if facts.language not in PROSE}
        self.key = _key_of(files, own, [keep.keys.get(path) for path in files if path in self.in_key])

    def found(self) -> CodeLinks | None:
        """What an earlier run found, if all that it looked up is still the same."""
        data = self.keep.load(self.key) if self.key is not None else None
        if data is None:
            return None
        links = decoded(data)
        if links is None:
            return None
        if any(_of_source(self.sources, path) != digest for path, digest in links.sources.items()):
            return None
        if any(_of_document(self.documents, path) != digest for path, digest in links.documents.items()):
            return None
        return links

    def remember(self, links: CodeLinks, asked: Collection[str]) -> None:
        """Keep what linking found. `asked` are the sources that were looked up for it in this run."""
        if self.key is None:
            return
        looked_up = (*links.sources, *asked)
        sources = {path: _of_source(self.sources, path) for path in looked_up if path not in self.in_key}
        documents = {path: _of_document(self.documents, path) for path in (*links.documents, *self.documents.asked)}
        try:
            self.keep.store(self.key, encoded(replace(links, sources=sources, documents=documents)))
        except RecursionError:
            return


def _key_of(files: Mapping[str, FileFacts], own: OwnRows, keys: list[bytes | None]) -> bytes | None:
    """The key of what linking some files gives; None where one of them has none."""
    if any(key is None for key in keys):
        return None
    digest = hashlib.blake2b(_ENCODER.encode(own), digest_size=DIGEST)
    digest.update(b"".join(key for key in keys if key is not None))
    folders = sorted({path.rpartition("/")[0] for path in files})
    digest.update("\0".join(folders).encode("utf-8", "surrogateescape"))
    return digest.digest()


def _of_source(sources: Sources, path: str) -> bytes:
    source = sources.get(path)
    if source is None or not source.text:
        return NOTHING
    return hashlib.blake2b(source.text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


def _of_document(documents: Documents, path: str) -> bytes:
    found = documents.look(path)
    if found is None:
        return NOTHING
    encoded = _ENCODER.encode((found[0], whole(found[1])))
    return hashlib.blake2b(encoded, digest_size=DIGEST).digest()
