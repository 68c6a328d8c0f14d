"""Which waitlint is installed, and which parsers under it."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from functools import cache

from waitlint.looking import DIGEST, sign_of

PACKAGES = ("waitlint", "waitlint_rules")
PARSERS = ("tree_sitter", "tree_sitter_python", "tree_sitter_typescript", "yaml", "msgspec", "libcst", "pathspec")


@cache
def installed() -> bytes:
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
