"""Orders to look or call once, which a marker of repetition makes a loop: "until", "every", "again", "periodically"."""

from __future__ import annotations

import re
from itertools import pairwise

from waitlint.prose import ends, laps, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act
from waitlint.prose.blocks import SHELLS
from waitlint.prose.durations import Duration
from waitlint.prose.found import Found
from waitlint.prose.moods import MANNER, PERMITTED, PURPOSE
from waitlint.prose.names import changes, is_for_waiting, reads, words_of
from waitlint.prose.scene import Scene
from waitlint.prose.sleeps import RATE, SHORTEST
from waitlint.prose.things import Thing

# Verbs of looking that are no poll with "until" alone: "read until the end", "verify until sure".
NEEDS_AGAIN = frozenset(
    [
        "test",
        "view",
        "read",
        "verify",
        "list",
        "load",
        "try",
        "send",
        "issue",
        "hold",
        "look",
        "ask",
        "probe",
        "inspect",
        "consult",
        "snapshot",
        "screenshot",
    ]
)
# What comes in there is not what was started, and each look takes what is new.
LETTERS = frozenset(["inbox", "inboxes", "mailbox", "mailboxes"])
# What the reader keeps for itself, or changes by what it does.
_OWN = frozenset(
    ["todo", "todos", "checklist", "plan", "memory", "memories", "context", "note", "notes", "goal", "goals", "budget",
     "usage", "checkpoint", "rules", "git", "time", "date", "file", "files"]
)  # fmt: skip
# "Call it periodically to check for new messages": what others have done meanwhile.
_NEWS = frozenset(["new", "messages", "updates", "signals", "replies", "notifications", "instructions"])
_UP = frozenset(
    ["ready", "up", "healthy", "available", "answers", "responds", "respond", "reachable", "live", "online", "running"]
)
_WORKERS = frozenset(["agents", "subagents", "sub-agents", "workers", "teammates", "sessions", "panes", "jobs", "runs"])
# "Until all checks are finished".
_RUNS_OF_OTHERS = frozenset(
    ["checks", "workflows", "builds", "pipelines", "deployments", "pods", "containers", "services"]
)
_A_LOOK = frozenset(["poll", "check", "query", "look", "read"])
WATCHES = frozenset(["monitor", "watch"])
_POLLS = frozenset(["polling", "polls", "poll"])
_ONCE_MORE = frozenset(["another", "identical", "same", "further", "more", "fresh"])
_PAGING = frozenset(["paging", "pages", "paginate", "paginating"])
HOUR = 3600
# What is run again after something was mended: "re-run `doctor` until it passes".
_CHECKS = re.compile(
    r"\b(?:doctor|lint\w{0,3}|validat\w{1,4}|tests?|pytest|typecheck|verify|audit|preflight"
    r"|(?:env|pre|self|sanity|style|spell|link|format|config|setup)[-_]?check)\b"
    r"|\bmake (?!(?:status|show|logs?|wait|poll)\b)[\w-]"
)
# "`tray({action: 'bake'})` until …": each call does something.
_ACTS = re.compile(
    r"\baction['\"]?\s?[:=]\s?['\"](?!(?:get|list|check|poll|read|view|show|status|state|watch|wait|describe)\b)"
)
_RUNS = frozenset(["run", "execute", "rerun", "re-run", "re-execute"])
# Looks further apart than this, with nothing said of what is looked at, are rather a plan than a wait.
OFTEN = 120


