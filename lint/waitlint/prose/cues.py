"""A cheap look at a text: can there be anything to read in it at all?"""

from __future__ import annotations

from waitlint.prose.languages import has_foreign_cue
from waitlint.prose.tokens import lower

LOOPS = (
    "poll", "until", "till", "again", "every", "each ", "keep", "continu", "periodic", "regular", "repeat", "loop", "wait",
    "sleep", "pause", "retry", "recheck", "re-", "interval", "once more", "block", "frequently", "constantly",
)  # fmt: skip
SAYINGS = (
    "status", "progress", "immediately", "right away", "background", "async", "fire-and-forget", "fire and forget",
    "minute", "hour", " min", "long-running", "long running", "a while", "a long time", "id", "uuid", "notif", "webhook",
    "callback", "automatically", "once", "single call", "one call", "returns when", "job", "task", "wake", "woken",
)  # fmt: skip
STOPS = (
    "at least", "minimum", "fewer than", "exactly", "tool call", "searches", "enough", "sufficient", "satisfied",
    "confident", "sure", "marker", "token", "at most", "max", "up to", "more than", "stuck", "no less", "judgment",
    "judgement",
)  # fmt: skip
_STRICT = (
    "poll", "until", "again", "every", "keep", "continu", "periodic", "repeat", "wait", "sleep", "interval",
    "check the status", "in the background", "returns immediately", "job id", "job_id", "task id", "task_id",
    "minutes", "notified", "notification", "tool call", "enough", "searches", " loop", "once", "async", "block", "status",
    "retry", "at least", "regularly", "till", "webhook", "hour", "long-running", "fire-and-forget", "recheck", "progress",
    "confident", "satisfied", "marker", "exact", "each ", "_id", "re-check", "immediately", "constantly", "frequently",
    "pause", "right away", "callback", "long running", "a while", "at most", "stop", "background", "sure", "tokens",
    "starts", "launch", "queue", "submit", "trigger", "max",
)  # fmt: skip


def cue(low: str) -> bool:
    """Whether a lower-cased piece of text may hold an intent."""
    return any(word in low for word in _STRICT) or has_foreign_cue(low)


def has_cue(value: str) -> bool:
    """Whether `read` may find anything in a text; if False, it finds nothing."""
    return cue(lower(value))
