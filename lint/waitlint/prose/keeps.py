"""Orders to keep on: "keep calling it until it is done", "continue to monitor", "repeat step 2 until it is ready"."""

from __future__ import annotations

import re

from waitlint.prose import ends, laps, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act
from waitlint.prose.found import Found
from waitlint.prose.looks import NEEDS_AGAIN, WATCHES, is_of_others
from waitlint.prose.moods import NOUN, ORDER, PURPOSE
from waitlint.prose.names import reads
from waitlint.prose.scene import SCHEDULE, Scene
from waitlint.prose.things import Thing

# "After executing the instruction, call it again": something is done in each lap.
_DONE_MEANWHILE = re.compile(
    r"\bafter (?:executing|applying|completing|implementing|addressing|fixing|doing|handling|carrying out)\b"
)


def read_keep(scene: Scene, act: Act, limit: int) -> Found | None:
    if act.mood == NOUN and act.form != "base":
        return None
    thing = scene.thing(act)
    if scene.by_schedule or (scene.by_program and not thing.is_tool):
        return None
    if act.lemma == "track" and "against" in thing.words:
        return None  # What is measured against a plan is the reader's own progress.
    step = marks.iteration(scene.parsed, act, limit)
    end = ends.until(scene.parsed, act, limit)
    pending = states.pending_condition(scene.parsed, act)
    if act.mood == PURPOSE and act.lemma in NEEDS_AGAIN and end is None and pending is None and step is None:
        return None  # "Use `offset` to continue reading": what it says changes with each lap.
    if act.lemma in lex.RETRY:
        good = end is not None and end.outside and not end.fix and thing.known
        return scene.loop("medium", act, limit, thing, step, end, pending) if good else None
    if act.lemma in lex.CALL or act.lemma in lex.FETCH:
        return _keep_calling(scene, act, limit, thing, step, end, pending)
    watched = end is not None and act.lemma in lex.WATCHING and is_of_others(thing) and end.terminal and not end.pages
    if end is not None and act.lemma in WATCHES:
        watched = watched or any(token.low in lex.STRONG_STATUS for token in scene.tokens[end.first : end.last])
    if end is not None and (end.drain or end.fix) and not end.literal and not (thing.strong or watched):
        return None
    if (act.lemma in NEEDS_AGAIN and not thing.known) or (act.lemma == "ask" and not thing.is_tool):
        return None
    ends_outside = end is not None and (end.outside or (end.reached and (thing.strong or reads(thing.named))))
    settles = end is not None and end.settled and act.lemma in lex.WATCHING and thing.empty
    if settles and not ends_outside and pending is None and step is None:
        return scene.loop("low", act, limit, thing, None, end)
    marked = ends_outside or pending is not None
    if marked or (step is not None and not step.schedule and (thing.known or thing.empty)):
        return scene.loop("high" if thing.known else "medium", act, limit, thing, step, end, pending)
    if act.lemma == "track" and not thing.named:
        return scene.loop("low", act, limit, thing, step, end) if thing.status else None
    if thing.is_tool or (thing.strong and act.lemma == "check"):
        return scene.loop("medium", act, limit, thing, step, end)
    return scene.loop("low", act, limit, thing, step, end) if thing.status else None


def _keep_calling(
    scene: Scene,
    act: Act,
    limit: int,
    thing: Thing,
    step: marks.Iteration | None,
    end: ends.Until | None,
    pending: int | None,
) -> Found | None:
    works = act.lemma in ("run", "execute", "use", "send", "issue", "try", "hit")
    reached = end is not None and (end.reached or end.settled) and reads(thing.named)
    ends_outside = end is not None and (end.outside or reached)
    unnamed = act.lemma == "call" and ends_outside and (thing.empty or "same" in scene.words)
    if not thing.is_tool and not unnamed and (works or not (thing.status and ends_outside)):
        return None
    if laps.changed(scene.parsed, act, limit):
        return None
    if end is not None and (end.drain or (end.fix and not end.literal) or not ends_outside):
        return None
    if end is not None and end.user and not thing.is_tool:
        return None
    if end is None and step is None and pending is None:
        return scene.loop("low", act, limit, thing) if act.lemma == "call" else None
    confidence = "medium" if unnamed and not thing.known and not scene.context.own_description else "high"
    return scene.loop(confidence, act, limit, thing, step, end, pending)


def read_repeat(scene: Scene, act: Act, limit: int) -> Found | None:
    if act.mood != ORDER:
        return None
    step = marks.iteration(scene.parsed, act, limit)
    end = ends.until(scene.parsed, act, limit)
    thing = scene.thing(act)
    if "(" in thing.named:
        return None
    observed = scene.observed_before()
    if any(_DONE_MEANWHILE.search(before.sentence.low) for before in scene.context.previous[-1:]):
        return None
    if scene.by_schedule or (step is not None and step.schedule):
        return None
    if step is not None and not step.vague and (step.seconds or 0) <= SCHEDULE and step.word != "in a loop":
        named = any(token.kind in ("name", "code") and token.call for token in scene.tokens[: act.at])
        sure = observed or named or thing.named or thing.strong or "call" in thing.words
        return scene.loop("medium" if sure else "low", act, limit, thing, step, end)
    pending = states.pending_condition(scene.parsed, act)
    if end is None and pending is not None and "step" in thing.words[:1]:
        return scene.loop("medium", act, limit, thing, step, None, pending)
    if end is None or end.drain or end.fix or end.user:
        return None
    words = end.text.lower()
    if "==" in words or "[" in words:
        return None
    settled = end.outside or end.settled or end.reached
    if settled and "check" in thing.words and (thing.strong or len(thing.words) == 1):
        return scene.loop("medium", act, limit, thing, step, end)
    if thing.named and reads(thing.named) and end.outside:
        return scene.loop("high", act, limit, thing, step, end)
    ending = "terminal" in words or "status" in words or any(state.lower() in lex.DONE for state in end.states)
    if ending and (observed or "call" in thing.words):
        return scene.loop("medium", act, limit, thing, step, end)
    return None
