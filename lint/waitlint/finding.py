"""What is reported: a finding, its place, its evidence."""

from __future__ import annotations

import enum
import hashlib
import re

from msgspec import Struct

from waitlint.facts import Span
from waitlint.fix import Repair


class Severity(enum.StrEnum):
    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class Confidence(enum.StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Place(Struct, frozen=True, gc=False):
    """A span in a file. `path` is relative to the link root, with forward slashes."""

    path: str
    span: Span


class Evidence(Struct, frozen=True):
    """A place that a finding rests on, and what it shows."""

    place: Place
    message: str


class Finding(Struct, frozen=True):
    """A fault that is known, at the place whose change mends it.

    `scope` names the function, tool or text that the place belongs to and `excerpt` is the code or sentence that is at
    fault: with the rule they make the fingerprint, which survives moved lines and reworded messages. `tools` are the
    names of the tools that the fault touches, sorted.
    """

    rule: str
    severity: Severity
    confidence: Confidence
    place: Place
    message: str
    help: str
    scope: str
    excerpt: str
    tools: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    repair: Repair | None = None

    @property
    def fingerprint(self) -> str:
        normal = re.sub(r"\s+", " ", self.excerpt).strip().lower()
        data = "\0".join((self.rule, self.scope, normal))
        return hashlib.sha256(data.encode()).hexdigest()[:20]


class Because(enum.StrEnum):
    """Why a rule is quiet: what it asks for is met, the subject is no case for it, or that could not be told."""

    MET = "met"
    NO_CASE = "no case"
    UNKNOWN = "unknown"


class Quiet(Struct, frozen=True):
    """Why a rule has nothing to say of a subject: what `waitlint facts --why` and an audit show."""

    subject: str
    reason: str
    because: Because = Because.NO_CASE