def read_look(scene: Scene, act: Act, limit: int) -> Found | None:
    """check, monitor, call, run, get: a loop only with a marker of repetition."""
    if act.mood == PURPOSE and (scene.creates(act) or _serves_another_call(scene, act, limit)):
        return None
    thing = scene.thing(act)
    step = marks.iteration(scene.parsed, act, limit)
    if scene.by_schedule or (step is not None and step.schedule) or (scene.by_program and not thing.is_tool):
        return None
    if scene.tells_itself(act, thing):
        return None
    end = ends.until(scene.parsed, act, limit)
    pending = states.pending_condition(scene.parsed, act)
    if _is_another_poll(scene, act, pending) or _paces_polls(scene, act, step):
        another = scene.loop("medium", act, limit, thing, step, end, pending)
        another.verb = "poll"
        return another
    awaited = end is not None and end.outside and step is not None and step.seconds is not None
    if act.lemma == "watch" and end is None and (promised := ends.awaited(scene.parsed, act)) is not None:
        sure = not (promised.fix or scene.by_program) and _is_an_end(scene, promised)
        return scene.loop("medium", act, limit, thing, step, promised, pending) if sure else None
    if act.lemma == "refresh" and not (thing.named or awaited):
        return None
    if not thing.is_tool and scene.describes_name(act, end is not None):
        return None
    if thing.words[:1] and thing.words[0].startswith("/") and act.lemma in ("hit", "curl"):
        thing.itself = True  # "Hit `/health`".
    calls = act.lemma in lex.CALL or act.lemma in lex.FETCH or act.lemma in lex.RETRY
    if end is not None and end.text in lex.AN_END and not _OWN.isdisjoint(thing.words):
        return None  # "Monitor the checklist for completion".
    if is_for_waiting(thing.named) and step is None and marks.again(scene.parsed, act, limit) is None:
        return None
    if calls and not thing.is_tool and not (thing.empty and act.lemma == "call"):
        anew = act.lemma in lex.ANEW and thing.strong
        running = (anew or (thing.status and pending is not None)) and end is not None and end.outside
        answers = act.lemma in lex.RETRY and _is_awaited(scene, step, end)
        if not (act.lemma in lex.FETCH and thing.strong) and not running and not answers:
            return _retry(scene, act, limit, thing, pending)
        if answers:
            return scene.loop("medium", act, limit, thing, step, end)
    if laps.changed(scene.parsed, act, limit) or (calls and thing.named and changes(thing.named) and end is None):
        return None
    if end is not None:
        found = _until(scene, act, limit, thing, step, end, pending, calls)
        open_end = not (end.outside or end.drain or end.fix or end.user or end.pages)
        if found is not None or step is None or step.seconds is None or not open_end:
            return found
    if step is not None and step.word == "in a loop" and calls:
        step = None
    if step is not None and not step.vague and step.word != "in a loop":
        return _every(scene, act, limit, thing, step)
    if marks.again(scene.parsed, act, limit) is not None:
        return _again(scene, act, limit, thing, pending, calls)
    if step is None:
        return scene.loop("medium", act, limit, thing) if _follows_progress(act, thing) else None
    return _vaguely(scene, act, limit, thing, step, calls, pending)


def _follows_progress(act: Act, thing: Thing) -> bool:
    """ "Monitor `TaskList` for progress": a list of what others do, looked at until they are done."""
    return act.lemma in WATCHES and bool(thing.named) and thing.words[-1:] == ("progress",) and is_of_others(thing)


def _is_an_end(scene: Scene, promised: ends.Until) -> bool:
    """ "Watch for it to finish", "… to be done", and not "for changes to be made"."""
    words = [token.low.strip("`") for token in scene.tokens[promised.first : promised.last]]
    return not any(first in ("be", "become") and second not in lex.DONE for first, second in pairwise(words))


def _is_another_poll(scene: Scene, act: Act, pending: int | None) -> bool:
    """ "While it is hot, issue another identical poll", "run one more status check"."""
    if act.lemma not in lex.CALL or not (pending is not None or scene.pending_before(act)):
        return False
    words = [token.low for token in scene.tokens[act.verb_at + 1 : act.verb_at + 6] if token.kind == "word"]
    noun = next((at for at, word in enumerate(words) if word in _A_LOOK), 0)
    of_a_status = noun and (words[noun] in lex.POLL or not lex.OBSERVED.isdisjoint(words[:noun]))
    return bool(of_a_status) and not _ONCE_MORE.isdisjoint(words[:noun])


def _paces_polls(scene: Scene, act: Act, step: marks.Iteration | None) -> bool:
    """ "Take care with polling: use 10-30 second intervals", "use 20 second intervals between checks"."""
    if act.lemma != "use" or step is None or step.word != "at intervals" or step.seconds is None:
        return False
    lows = [token.low for token in scene.tokens]
    between = set(lows[lows.index("between") + 1 :][:3]) if "between" in lows else set()
    return not _POLLS.isdisjoint(lows[: act.at]) or not (_POLLS | {"checks"}).isdisjoint(between)


def _is_awaited(scene: Scene, step: marks.Iteration | None, end: ends.Until | None) -> bool:
    """ "Retry every 10 s until the endpoint responds": what is not up yet, and no call that failed."""
    if step is None or step.seconds is None or end is None or end.drain or end.fix or RATE.search(scene.low):
        return False
    words = {token.low for token in scene.tokens[end.first : end.last]}
    return bool(words & lex.STATUS) and bool(words & _UP)


