"""Orders to wait: with a look behind it that is a poll, alone between two steps it makes the model sleep."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from waitlint.prose import ends, laps, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act
from waitlint.prose.bans import is_labelled
from waitlint.prose.blocks import SHELLS
from waitlint.prose.durations import Duration, said
from waitlint.prose.found import Found
from waitlint.prose.moods import MANNER, ORDER, PERMITTED, PURPOSE
from waitlint.prose.names import is_command, is_for_waiting, may_be_asked, mention_of, reads
from waitlint.prose.scene import Scene
from waitlint.prose.things import Thing

RATE = re.compile(r"\b(?:rate[ -]?limit\w{0,4}|throttl\w{1,5}|429|quota|too many requests|cooldown)\b")
_SPREADS = re.compile(
    r"\b(?:propagat\w{1,5}|eventual\w{0,3}|take effect|start(?:ed|s)? up|fully start|boots?|initiali[sz]\w{1,5}|"
    r"warm up)\b"
)
_BACK = re.compile(
    r"\b(?:go ?to|go back to|return to|back to|repeat(?: from)?|jump to|loop to) "
    r"(?:(?:step |phase )?\d|the (?:top|start)\b)"
)
# "Wait 10 seconds, then grep the log".
_READS_A_LOG = re.compile(
    r"^,? (?:and )?(?:then )?(?:grep|tail|cat|head|curl|(?:re-?)?(?:screenshot|snapshot|capture)"
    r"|take (?:an?|another|the) (?:new |fresh |final )?(?:screenshot|snapshot))\b"
)
_ALTERNATIVE = re.compile(r",?\s+or\s+(?!retry|try|call)")
_LOOKS = frozenset(["poll", "check", "call", "request", "query", "attempt", "try", "retry", "read", "lap"])
_LAPS = _LOOKS | {"iteration", "cycle", "round", "pass", "look"}
_ANSWERING = frozenset(
    ["answer", "answers", "answered", "reply", "replies", "replied", "respond", "responds", "responded"]
)
# What is told beside a pause of a shell if it is one for what goes on elsewhere.
_WAITED_FOR = re.compile(
    r"\b(?:wait\w{0,3}|(?:check|look|try|verify|poll) (?:\w{1,12} ){0,3}again|re-?check\w{0,3}|propagat\w{1,4}"
    r"|settle|still (?:running|pending|building|in progress)|until|periodically|monitor)\b"
)
LONGEST = 3600
# A command that sleeps less than this is a part of what it does.
LONG_FOR_A_SHELL = 10
SHORTEST = 2
# Less than this is said of code, even between calls.
LEAST = 1
_MARKED = re.compile(r"[^\w\s'/-]")
_LOOKING = lex.LOOK | lex.POLL | lex.FETCH | lex.CALL | lex.RETRY
_LENGTHS = frozenset(["interval", "cadence", "period", "duration", "delay", "time"])
LONG = 300
_TELLS = frozenset(
    ["returns", "reports", "shows", "says", "prints", "lists", "gives", "answers", "outputs", "confirms"]
)
_NAME_VERB_STATE = 3


def read_wait(scene: Scene, number: int, act: Act, limit: int) -> Found | None:
    """What an order to wait (act `number` of the sentence) comes to."""
    if act.mood not in (ORDER, PERMITTED) or act.lemma in ("hold", "block", "await", "delay"):
        return None
    if scene.by_schedule and act.lemma != "sleep":
        return None
    span = marks.waits_for(scene.parsed, act)
    if any(
        other.clause == act.clause and other.mood == MANNER and other.lemma in lex.POLL for other in scene.parsed.acts
    ):
        return None  # "Wait up to 90 s polling": how the time is spent, which is read for itself.
    if act.lemma == "sleep" and (span is None or span.vague) and _over_and_over(scene, act):
        return scene.loop("medium", act, len(scene.parsed.clauses), scene.thing(act))
    if act.lemma == "sleep" and act.at and scene.tokens[act.at - 1].text == "--":
        return None  # "perf record -- sleep 10": what is measured meanwhile.
    if span is None and act.lemma == "sleep":
        span = _unknown_pause(scene, act)
    if span is None and _for_the_interval(scene, act):
        return scene.loop("medium", act, limit, scene.thing(act))
    if span is None:
        return _wait_again(scene, act)
    if span.unit >= LONGEST or (span.seconds or 0) > LONGEST:
        return None
    following = _following(scene, number)
    pending = states.pending_condition(scene.parsed, act)
    if (condition := _goes_back(scene, act)) is not None:
        return scene.loop("medium", act, len(scene.parsed.clauses), scene.thing(act), pending=condition, later=span)
    if following is not None:
        return _wait_then(scene, act, following, span, pending)
    return _sleep(scene, act, span, limit, pending)


def _unknown_pause(scene: Scene, act: Act) -> Duration | None:
    """ "Sleep for the chosen interval", "sleep for <pause>": how long is told elsewhere."""
    words = [token.low for token in scene.tokens[act.verb_at + 1 : act.verb_at + 6]]
    told = words[:1] == ["for"] and (words[1:2] in (["<"], ["{"], ["$"]) or not _LENGTHS.isdisjoint(words))
    return Duration(None, 1.0, act.verb_at + 1, act.verb_at + 1) if told else None


def _for_the_interval(scene: Scene, act: Act) -> bool:
    """ "Wait for the check interval before the next iteration": a time that is told elsewhere, between two laps."""
    words = [token.low for token in scene.tokens[act.verb_at + 1 : act.verb_at + 6]]
    paced = any(word in ("interval", "cadence") for word in words)
    return paced and any(
        first.low in ("next", "each", "another") and second.low in _LAPS for first, second in pairwise(scene.tokens)
    )


def _wait_again(scene: Scene, act: Act) -> Found | None:
    """ "If still running, wait again", "wait and check again"."""
    pending = states.pending_condition(scene.parsed, act)
    limit = len(scene.parsed.clauses)
    if (by_command := _wait_by_command(scene, act, limit)) is not None:
        return by_command
    if (by_look := _until_it_tells(scene, act, limit)) is not None:
        return by_look
    if scene.context.own_description or scene.words & lex.PERSON:
        return None
    anew = any(other.at > act.at and other.lemma in lex.ANEW and other.mood == ORDER for other in scene.parsed.acts)
    if pending is None and anew and scene.pending_before(act):
        return scene.loop("medium", act, limit, scene.thing(act))
    if _retries_for_a_status(scene, act, pending):
        return scene.loop("medium", act, limit, scene.thing(act), pending=pending)
    if pending is None:
        end = ends.until(scene.parsed, act, limit)
        looked = [other for other in scene.parsed.acts if other.at < act.at and other.lemma in lex.LOOK | lex.CALL]
        again = act.keeps or marks.again(scene.parsed, act, limit) is not None
        if not (again and looked and end is not None and end.outside) or end.drain or end.fix:
            return None
        return scene.loop("medium", act, limit, scene.thing(looked[-1]), None, end)
    again = marks.again(scene.parsed, act, limit) is not None or act.keeps or anew or _begins_again(scene, act)
    if not again:
        return None
    for other in scene.parsed.acts:
        if other.at > act.at and (other.lemma in lex.RETRY or other.lemma == "try") and not scene.thing(other).known:
            return None
    return scene.loop("medium", act, limit, scene.thing(act), pending=pending)


def _retries_for_a_status(scene: Scene, act: Act, pending: int | None) -> bool:
    """ "If the checks are running, wait and retry", "| Checks running | Wait and retry |": until they have ended."""
    retried = any(
        other.at > act.at and other.lemma in lex.RETRY and other.mood == ORDER and not scene.thing(other).words
        for other in scene.parsed.acts
    )
    if not retried or RATE.search(scene.low) or laps.repaired(scene.parsed, act, pending):
        return False
    if pending is not None:
        clause = scene.parsed.clauses[pending]
        words = {token.low for token in scene.tokens[clause.first : clause.last]}
        return not words.isdisjoint(lex.STRONG_STATUS) and not words.isdisjoint(lex.PENDING | {"progress", "still"})
    cells = scene.context.block.row[:2]
    return scene.row_pending() and any(word in lex.STRONG_STATUS for cell in cells for word in cell.split())


def _over_and_over(scene: Scene, act: Act) -> bool:
    """ "Sleep for the cadence above and repeat", "sleep `interval` and go to step 1"."""
    if _begins_again(scene, act):
        return True
    last = scene.tokens[-1] if scene.tokens[-1].kind == "word" else scene.tokens[max(0, len(scene.tokens) - 2)]
    return last.low == "repeat" and any(
        other.at > act.at and other.lemma in lex.REPEAT and other.mood == ORDER for other in scene.parsed.acts
    )


def _wait_by_command(scene: Scene, act: Act, limit: int) -> Found | None:
    """ "Wait for the sources: `acme source list` until all are READY": a command that only looks, over and over."""
    behind = scene.parsed.clauses[act.clause + 1 : act.clause + 2]
    if not behind or behind[0].joined not in (":", "dash"):
        return None
    command = scene.tokens[behind[0].first]
    end = ends.until(scene.parsed, replace(act, clause=act.clause + 1, at=behind[0].first), limit)
    if command.kind != "code" or not is_command(command.text) or end is None or not end.outside:
        return None
    if end.drain and not end.literal:
        return None
    return scene.loop("high", act, limit, Thing(named=command.text), None, end)


def _until_it_tells(scene: Scene, act: Act, limit: int) -> Found | None:
    """ "Wait until `get_job` returns `done`", "… `gh pr checks` shows no pending ones": what only a look can tell."""
    end = ends.until(scene.parsed, act, limit)
    if end is None or act.lemma != "wait" or end.last - end.first < _NAME_VERB_STATE or scene.context.own_description:
        return None
    named, verb = scene.tokens[end.first], scene.tokens[end.first + 1]
    if verb.low not in _TELLS or mention_of(scene.parsed.sentence, end.first) is None:
        return None
    asked = reads(named.text) or (is_command(named.text) and may_be_asked(named.text))
    if not asked or is_for_waiting(named.text):
        return None
    end.text = f"it {scene.parsed.written(end.first + 1, end.last)}"
    return scene.loop("high", act, limit, Thing(named=named.text), None, end)


def _following(scene: Scene, number: int) -> Act | None:
    """The look or call that is ordered next in the same sentence."""
    for other in scene.parsed.acts[number + 1 :]:
        clause = scene.parsed.clauses[other.clause]
        if clause.kind != "main" or clause.joined in (";", "or") or other.negated:
            return None
        if other.mood in (ORDER, PURPOSE) and (other.lemma not in lex.WAIT):
            refreshes = other.lemma == "refresh" and not scene.thing(other).named
            return None if refreshes else other
    return None


def _wait_then(scene: Scene, act: Act, following: Act, span: Duration, pending: int | None) -> Found | None:
    parsed = scene.parsed
    limit = marks.reach(parsed, following)
    thing = scene.thing(following)
    step = marks.iteration(parsed, following, limit)
    end = ends.until(parsed, following, limit)
    if end is not None and (end.drain or end.fix) and not end.literal:
        end = None

    def both(confidence: str) -> Found:
        found = scene.loop(confidence, following, limit, thing, step, end, pending, span)
        found.first = min(found.first, act.start, act.at)
        return found

    paced = step is not None and not (following.lemma in lex.RETRY and step.word == "with backoff")
    if following.lemma in lex.POLL or paced or (end is not None and end.outside) or following.keeps:
        return both("high" if thing.known else "medium")
    if following.lemma in lex.RETRY or following.lemma == "try":
        if RATE.search(" ".join((scene.low, *scene.context.block.row))):
            return _sleep(scene, act, span, limit, None, following) if span.seconds is not None else None
        if "once" in scene.words:
            return None
        given = following.lemma in lex.RETRY and _for_the_end(scene, span, following)
        waits = pending is not None or bool(thing.named) or (thing.empty and (given or scene.pending_before(act)))
        refused = span.vague and pending is None and following.lemma in lex.RETRY and not given
        return both("low" if refused and not scene.pending_before(act) else "medium") if waits else None
    if pending is not None or marks.again(parsed, following, limit) is not None:
        if laps.changed(parsed, following, limit):
            return _sleep(scene, act, span, limit, None, following) if following.lemma in lex.ANEW else None
        known = thing.known or pending is not None or scene.pending_before(act)
        if span.vague and not (known or _for_the_end(scene, span, following)):
            return both("low") if thing.empty and following.lemma == "check" else None
        return both("high" if known else "medium")
    return _sleep(scene, act, span, limit, pending, following)


def _goes_back(scene: Scene, act: Act) -> int | None:
    """The condition of "if it is not ready: wait 15 s, go back to step 2", or None."""
    behind = " ".join(token.low for token in scene.tokens[act.verb_at :])
    before = [number for number in range(act.clause) if scene.parsed.clauses[number].kind == "if"]
    return before[-1] if before and _BACK.search(behind) else None


def _begins_again(scene: Scene, act: Act) -> bool:
    """ "Wait 60 seconds for CI to restart, then go back to step 1"."""
    return _BACK.search(" ".join(token.low for token in scene.tokens[act.verb_at :])) is not None


def _for_the_end(scene: Scene, span: Duration, following: Act) -> bool:
    """ "Wait 10 minutes for the import to finish, then retry": a time that is given to work outside."""
    words = [token.low for token in scene.tokens[span.last + 1 : scene.parsed.clauses[following.clause].first]]
    verbs = [second for first, second in pairwise(words) if first == "to"]
    return words[:1] == ["for"] and any(verb in lex.DONE or verb in lex.FINISHES for verb in verbs)


def _ordered_next(scene: Scene, act: Act) -> bool:
    """Whether a step of another kind is ordered behind the wait: ", then resubmit"."""
    for clause in scene.parsed.clauses[act.clause + 1 :]:
        if clause.joined == "then" and clause.kind == "main":
            return True
        if clause.joined == "and" and scene.tokens[clause.first].low in lex.OTHER_ORDERS:
            return True
    return False


def _between_calls(scene: Scene) -> bool:
    """ "between calls", and not "between edits"."""
    for index, token in enumerate(scene.tokens):
        if token.low == "between":
            return any(following.low in lex.CALLISH for following in scene.tokens[index + 1 : index + 6])
    return False


def _before_next(scene: Scene) -> bool:
    """ "before calling", "before each request", "before the next call"."""
    for index, token in enumerate(scene.tokens[:-1]):
        if token.low == "before":
            following = [other.low for other in scene.tokens[index + 1 : index + 4]]
            verb = lex.VERBS.get(following[0], ("", ""))[1] == "ing" or following[0] == "making"
            if verb or {"next", "each", "any", "another"} & set(following):
                return True
    return False


def _before_look(scene: Scene) -> bool:
    """ "before the next poll"."""
    tokens = scene.tokens
    return any(
        token.low in ("next", "each", "another") and following.low in _LOOKS for token, following in pairwise(tokens)
    )


def _in_a_procedure(scene: Scene, span: Duration) -> bool:
    """ "3. Wait 20 seconds for the render", "… first": a step of its own, and what the time is for."""
    following = [token.low for token in scene.tokens[span.last + 1 : span.last + 2]]
    return following in (["for"], ["first"]) and scene.context.block.kind == "item" and bool(scene.context.block.step)


def _behind_a_step(scene: Scene, span: Duration) -> bool:
    """ "Wait 10 seconds after attaching the role": behind something that the reader did itself."""
    following = [token.low for token in scene.tokens[span.last + 1 : span.last + 3]]
    return len(following) > 1 and following[0] == "after" and following[1].endswith("ing")


def _between_looks(scene: Scene) -> bool:
    """ "2. Wait 4 seconds", and then "3. Read `kiln_state`": in the next step, sentence or line of a fence."""
    block = scene.context.block
    last = scene.parsed.sentence.end == len(scene.parsed.sentence.flat.text.rstrip())
    if last and not (block.step or (block.kind == "fence" and block.fence not in SHELLS)):
        return False
    words = _MARKED.sub("", scene.context.next_step).split()
    while words and words[0] in lex.MARKERS:
        words = words[1:]
    lemma, form = lex.VERBS.get(words[0], ("", "")) if words else ("", "")
    return (form == "base" and lemma in _LOOKING) or words[:1] in (["confirm"], ["capture"])


def _in_parentheses(scene: Scene, act: Act, span: Duration) -> bool:
    """ "- Wait for the glaze to settle (2 minutes)": a step of a list, with the time that it takes."""
    aside = scene.tokens[span.first - 1].text == "(" if span.first else False
    for_a_person = not lex.PERSON.isdisjoint(
        token.low.removesuffix("'s") for token in scene.tokens[act.at : span.first]
    )
    return aside and scene.context.block.kind == "item" and not for_a_person


def _until_it_has_run(scene: Scene, span: Duration, limit: int) -> bool:
    """ "- Wait 30 seconds for the checks to start": a time that is given to work outside, in a list of what to do."""
    behind = [token.low for token in scene.tokens[span.last + 1 : scene.end(limit)]]
    block = scene.context.block
    if not (block.kind == "item" or (block.kind == "fence" and block.fence in SHELLS)) or "for" not in behind:
        return False
    work = behind[behind.index("for") + 1 :]
    verbs = {second for first, second in pairwise(work) if first == "to"}
    return bool(verbs & (lex.FINISHES | lex.DONE)) and not lex.PERSON & set(work)


def span_end(scene: Scene, span: Duration) -> int:
    """The offset in the sentence at which a span of time ends."""
    return scene.tokens[span.last].end - scene.parsed.sentence.start


def _is_told_to_wait(scene: Scene, span: Duration) -> bool:
    """Whether the words at a line `sleep 30` of a shell, or right above it, say that something is waited for."""
    if (span.seconds or 0) < LONG_FOR_A_SHELL:
        return False
    near = [
        before.sentence.low
        for before in scene.context.previous[-2:]
        if before.sentence.block.index >= scene.context.block.index - 1
    ]
    return (
        not any(is_labelled(words) for words in near) and _WAITED_FOR.search(" ".join((*near, scene.low))) is not None
    )


def _once_more(scene: Scene, following: Act | None) -> bool:
    """ "Wait 60 s, then retry", "wait 60 s before retrying": one more attempt after an error, and no loop."""
    if following is not None and (following.lemma in lex.RETRY or following.lemma == "try"):
        return not scene.words & {"each", "between", "every"}
    return any(
        first.low == "before" and lex.VERBS.get(second.low, ("", ""))[0] in lex.RETRY
        for first, second in pairwise(scene.tokens)
    )


def _sleep(
    scene: Scene, act: Act, span: Duration, limit: int, pending: int | None, following: Act | None = None
) -> Found | None:
    if scene.context.own_description or (scene.context.block.sleeps and not _is_told_to_wait(scene, span)):
        return None
    if "please" in scene.words and scene.context.role in ("document", "prompt"):
        return None
    block = scene.context.block
    around = " ".join((scene.low, *block.row, block.heading))
    rate, spreads = bool(RATE.search(around)), bool(_SPREADS.search(around))
    behind = scene.low[span_end(scene, span) :]
    then = (
        following is not None
        or _READS_A_LOG.search(behind) is not None
        or ((rate or spreads) and _ordered_next(scene, act))
        or _begins_again(scene, act)
    )
    between = _between_calls(scene) or then or _before_next(scene) or (not span.vague and _between_looks(scene))
    if span.vague:
        sleeps = act.lemma == "sleep" and act.form == "base"
        if not (between or sleeps):
            return None
        confidence = "medium" if ((rate or spreads) and then) or _before_look(scene) or sleeps else "low"
    elif (span.seconds or 0) < (LEAST if _between_calls(scene) else SHORTEST):
        return None
    elif (
        (rate and not then and _ALTERNATIVE.match(scene.low, span_end(scene, span)))
        or scene.by_program
        or _once_more(scene, following)
        or (rate and not _between_calls(scene) and not _before_next(scene))
        or "by default" in scene.low
        or (not between and scene.words & _ANSWERING and scene.words & lex.PERSON)
        or ((span.seconds or 0) >= LONG and not (between or scene.context.block.sleeps or _in_a_procedure(scene, span)))
        or "up to" in scene.low[: span_end(scene, span)][-24:]
        or (
            block.kind == "fence"
            and not (between or block.sleeps or _between_looks(scene) or _until_it_has_run(scene, span, limit))
        )
    ):
        confidence = "low"
    elif (
        act.lemma == "sleep"
        or between
        or pending is not None
        or rate
        or spreads
        or _in_a_procedure(scene, span)
        or _behind_a_step(scene, span)
        or _until_it_has_run(scene, span, limit)
        or _in_parentheses(scene, act, span)
        or _between_looks(scene)
    ):
        confidence = "medium"
    else:
        confidence = "low"
    cause = " because of a rate limit" if rate else " for a change to spread" if spreads else " between two steps"
    reason = f"tells the model to {act.lemma} {said(span.seconds) or 'a while'}{cause}"
    first = min(act.start, act.at)
    if pending is not None:
        first = min(first, scene.parsed.clauses[pending].first)
    return Found("model-sleeps", confidence, reason, first, scene.end(limit), span.seconds, verb=act.lemma)
