"""What a whole run said, kept for the next one: where nothing that it looked at has changed, that is said again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from waitlint.baseline import Baseline
from waitlint.cache import FOLDER, FactCache, take_versions
from waitlint.config import Configs
from waitlint.discovery.listing import list_files
from waitlint.gathering import view_around, views
from waitlint.installed import installed
from waitlint.linter import Demand, Outcome
from waitlint.looking import DIGEST, Looked, Looking, is_same
from waitlint.report import Report, Reported
from waitlint.scanning import Request, Scan
from waitlint.unchanged.standing import Standing, decoded, encoded


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
        self._request, self._demand, self._baseline, self._looking = request, demand, baseline, looking
        configs = Configs(isolated=request.isolated)
        if request.by_hand:
            self._view = views(request.paths, request.root, configs)[0]
        else:
            self._view = view_around(request.cwd, request.paths, request.root, configs)
        self._folder = request.cache_folder or self._view.root / FOLDER
        self._own = Looking()
        for path in (*request.paths, *((baseline,) if baseline is not None else ())):
            self._own.see(os.fspath(path))
        asked = (
            request.cwd,
            request.paths,
            request.root,
            request.isolated,
            request.by_hand,
            demand,
            baseline,
        )
        self._key = _digest(asked)

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
        if looked.fresh and not self._looking.fresh and not self._own.fresh:
            self._store(Looked(looked.seen, looked.folders, looked.listed, {}), kept.said)
        return kept.said

    def renewed(self, known: Baseline | None) -> Said | None:
        """What this run says, if since an earlier one nothing has changed but the words of some documents.

        That may have been asked for other files. `known` is the baseline.
        """
        key = self._standing_key
        if key is None:
            return None
        with closing(FactCache(self._folder)) as cache:
            data = cache.load_standing(key)
        standing = decoded(data) if data is not None else None
        if standing is None:
            return None
        take_versions(*standing.versions)  # its key says that the code is the same
        from waitlint.unchanged.renewing import Renewal

        request = self._request
        renewal = Renewal(standing, self._view, request.cwd, self._demand, self._folder, self._looking)
        renewed = renewal.run(isolated=request.isolated, baseline=known)
        if renewed is None:
            return None
        self._store_standing(renewed.standing)
        return Said(renewed.report, renewed.failing)

    def keep(self, said: Said) -> None:
        """Keep what the run said for the next one."""
        looked, own = self._looking.looked(), self._own.looked()
        seen, fresh = {**own.seen, **looked.seen}, {**own.fresh, **looked.fresh}
        self._store(Looked(seen, looked.folders, looked.listed, fresh), said)

    def keep_all(self, scan: Scan, outcome: Outcome, report: Report, told: Sequence[Reported]) -> None:
        """Keep all that was concluded for a run that is asked of other files; `told` is as in `standing_of`."""
        if self._standing_key is None:
            return
        from waitlint.unchanged.keeping import standing_of

        standing = standing_of(self._view.root, scan, outcome, report, told, self._looking)
        if standing is not None:
            self._store_standing(standing)

    @property
    def _standing_key(self) -> bytes | None:
        """The key of all that was concluded; None where what was asked for decides what is looked at."""
        request, view = self._request, self._view
        if request.by_hand and request.paths != (view.root,):
            return None
        return _digest((request.cwd, view.root, view.fixed, request.isolated, self._demand))

    def _store_standing(self, standing: Standing) -> None:
        data = encoded(standing)
        if data is not None:
            with closing(FactCache(self._folder)) as cache:
                cache.store_standing(self._standing_key or b"", data)

    def _store(self, looked: Looked, said: Said) -> None:
        try:
            data = _ENCODER.encode(_Kept(looked, said))
        except UnicodeEncodeError:  # a path that is no UTF-8
            return
        with closing(FactCache(self._folder)) as cache:
            cache.store_run(self._key, data)


def _digest(asked: object) -> bytes:
    digest = hashlib.blake2b(installed(), digest_size=DIGEST)
    digest.update(msgspec.json.encode(asked, enc_hook=os.fsencode, order="deterministic"))
    return digest.digest()