def _serves_another_call(scene: Scene, act: Act, limit: int) -> bool:
    """ "Call it again with `name` to fetch the rest": the purpose of a call that differs."""
    return any(
        other.clause == act.clause and other.at < act.at and laps.changed(scene.parsed, other, limit)
        for other in scene.parsed.acts
        if other.lemma in lex.CALL
    )


def _until(
    scene: Scene,
    act: Act,
    limit: int,
    thing: Thing,
    step: marks.Iteration | None,
    end: ends.Until,
    pending: int | None,
    calls: bool,
) -> Found | None:
    sure = thing.is_tool or thing.strong
    watched = act.lemma in lex.WATCHING and (is_of_others(thing) or (not thing.named and _are_others(scene, end)))
    reached = end.reached or (end.settled and bool(thing.named))
    passes = act.lemma in lex.WATCHING - lex.ANEW and thing.strong and ends.comes_out(scene.tokens, end)
    if (
        not (end.outside or passes or (reached and (thing.strong or reads(thing.named))))
        or (end.drain and not ((thing.strong or watched) and end.terminal and not end.pages))
        or scene.words & _PAGING
        or (end.fix and not end.literal and not thing.strong)
        or (end.user and not sure)
    ):
        return None
    once = step is None or act.lemma == "ask"
    if act.lemma in NEEDS_AGAIN and once and not thing.is_tool and marks.again(scene.parsed, act, limit) is None:
        return None
    if (act.mood == PERMITTED and act.lemma not in lex.LOOK) or laps.mended(scene.parsed, act, end.first):
        return None
    if calls and _ACTS.search(thing.named):
        return None
    if end.fix and act.lemma in _RUNS and not (thing.strong or reads(thing.named)):
        return None
    if (calls or act.lemma in lex.ANEW) and not end.terminal and _CHECKS.search(thing.named):
        return None
    ends_named = end.terminal or _named_state(scene, end) or (scene.context.role == "document" and reads(thing.named))
    paced = step is not None and not step.vague and act.lemma == "run"
    if calls and act.lemma in ("run", "use", "execute", "try") and not (ends_named or paced):
        return None
    confidence = "high" if thing.known or end.literal else "medium"
    watches = act.mood == PURPOSE and bool(thing.named) and not reads(thing.named)
    watches = watches and not (is_of_others(thing) and end.terminal and "all" in scene.words)
    watches = watches or (act.lemma == "track" and not sure)
    if scene.context.block.kind == "heading" or scene.labels_command() or watches:
        confidence = "low"
    return scene.loop(confidence, act, limit, thing, step, end, pending)


def is_of_others(thing: Thing) -> bool:
    """Whether what is named tells what others do: `TaskList`, and not `TodoWrite` or `plan.md`."""
    name = words_of(thing.named)
    return bool(name) and not (_OWN & set(name) or changes(thing.named) or thing.named.strip("`").endswith(".md"))


def _are_others(scene: Scene, end: ends.Until) -> bool:
    """ "Monitor until all agents are done": who works elsewhere, and no list that the reader works off."""
    words = {token.low for token in scene.tokens[end.first : end.last]}
    return bool(words & _WORKERS) or (bool(words & _RUNS_OF_OTHERS) and "all" in words)


def _named_state(scene: Scene, end: ends.Until) -> bool:
    """Whether a literal behind "until" is known as the name of a state, and not just any identifier."""
    return any(state.lower() in lex.DONE or state.lower() in lex.PENDING or state.isupper() for state in end.states)


def _every(scene: Scene, act: Act, limit: int, thing: Thing, step: marks.Iteration) -> Found | None:
    if _is_of_a_noun(scene, act, step) or (act.lemma in lex.CALL and _for_another_end(scene, act, step)):
        return None
    if step.counted:
        return _now_and_then(scene, act, limit, thing, step)
    if thing.is_tool or thing.strong:
        return scene.loop("high", act, limit, thing, step)
    agents = not (lex.MODEL - {"you"}).isdisjoint(thing.words[:2])
    looks = act.lemma in lex.ANEW or (act.lemma in lex.LOOK and (bool(thing.status) or agents))
    soon = thing.empty and (step.seconds is None or step.seconds <= OFTEN)
    return scene.loop("medium" if soon or looks else "low", act, limit, thing, step)


