"""A cheap look at a text: can there be anything to read in it at all?"""

from __future__ import annotations

from waitlint.prose.languages import has_foreign_cue
from waitlint.prose.tokens import lower

# Every intent needs one of these stems in its block; they are looked up as plain substrings of the lower-cased text.
_STEMS = (
    "poll", "until", "till", "again", "every", "each ", "keep", "continu", "periodic", "regularly", "repeat", "loop",
    "wait", "sleep", "pause", "interval", "block", "constantly", "frequently", "intermittent", "occasional", "retry",
    "recheck", "re-check", "once", "status", "progress", "async", "background", "immediately", "right away", "forget",
    "minute", "hour", "long-running", "long running", "a while", "a long time", "notif", "webhook", "callback", "_id",
    "job id", "task id", "uuid", "automatically", "wake", "one call", "single call", "single tool call", "tool call",
    "search", "enough", "sufficient", "satisfied", "confident", "certain", "at least", "minimum", "at most", "exactly",
    "more than", "marker", "token", "returns when", "launch", "enqueue", "queue", "kick", "trigger", "submit",
    "starts a", "start a", "backoff", "return", "state", "finish", "exact", "done", "delay",
)  # fmt: skip


def cue(low: str) -> bool:
    """Whether a lower-cased piece of text may hold an intent."""
    return any(word in low for word in _STEMS) or has_foreign_cue(low)


def has_cue(value: str) -> bool:
    """Whether `read` may find anything in a text; if False, it finds nothing."""
    return cue(lower(value))
