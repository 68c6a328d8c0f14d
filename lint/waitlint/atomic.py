"""Files written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Replace a file's content, keeping its mode; a link's target is replaced, not the link. Raises OSError."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.write(data)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    """The mask of this process; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