def _now_and_then(scene: Scene, act: Act, limit: int, thing: Thing, step: marks.Iteration) -> Found | None:
    """ "Call `get_signals` every 10 tool calls": of what goes on outside, and not of what the reader does itself."""
    name = words_of(thing.named)
    outside = bool(lex.OBSERVES & set(name[:2]) or lex.OBSERVED & set(name)) and not _OWN & set(name)
    looks = act.lemma in lex.LOOK and thing.strong and not thing.named
    return scene.loop("medium", act, limit, thing, step) if outside or looks else None


def _is_of_a_noun(scene: Scene, act: Act, step: marks.Iteration) -> bool:
    """ "Look at the values, one point every minute": the interval is that of the points."""
    for clause in scene.parsed.clauses[act.clause + 1 :]:
        if (clause.joined == "where" or clause.kind == "which") and clause.first < step.first < clause.last:
            return True
        if clause.joined == "," and clause.first < step.first < clause.last:
            before = scene.tokens[clause.first : step.first]
            return any(t.kind == "word" and t.low not in lex.ADVERBS | lex.MARKERS | lex.PREPOSITIONS for t in before)
    return False


def _for_another_end(scene: Scene, act: Act, step: marks.Iteration) -> bool:
    """ "Use `alarms` to wake the worker every minute": what is used is not there to look."""
    words = [token.low for token in scene.tokens[act.verb_at + 1 : step.first]]
    purposes = [second for first, second in pairwise(words) if first == "to"]
    return bool(purposes) and not any(word in lex.VERBS or word in lex.OBSERVES for word in purposes)


def _again(scene: Scene, act: Act, limit: int, thing: Thing, pending: int | None, calls: bool) -> Found | None:
    later = marks.delay(scene.parsed, act, limit)
    if later is not None and (later.unit >= HOUR or (later.seconds is not None and later.seconds < SHORTEST)):
        later = None
    once = "once more" in scene.low or (act.lemma in lex.RETRY and "once" in scene.words)
    by_hand = act.lemma in lex.ANEW and "manually" in scene.words
    if once or by_hand or (act.lemma == "ask" and not thing.is_tool):
        return None
    if act.lemma == "watch" and thing.empty:
        return _unfinished(scene, act, limit, thing, pending)
    anew = act.lemma in lex.ANEW
    watches = act.lemma in lex.WATCHING and later is not None and later.seconds is not None
    if act.lemma in lex.RETRY or act.lemma == "try":
        near = " ".join(parsed.sentence.low for parsed in scene.context.previous[-1:])
        if RATE.search(scene.low) or RATE.search(near):
            return None
    if scene.context.block.slept >= SHORTEST and act.lemma in lex.LOOK | lex.ANEW:
        return _behind_a_sleep(scene, act, limit, thing, None)
    if later is not None and scene.context.bounded and _in_the_condition(scene, act, later):
        return _unfinished(scene, act, limit, thing, pending)
    if later is not None and (thing.known or thing.empty or watches):
        good = thing.is_tool or thing.strong or pending is not None
        confidence = "high" if good else "medium"
        if act.lemma in lex.RETRY and pending is None:
            confidence = "low"
        return scene.loop(confidence, act, limit, thing, None, None, pending, later)
    if "keep waiting" in scene.low:
        return _unfinished(scene, act, limit, thing, pending)
    if pending is None and scene.words & {"verify", "confirm"}:
        return None
    if laps.repaired(scene.parsed, act, pending) or (pending is None and laps.put_right(scene.parsed, act)):
        return None
    if pending is None and _after_a_wait(scene, act):
        return scene.loop("high" if thing.known else "medium", act, limit, thing)
    if pending is None and (anew or act.lemma in lex.RETRY or not scene.pending_before(act)):
        return None
    if (act.lemma in lex.RETRY and not thing.is_tool) or (anew and not (thing.known or thing.empty)):
        return None
    if scene.context.bounded or "only" in scene.words:
        return _unfinished(scene, act, limit, thing, pending)
    return scene.loop("high" if thing.known else "medium", act, limit, thing, None, None, pending)


def _in_the_condition(scene: Scene, act: Act, later: Duration) -> bool:
    """ "If it still runs after 45 s, call this again": the time is that of the wait, not one between two calls."""
    clauses = scene.parsed.clauses[: act.clause]
    return any(c.kind == "if" and c.first < later.first for c in clauses) and later.last < act.at


