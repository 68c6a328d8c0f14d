"""Audits as JSON, and back: what is merged into one page."""

from __future__ import annotations

import msgspec

from waitlint.audit.model import VERSION, Audit


class BadAudit(Exception):
    """The data is no audit; the message says why."""


class _Versioned(msgspec.Struct):
    version: int
    repositories: msgspec.Raw


def render(audit: Audit) -> str:
    """An audit as indented JSON, as `waitlint.audit.model` describes it."""
    return msgspec.json.format(msgspec.json.encode(audit), indent=2).decode() + "\n"


def parse(data: bytes) -> Audit:
    """An audit from JSON. Raises BadAudit for what is none."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        if version != VERSION:
            raise BadAudit(f"it is an audit of version {version}, this waitlint knows version {VERSION}")
        return msgspec.json.decode(data, type=Audit)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadAudit(f"it is no audit: {error}") from error
