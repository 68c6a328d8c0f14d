"""Orders to observe again until something outside changes, and orders to sleep between two looks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from waitlint.prose import lexicon as lex
from waitlint.prose import marks
from waitlint.prose.acts import DESCRIBED, MANNER, NOUN, ORDER, PASSIVE, PERMITTED, PURPOSE, Act, Parsed, subject_of
from waitlint.prose.context import Context
from waitlint.prose.durations import Duration, said
from waitlint.prose.names import mention_of

_BY_PROGRAM = re.compile(
    r"\b(?:scripts?|helper|sdk|cli|server|wrapper|hook|library|client|widget|ui|runner|daemon|it|which|tool|command|"
    r"function|harness|platform|system)\b.{0,24}\b(?:handles?|polls|takes care|does (?:this|it|so)|polling|auto-?polls?|"
    r"retries)\b"
)
_SOCIAL = frozenset(
    ["audience", "users", "team", "attendees", "voters", "people", "everyone", "members", "participants", "channel", "group", "community", "followers", "customers", "employees", "respondents", "stakeholders", "question", "questions", "options", "employee", "vote", "room", "class", "students"]
)
_SELF = frozenset(["it", "this", "them", "that", "each", "again"])
_SAME = frozenset(["tool", "command", "call", "function", "endpoint", "api", "step", "action"])
_CREATES = frozenset(
    ["implement", "build", "create", "write", "add", "develop", "design", "configure", "set", "setup", "deploy", "define", "install", "schedule", "support", "enable", "provide", "expose", "include", "make", "generate", "prefer", "consider", "replace"]
)
_PROGRAM_WORDS = frozenset(
    ["internally", "automatically", "under-the-hood", "server-side", "client-side", "setinterval", "useeffect", "frontend", "clients", "callers"]
)
_RATE = re.compile(r"\b(?:rate[ -]?limit\w*|throttl\w+|429|quota|too many requests|cooldown)\b")
_PROPAGATION = re.compile(
    r"\b(?:propagat\w+|eventual\w*|take effect|start(?:ed|s)? up|fully start|boot\w*|initiali[sz]\w+)\b"
)


@dataclass(slots=True)
class Found:
    """A loop found in a sentence: tokens `first` to `last` (not included)."""

    kind: str
    confidence: str
    reason: str
    first: int
    last: int
    seconds: float | None = None
    states: tuple[str, ...] = ()
    until: str = ""


@dataclass(slots=True)
class _Object:
    """What a verb is about: a tool named, "this tool" or "it", a noun of state, something else, or nothing."""

    named: str = ""
    itself: bool = False
    status: str = ""
    strong: bool = False
    head: str = ""
    words: tuple[str, ...] = ()

    @property
    def is_tool(self) -> bool:
        return bool(self.named) or self.itself

    @property
    def known(self) -> bool:
        return self.is_tool or bool(self.status)

    @property
    def empty(self) -> bool:
        return not self.words


class LoopReader:
    """Reads one sentence."""

    def __init__(self, parsed: Parsed, context: Context) -> None:
        self.parsed = parsed
        self.context = context
        self.tokens = parsed.tokens
        self.low = parsed.sentence.low
        self.words = {token.low for token in parsed.tokens}
        self.by_schedule = bool(self.words & lex.SCHEDULES)
        self.by_program = bool(_BY_PROGRAM.search(self.low))

    def read(self) -> list[Found]:
        found: list[Found] = []
        taken = -1
        for number, act in enumerate(self.parsed.acts):
            if act.at < taken:
                continue
            one = self._judge(number, act)
            if one is not None:
                found.append(one)
                taken = one.last
        return found

    # ------------------------------------------------------------ what may order at all

    def _judge(self, number: int, act: Act) -> Found | None:
        if act.negated == "no":
            return self._forbidden(act)
        if act.negated == "cadence":
            return self._cadence(act)
        clause = self.parsed.clauses[act.clause]
        if (
            act.mood == DESCRIBED
            or (act.subject in ("program", "person", "tool", "thing")
            and act.mood not in (PASSIVE,))
        ):
            return None
        if (
            clause.kind in ("if", "until", "which", "because")
            and clause.first <= act.start
            and not self._order_in_condition(act)
        ):
            return None
        limit = marks.reach(self.parsed, act)
        lemma = act.lemma
        if lemma in lex.POLL:
            return self._poll(number, act, limit)
        if act.mood in (NOUN, MANNER) and not act.keeps:
            return None
        if act.keeps and lemma not in lex.WAIT and lemma not in lex.REPEAT:
            return self._keep(act, limit)
        if lemma in lex.WAIT:
            return self._wait(number, act, limit)
        if lemma in lex.REPEAT:
            return self._repeat(act, limit)
        return self._look(act, limit)

    def _order_in_condition(self, act: Act) -> bool:
        return act.mood == ORDER and act.start >= act.at

    # ------------------------------------------------------------ kinds of order

    def _poll(self, number: int, act: Act, limit: int) -> Found | None:
        thing = self._object(act)
        if any(word in _SOCIAL for word in thing.words[:3]) and not thing.named:
            return None
        step = marks.iteration(self.parsed, act, limit)
        end = marks.until(self.parsed, act, limit)
        if act.mood in (NOUN, MANNER):
            if act.form == "base" and not act.keeps:
                return None
            if not act.keeps:
                return self._polling_noun(act, thing, step, end, limit)
        if act.mood == PURPOSE and self._creates(act):
            return None
        if self.by_program or self.by_schedule or (step is not None and step.schedule):
            return None
        if self.words & _PROGRAM_WORDS and not thing.is_tool:
            return None
        if self.context.own_description and not self._points_elsewhere(act, thing):
            return None
        certain = thing.known and (step is not None or end is not None or act.keeps)
        confidence = "high" if certain else "medium"
        if act.mood == PERMITTED and not certain:
            confidence = "medium" if thing.known else "low"
        return self._found("poll", confidence, act, limit, thing, step, end)

    def _polling_noun(
        self, act: Act, thing: _Object, step: marks.Iteration | None, end: marks.Until | None, limit: int
    ) -> Found | None:
        if self.by_program or self.by_schedule or self.words & _PROGRAM_WORDS or self.context.own_description:
            return None
        if act.mood == NOUN and step is not None and step.seconds and not step.schedule and act.subject == "model":
            return self._found("poll", "medium", act, limit, thing, step, end)
        if act.mood == MANNER and act.subject == "model" and not self._creates(act):
            certain = thing.named or end is not None or step is not None
            return self._found("poll", "medium" if certain else "low", act, limit, thing, step, end)
        return None

    def _keep(self, act: Act, limit: int) -> Found | None:
        if act.mood == NOUN and act.form != "base":
            return None
        thing = self._object(act)
        step = marks.iteration(self.parsed, act, limit)
        end = marks.until(self.parsed, act, limit)
        pending = marks.pending_condition(self.parsed, act)
        if self.by_schedule or (self.by_program and not thing.is_tool):
            return None
        if act.lemma in lex.CALL or act.lemma in lex.FETCH:
            if not thing.is_tool and not (thing.status and end is not None and end.outside):
                return None
            if marks.changed(self.parsed, act, limit):
                return None
            if end is not None and (end.drain or (end.fix and not end.literal) or not end.outside):
                return None
            if end is None and step is None and pending is None:
                return self._found("poll", "low", act, limit, thing, step, end)
            return self._found("poll", "high", act, limit, thing, step, end, pending)
        if act.lemma in lex.RETRY:
            if end is not None and end.outside and not end.fix and thing.known:
                return self._found("poll", "medium", act, limit, thing, step, end, pending)
            return None
        if end is not None and (end.drain or end.fix) and not end.literal and not thing.strong:
            return None
        if end is not None and end.outside:
            return self._found("poll", "high" if thing.known else "medium", act, limit, thing, step, end, pending)
        if step is not None and not step.schedule and (thing.known or thing.empty):
            return self._found("poll", "high" if thing.known else "medium", act, limit, thing, step, end, pending)
        if pending is not None:
            return self._found("poll", "high" if thing.known else "medium", act, limit, thing, step, end, pending)
        if thing.is_tool or (thing.strong and act.lemma == "check"):
            return self._found("poll", "medium", act, limit, thing, step, end)
        return self._found("poll", "low", act, limit, thing, step, end) if thing.status else None

    def _look(self, act: Act, limit: int) -> Found | None:
        """check, monitor, call, run, get: a loop only with a marker of repetition."""
        if act.mood == PURPOSE and self._creates(act):
            return None
        thing = self._object(act)
        step = marks.iteration(self.parsed, act, limit)
        end = marks.until(self.parsed, act, limit)
        if self.by_schedule or (step is not None and step.schedule):
            return None
        if self.by_program and not thing.is_tool:
            return None
        if self.context.own_description and not self._points_elsewhere(act, thing):
            return None
        calls = act.lemma in lex.CALL or act.lemma in lex.FETCH or act.lemma in lex.RETRY
        if calls and not thing.is_tool and not (thing.empty and act.lemma == "call"):
            if not (act.lemma in lex.FETCH and thing.strong):
                return self._retry(act, limit, thing) if act.lemma in lex.RETRY or act.lemma == "try" else None
        if marks.changed(self.parsed, act, limit):
            return None
        pending = marks.pending_condition(self.parsed, act)
        repeated = marks.again(self.parsed, act, limit)
        if end is not None and end.outside and not end.drain and (not end.fix or end.literal or thing.strong):
            if not end.user or thing.is_tool or thing.strong:
                return self._until_outside(act, limit, thing, step, end, pending, calls)
        if end is not None and (end.drain or end.fix or end.user or not end.outside):
            return None
        if step is not None and not step.vague:
            if thing.known or thing.empty or act.lemma in ("check", "query", "poll"):
                good = thing.is_tool or thing.strong or thing.empty
                return self._found(
                    "poll",
                    "high" if thing.is_tool or thing.strong else "medium" if good else "low",
                    act,
                    limit,
                    thing,
                    step,
                    end,
                )
            return self._found("poll", "low", act, limit, thing, step, end)
        if repeated is not None:
            return self._again(act, limit, thing, pending, calls)
        if step is not None:
            return self._vaguely(act, limit, thing, step, calls)
        return None

    def _until_outside(
        self,
        act: Act,
        limit: int,
        thing: _Object,
        step: marks.Iteration | None,
        end: marks.Until,
        pending: int | None,
        calls: bool,
    ) -> Found | None:
        if act.lemma in ("test", "view", "read", "verify", "list", "load", "try", "send", "issue", "hold") and not (
            thing.is_tool or marks.again(self.parsed, act, limit) is not None
        ):
            return None
        if calls and act.lemma in ("run", "use", "execute") and not (end.literal or step or thing.named):
            return None
        confidence = "high" if thing.known or end.literal else "medium"
        return self._found("poll", confidence, act, limit, thing, step, end, pending)

    def _again(self, act: Act, limit: int, thing: _Object, pending: int | None, calls: bool) -> Found | None:
        later = marks.delay(self.parsed, act, limit)
        earlier = pending is None and self._pending_before(act)
        same = "same" in thing.words or "same" in self.words
        if later is not None and (thing.known or thing.empty):
            good = thing.is_tool or thing.strong or pending is not None
            return self._found("poll", "high" if good else "medium", act, limit, thing, None, None, pending, later)
        if pending is not None or earlier:
            if act.lemma in lex.RETRY and not thing.is_tool:
                return None
            if self.context.bounded or "only" in self.words or "keep waiting" in self.low:
                return self._unfinished(act, limit, thing, pending)
            if self._row_pending() or calls or act.lemma in lex.LOOK:
                return self._found("poll", "high" if thing.known else "medium", act, limit, thing, None, None, pending)
        if "keep waiting" in self.low:
            return self._unfinished(act, limit, thing, None)
        if same and calls and thing.is_tool and "if" not in self.words:
            return self._found("poll", "low", act, limit, thing, None, None, pending)
        return None

    def _unfinished(self, act: Act, limit: int, thing: _Object, pending: int | None) -> Found:
        found = self._found("poll", "high", act, limit, thing, None, None, pending)
        found.kind = "call-again-if-unfinished"
        found.reason = "has the tool called again only where its wait ran out"
        return found

    def _vaguely(self, act: Act, limit: int, thing: _Object, step: marks.Iteration, calls: bool) -> Found | None:
        if calls and not thing.is_tool:
            return None
        if calls and step.word == "repeatedly":
            return None
        if step.word in lex.FAST_ONLY and not thing.named:
            return self._found("poll", "low", act, limit, thing, step, None) if thing.strong else None
        if thing.is_tool or thing.strong:
            return self._found("poll", "medium", act, limit, thing, step, None)
        return self._found("poll", "low", act, limit, thing, step, None) if thing.status else None

    def _retry(self, act: Act, limit: int, thing: _Object) -> Found | None:
        pending = marks.pending_condition(self.parsed, act)
        if pending is None or marks.changed(self.parsed, act, limit):
            return None
        later = marks.delay(self.parsed, act, limit)
        if later is None:
            return None
        return self._found("poll", "medium", act, limit, thing, None, None, pending, later)

    def _wait(self, number: int, act: Act, limit: int) -> Found | None:
        if act.mood not in (ORDER, PERMITTED) or act.lemma in ("hold", "block", "await"):
            return None
        span = marks.waits_for(self.parsed, act)
        if self.by_schedule and not act.lemma == "sleep":
            return None
        if span is None:
            return self._wait_again(act, limit)
        if span.unit >= 3600 or (span.seconds or 0) > 3600:
            return None
        following = self._following(number, act)
        pending = marks.pending_condition(self.parsed, act)
        if following is not None:
            return self._wait_then(act, following, span, pending)
        return self._sleep(act, span, limit, pending)

    def _wait_again(self, act: Act, limit: int) -> Found | None:
        """ "If still running, wait again", "wait and check again"."""
        pending = marks.pending_condition(self.parsed, act)
        if pending is None or self.context.own_description:
            return None
        repeated = marks.again(self.parsed, act, len(self.parsed.clauses))
        if repeated is None:
            return None
        return self._found("poll", "medium", act, len(self.parsed.clauses), self._object(act), None, None, pending)

    def _following(self, number: int, act: Act) -> Act | None:
        """The look or call that is ordered next in the same sentence."""
        for other in self.parsed.acts[number + 1 :]:
            if self.parsed.clauses[other.clause].kind != "main" or other.negated:
                return None
            if other.mood in (ORDER, PURPOSE) and (other.lemma not in lex.WAIT):
                return other
        return None

    def _wait_then(self, act: Act, following: Act, span: Duration, pending: int | None) -> Found | None:
        limit = marks.reach(self.parsed, following)
        thing = self._object(following)
        step = marks.iteration(self.parsed, following, limit)
        end = marks.until(self.parsed, following, limit)
        repeated = marks.again(self.parsed, following, limit) is not None
        if end is not None and (end.drain or end.fix) and not end.literal:
            end = None
        if following.lemma in lex.POLL or step is not None or (end is not None and end.outside) or following.keeps:
            return self._pair(
                act, following, limit, thing, step, end, pending, span, "high" if thing.known else "medium"
            )
        if following.lemma in lex.RETRY or following.lemma == "try":
            if pending is not None or (thing.named and not _RATE.search(self.low)):
                return self._pair(act, following, limit, thing, None, None, pending, span, "medium")
            if span.seconds is not None and _RATE.search(self.low):
                return self._sleep(act, span, limit, None)
            return None
        if repeated or pending is not None:
            if marks.changed(self.parsed, following, limit):
                return None
            known = thing.known or pending is not None or self._pending_before(act)
            if span.vague and not known:
                return None
            return self._pair(act, following, limit, thing, None, None, pending, span, "high" if known else "medium")
        return self._sleep(act, span, limit, pending, following)

    def _pair(
        self,
        act: Act,
        following: Act,
        limit: int,
        thing: _Object,
        step: marks.Iteration | None,
        end: marks.Until | None,
        pending: int | None,
        span: Duration,
        confidence: str,
    ) -> Found:
        found = self._found("poll", confidence, following, limit, thing, step, end, pending, span)
        found.first = min(found.first, act.start if act.start <= act.at else act.at)
        return found

    def _sleep(
        self, act: Act, span: Duration, limit: int, pending: int | None, following: Act | None = None
    ) -> Found | None:
        tail = self.low
        between = any(word in self.words for word in ("between", "before", "next")) or following is not None
        if span.vague:
            if not between or act.lemma not in ("wait", "sleep", "pause"):
                return None
            confidence = "low" if following is None else "low"
        elif act.lemma == "sleep" or between or pending is not None:
            confidence = "medium"
        else:
            confidence = "low"
        if self.context.own_description:
            return None
        cause = "a rate limit" if _RATE.search(tail) else "a change to spread" if _PROPAGATION.search(tail) else ""
        length = said(span.seconds) or "a while"
        reason = f"tells the model to {act.lemma} {length}" + (
            f" because of {cause}" if cause else " between two steps"
        )
        first = act.start if pending is None else min(act.start, self.parsed.clauses[pending].first)
        return Found("model-sleeps", confidence, reason, first, self._end(limit), span.seconds)

    def _repeat(self, act: Act, limit: int) -> Found | None:
        if act.mood != ORDER:
            return None
        step = marks.iteration(self.parsed, act, limit)
        end = marks.until(self.parsed, act, limit)
        thing = self._object(act)
        observed = self._observed_before()
        if self.by_schedule or (step is not None and step.schedule):
            return None
        if step is not None and not step.vague and (step.seconds or 0) <= 900 and step.word != "in a loop":
            return self._found("poll", "medium" if observed else "low", act, limit, thing, step, end)
        if end is None or end.drain or end.fix or end.user:
            return None
        terminal = "terminal" in end.text.lower() or "status" in end.text.lower() or end.literal
        if terminal and (observed or "call" in thing.words):
            return self._found("poll", "medium", act, limit, thing, step, end)
        return None

    # ------------------------------------------------------------ bans

    def _forbidden(self, act: Act) -> Found | None:
        loops = act.lemma in lex.POLL or act.keeps or act.lemma in ("sleep",)
        if not loops and (act.lemma in lex.CALL or act.lemma in lex.LOOK or act.lemma in lex.RETRY):
            limit = marks.reach(self.parsed, act)
            step = marks.iteration(self.parsed, act, limit)
            loops = step is not None or marks.again(self.parsed, act, limit) is not None
        if not loops:
            return None
        verb = self.tokens[act.verb_at].low
        return Found("forbids-polling", "high", f"forbids {verb!r}", act.start, self._end(act.clause + 1))

    def _cadence(self, act: Act) -> Found | None:
        if act.lemma not in lex.POLL and act.lemma not in ("check", "call", "query"):
            return None
        thing = self._object(act)
        found = self._found("poll", "low", act, act.clause + 1, thing, None, None)
        found.reason = "limits only how often the model polls, and so takes polling for granted"
        return found

    # ------------------------------------------------------------ parts

    def _object(self, act: Act) -> _Object:
        parsed, tokens = self.parsed, self.tokens
        clause = parsed.clauses[act.clause]
        thing = _Object()
        words: list[str] = []
        limit = clause.last
        index = act.verb_at + 1
        while index < limit and index < act.verb_at + 18:
            token = tokens[index]
            low = token.low
            if token.kind in ("name", "code", "path") or token.kind == "hole":
                if not thing.named and (
                    mention_of(parsed.sentence, index) is not None or token.kind in ("hole", "path")
                ):
                    thing.named = token.text
            elif token.kind == "word":
                if low in ("this", "that", "same", "the") and index + 1 < limit and tokens[index + 1].low in _SAME:
                    thing.itself = True
                if low in _SELF and (index + 1 >= limit or tokens[index + 1].low not in lex.STATUS or low == "it"):
                    thing.itself = thing.itself or low in ("it", "this")
                if low in lex.STATUS and not thing.status:
                    thing.status = low
                if low in lex.STRONG_STATUS:
                    thing.strong = True
                    thing.status = low
            if token.kind in ("word", "name", "code", "path", "hole") and low not in lex.DETERMINERS:
                if low not in lex.ADVERBS and low not in ("every", "again", "until", "in", "for", "at", "after"):
                    words.append(low.strip("`'\""))
            index += 1
        if act.mood == PASSIVE:
            before = tokens[clause.first : act.at]
            if subject_of(before) == "tool" or any(token.low in lex.STATUS for token in before):
                thing.itself = True
            for index in range(clause.first, act.at):
                if mention_of(parsed.sentence, index) is not None:
                    thing.named = tokens[index].text
        if act.mood == PURPOSE:
            for index in range(clause.first, act.at):
                if mention_of(parsed.sentence, index) is not None:
                    thing.named = thing.named or tokens[index].text
        thing.words = tuple(words)
        thing.head = words[0] if words else ""
        return thing

    def _creates(self, act: Act) -> bool:
        clause = self.parsed.clauses[act.clause]
        lead = [token.low for token in self.tokens[clause.first : act.at] if token.kind == "word"]
        return any(word in _CREATES for word in lead[:4])

    def _points_elsewhere(self, act: Act, thing: _Object) -> bool:
        """In the first sentence of a description: whether the order is about this or another tool, not by the tool."""
        if act.keeps or thing.named or (thing.itself and {"this", "again"} & self.words):
            return True
        return marks.again(self.parsed, act, len(self.parsed.clauses)) is not None and "again" in self.words

    def _pending_before(self, act: Act) -> bool:
        """Whether the sentence before, or the row's first cell, says that something is still running."""
        if self._row_pending():
            return True
        clause = self.parsed.clauses[act.clause]
        for other in self.parsed.clauses[: act.clause]:
            if (
                other.kind == "main"
                and marks.is_pending(self.tokens[other.first : other.last])
                and clause.first >= other.last
            ):
                return True
        if not self.context.previous or self.context.block.kind == "cell":
            return False
        before = self.context.previous[-1]
        return marks.is_pending(before.tokens) and before.sentence.block.index >= self.context.block.index - 1

    def _row_pending(self) -> bool:
        row = self.context.block.row
        return bool(row) and any(
            word.strip("`*\"' ") in lex.PENDING for cell in row[:2] for word in re.split(r"[\s,/]", cell)
        )

    def _observed_before(self) -> bool:
        for parsed in self.context.previous[-2:]:
            if {token.low for token in parsed.tokens} & (lex.STRONG_STATUS | lex.PENDING | lex.POLL):
                return True
            if any(act.lemma in lex.LOOK or act.lemma in lex.WAIT for act in parsed.acts):
                return True
        return any(
            act.lemma in lex.LOOK or act.lemma in lex.POLL or act.lemma in lex.WAIT for act in self.parsed.acts[:-1]
        )

    def _end(self, limit: int) -> int:
        last = self.parsed.clauses[limit - 1].last
        while last > 1 and self.tokens[last - 1].kind == "mark" and self.tokens[last - 1].text in ".,;:!(":
            last -= 1
        return last

    def _found(
        self,
        kind: str,
        confidence: str,
        act: Act,
        limit: int,
        thing: _Object,
        step: marks.Iteration | None,
        end: marks.Until | None,
        pending: int | None = None,
        later: Duration | None = None,
    ) -> Found:
        if thing.named and thing.named != "\ufffc":
            name = thing.named.split("(", 1)[0].strip("`'\" ")
            what = f"another `{name}` call" if len(name) < 60 else "the same call again"
        elif thing.itself and act.lemma in lex.CALL:
            what = "the same call again"
        elif thing.status:
            what = f"another look at the {thing.status}"
        elif act.lemma in lex.CALL:
            what = "the same call again"
        else:
            what = "another look"
        reason = f"asks for {what}"
        seconds = step.seconds if step is not None else None
        if step is not None:
            reason += f" every {said(seconds)}" if seconds else f" {step.word}"
        elif later is not None:
            seconds = later.seconds
            reason += f" after {said(seconds)}" if seconds else " a little later"
        states: tuple[str, ...] = ()
        words = ""
        if end is not None:
            words, states = end.text, end.states
            reason += f" until {_short(words)}"
        elif pending is not None:
            clause = self.parsed.clauses[pending]
            span = self.tokens[clause.first : clause.last]
            states = marks.states_in(span)
            reason += f" while {_short(' '.join(token.text for token in span))}"
        first = act.start if act.start <= act.at else act.at
        if pending is not None:
            first = min(first, self.parsed.clauses[pending].first)
            if first and self.tokens[first - 1].low in ("if", "when", "while", "once"):
                first -= 1
        if step is not None:
            first = min(first, step.first)
        last = self._end(limit)
        return Found(kind, confidence, reason, min(first, last - 1), last, seconds, states, words)


def _short(words: str) -> str:
    words = re.sub(r"\s+([.,;:)\"'])", r"\1", " ".join(words.split()))
    return words if len(words) <= 60 else words[:57].rsplit(" ", 1)[0] + "…"
