"""English sentences to intents: what a text orders a model to do, forbids, or says about waiting."""

from __future__ import annotations

from waitlint.prose.addressee import address_of
from waitlint.prose.cues import has_cue
from waitlint.prose.earned import confidence_of, lent
from waitlint.prose.names import NamesMeant, is_command, is_for_waiting, near_name, same_name, shown
from waitlint.prose.reading import LOOPS, read
from waitlint.prose.setting import Setting, is_among_specifications

KINDS: dict[str, str] = {
    "poll": "orders the model to observe again until something outside changes",
    "model-sleeps": "orders the model to sleep or wait between two steps",
    "call-again-if-unfinished": "has a waiting tool called again only where it came back unfinished",
    "forbids-polling": "forbids polling",
    "call-once": "asks for one call",
    "waits": "states that the tool waits, blocks or polls inside",
    "only-checks": "states that the tool looks once",
    "starts": "states that the tool starts something and returns",
    "long-job": "speaks of minutes or hours",
    "hands-job-id": "states that an ID of a job is handed out",
    "notified": "states that the model is told when the work is done",
    "forced-steps": "demands a number of steps whatever is found",
    "floor": "demands at least a number of steps",
    "model-decides": "leaves the end to the model's own judgement",
    "done-marker": "asks for a literal marker that ends the work",
    "depths": "tells simple questions from deep ones",
    "soft-ban": "bans or limits looping in words",
}

__all__ = [
    "KINDS",
    "LOOPS",
    "NamesMeant",
    "Setting",
    "address_of",
    "confidence_of",
    "has_cue",
    "is_among_specifications",
    "is_command",
    "is_for_waiting",
    "lent",
    "near_name",
    "read",
    "same_name",
    "shown",
]