def _after_a_wait(scene: Scene, act: Act) -> bool:
    """ "Wait and check again": waited for nothing that is named, and so for what is looked at."""
    looks = act.lemma in lex.LOOK and act.lemma not in ("ask", "read", "verify")
    return looks and any(
        other.lemma == "wait"
        and other.form == "base"
        and other.mood == act.mood
        and act.clause - 1 <= other.clause <= act.clause
        and [token.low for token in scene.tokens[other.at + 1 : act.start + 1] if token.kind == "word"]
        in (["and"], ["then"], ["and", "then"], ["and", scene.tokens[act.start].low], [scene.tokens[act.start].low], [])
        for other in scene.parsed.acts
        if other.at < act.at
    )


def _unfinished(scene: Scene, act: Act, limit: int, thing: Thing, pending: int | None) -> Found:
    found = scene.loop("high", act, limit, thing, None, None, pending)
    found.kind = "call-again-if-unfinished"
    found.reason = "has the tool called again only where its wait ran out"
    return found


def _vaguely(
    scene: Scene, act: Act, limit: int, thing: Thing, step: marks.Iteration, calls: bool, pending: int | None
) -> Found | None:
    if calls and (not thing.is_tool or step.word == "repeatedly"):
        return None
    if scene.context.block.slept >= SHORTEST and not calls:
        return _behind_a_sleep(scene, act, limit, thing, step)
    if calls and act.mood == MANNER and scene.waits_before(act):
        return scene.loop("medium", act, limit, thing, step)
    if calls and step.word == "at intervals" and thing.itself:
        return scene.loop("medium", act, limit, thing, step)
    goes_on = any(clause.joined == "while" for clause in scene.parsed.clauses)
    if scene.words & LETTERS and not calls:
        return scene.loop("low", act, limit, thing, step)
    if (pending is not None or goes_on) and thing.known and not calls:
        return scene.loop("medium", act, limit, thing, step, pending=pending)
    if calls and "while" not in scene.words and not _to_look(scene, act, limit, thing):
        return scene.loop("low", act, limit, thing, step) if act.lemma in ("call", "query") else None
    if thing.empty and not calls and scene.context.block.code in SHELLS and scene.tokens[-1].text == ":":
        return scene.loop("medium", act, limit, thing, step)
    if (step.word in lex.FAST_ONLY or step.word == "at intervals") and not (thing.named and thing.strong):
        return scene.loop("low", act, limit, thing, step) if thing.strong or thing.direct else None
    asked = bool(thing.named) and thing.status and is_of_others(thing)
    if (thing.named and (thing.direct or calls)) or asked or thing.strong or (thing.itself and calls):
        return scene.loop("medium", act, limit, thing, step)
    return scene.loop("low", act, limit, thing, step) if thing.known else None


def _behind_a_sleep(scene: Scene, act: Act, limit: int, thing: Thing, step: marks.Iteration | None) -> Found:
    """A comment "check again" in a sample for a shell, and below it a command that first sleeps."""
    found = scene.loop("medium", act, limit, thing, step)
    found.seconds, found.paced = scene.context.block.slept, True
    return found


def _to_look(scene: Scene, act: Act, limit: int, thing: Thing) -> bool:
    """ "call get_job periodically to check the status"."""
    last = scene.parsed.clauses[limit - 1].last
    words = [token.low for token in scene.tokens[act.verb_at + 1 : last]]
    looks = any(other.mood == PURPOSE and other.lemma in lex.LOOK and other.at > act.at for other in scene.parsed.acts)
    looks = looks or any(pair in (("to", "see"), ("and", "see")) for pair in pairwise(words))
    if looks and thing.is_tool and any(first == "for" and second in _NEWS for first, second in pairwise(words)):
        return True
    return looks and any(word in lex.STRONG_STATUS and word != "state" for word in words)


def _retry(scene: Scene, act: Act, limit: int, thing: Thing, pending: int | None) -> Found | None:
    if act.lemma not in lex.RETRY and act.lemma != "try":
        return None
    if pending is None or laps.changed(scene.parsed, act, limit) or laps.repaired(scene.parsed, act, pending):
        return None
    later = marks.delay(scene.parsed, act, limit)
    return scene.loop("medium", act, limit, thing, None, None, pending, later) if later is not None else None
