"""A cheap look at a text: can there be anything to read in it at all, and in which of its blocks?"""

from __future__ import annotations

from waitlint.prose.guarded import has_any
from waitlint.prose.languages import foreign_cues
from waitlint.prose.tokens import lower

# Every intent needs one of these stems in its block; they are looked up as plain substrings of the lower-cased text.
_STEMS = (
    "poll", "until", "till", "again", "every", "each ", "keep", "continu", "periodic", "regularly", "repeat",
    "loop", "wait", "sleep", "pause", "interval", "constantly", "frequently", "intermittent", "occasional", "retry",
    "recheck", "re-check", "once", "async", "background", "immediately", "right away", "fire-and", "fire and",
    "minute", "hour", "long-running", "long running", "a while", "a long time", "notif", "webhook", "callback",
    "job_id", "task_id", "run_id", "job id", "task id", "automatically", "wake", "one call", "single call",
    "tool call", "searches", "enough", "sufficient", "satisfied", "confident", "certain", "at least", "minimum",
    "at most", "more than", "marker", "sentinel", "token [", "token `", 'token "', "exact", "[done",
    "<done", "finish_", "final_answer", "task_complete", "backoff", "fewer than", "after a delay",
    "the word ", "write done", "say done", "with done", "output done", "reply done", "terminate",
    "judgement", "judgment",
    "watch for", "for completion", "for progress", " times", "complex", "deep", "thorough", "in-depth", "comprehensive",
)  # fmt: skip
# What only the texts of a tool are read for.
_OF_TOOLS = (
    "launch", "queue", "kick", "trigger", "submit", "starts a", "start a", "return", "state", "status",
    "progress", "_id", "uuid", "block",
)  # fmt: skip
_PROSE = frozenset(["document", "prompt", "front-matter"])


def places(low: str, role: str) -> list[int]:
    """Where in a lower-cased text something stands that an intent may be made of, in order."""
    found: list[int] = []
    stems = _STEMS if role in _PROSE else _STEMS + _OF_TOOLS
    for stem in (*stems, *foreign_cues(low)):
        place = low.find(stem)
        while place >= 0:
            found.append(place)
            place = low.find(stem, place + 1)
    found.sort()
    return found


def has_cue(value: str) -> bool:
    """Whether `read` may find anything in a text; if False, it finds nothing."""
    low = lower(value)
    return has_any(low, _STEMS) or has_any(low, _OF_TOOLS) or has_any(low, foreign_cues(low))
