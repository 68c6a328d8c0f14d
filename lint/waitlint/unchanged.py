"""What a whole run said, kept for the next one: where nothing that it looked at has changed, that is said again."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from waitlint.cache import FOLDER, FactCache
from waitlint.config import Configs
from waitlint.discovery.listing import list_files
from waitlint.gathering import view_around, views
from waitlint.linter import Demand
from waitlint.looking import DIGEST, Looked, Looking, is_same, note, sign_of
from waitlint.report import Report
from waitlint.scanning import Request

PACKAGES = ("waitlint", "waitlint_rules")
PARSERS = ("tree_sitter", "tree_sitter_python", "tree_sitter_typescript", "yaml", "msgspec", "libcst", "pathspec")


class Said(Struct, frozen=True, array_like=True):
    """What a run said: its report, and how many findings are severe enough to fail it."""

    report: Report
    failing: int


class _Kept(Struct, frozen=True, array_like=True):
    looked: Looked
    said: Said


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Kept)


class LastRun:
    """The entry of one request among the runs that are kept. `looking` notes what this run looks at.

    Raises `waitlint.config.ConfigError` where the folder of the cache hangs on a configuration that can't be used.
    """

    def __init__(self, request: Request, demand: Demand, baseline: Path | None, looking: Looking) -> None:
        self._looking = looking
        self._folder = request.cache_folder or _root(request) / FOLDER
        for path in (*request.paths, *((baseline,) if baseline is not None else ())):
            note(path)
        asked = (
            request.cwd,
            request.paths,
            request.root,
            request.isolated,
            request.by_hand,
            demand,
            baseline,
        )
        digest = hashlib.blake2b(_installed(), digest_size=DIGEST)
        digest.update(msgspec.json.encode(asked, enc_hook=os.fsencode, order="deterministic"))
        self._key = digest.digest()

    def said(self) -> Said | None:
        """What the run said, if all that it looked at is the same."""
        with closing(FactCache(self._folder)) as cache:
            data = cache.load_run(self._key)
        if data is None:
            return None
        try:
            kept = _DECODER.decode(data)
        except (msgspec.MsgspecError, RecursionError):
            return None
        looked = kept.looked
        if not is_same(looked):
            return None
        for root in looked.listed:
            list_files(root)
        if any(self._looking.listed.get(root) != digest for root, digest in looked.listed.items()):
            return None
        if looked.fresh and not self._looking.fresh:
            self._store(Looked(looked.seen, looked.folders, looked.listed, {}), kept.said)
        return kept.said

    def keep(self, said: Said) -> None:
        """Keep what the run said for the next one."""
        self._store(self._looking.looked(), said)

    def _store(self, looked: Looked, said: Said) -> None:
        try:
            data = _ENCODER.encode(_Kept(looked, said))
        except UnicodeEncodeError:  # a path that is no UTF-8
            return
        with closing(FactCache(self._folder)) as cache:
            cache.store_run(self._key, data)


def _root(request: Request) -> Path:
    configs = Configs(isolated=request.isolated)
    if request.by_hand:
        return views(request.paths, request.root, configs)[0].root
    return view_around(request.cwd, request.paths, request.root, configs).root


def _installed() -> bytes:
    """What changes when another waitlint, or another parser under it, is installed."""
    digest = hashlib.blake2b(sys.version.encode(), digest_size=DIGEST)
    for name in (*PACKAGES, *PARSERS):
        found = importlib.util.find_spec(name)
        if found is None or found.origin is None:
            continue
        digest.update(name.encode())
        if name in PACKAGES:
            _add_folder(digest, os.path.dirname(found.origin))
        else:
            digest.update(os.fsencode(found.origin) + sign_of(os.stat(found.origin)))
    return digest.digest()


def _add_folder(digest: hashlib.blake2b, folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    _add_folder(digest, entry.path)
            else:
                digest.update(os.fsencode(entry.name) + sign_of(entry.stat()))
