"""Orders to observe again until something outside changes."""

from __future__ import annotations

from itertools import pairwise

from waitlint.prose import ends, laps, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.bans import cadence, forbidden, presumed
from waitlint.prose.blocks import SHELLS
from waitlint.prose.context import Context
from waitlint.prose.durations import duration_at
from waitlint.prose.found import Found
from waitlint.prose.moods import DESCRIBED, MANNER, NOUN, ORDER, PASSIVE, PERMITTED, PURPOSE
from waitlint.prose.names import changes, is_for_waiting, may_be_asked, reads
from waitlint.prose.scene import Scene
from waitlint.prose.sleeps import RATE, SHORTEST, read_wait
from waitlint.prose.things import Thing

_PACES = lex.words("paces")
_ASKING = frozenset(["how", "whether", "why"])
_SOCIAL = lex.words("social")
# Verbs of looking that are no poll with "until" alone: "read until the end", "verify until sure".
_NEEDS_AGAIN = frozenset(
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
    ]
)
_SCRIPTS = frozenset(["script", "scripts", "background"])
_FILES = (".py", ".sh", ".js", ".mjs", ".ts", ".ps1")
_ENTERS = frozenset(["enter", "begin"])
_SHORT_NAME = 2
_OUTCOMES = lex.words("outcomes")
_NEEDS = frozenset(["need", "needed", "necessary", "required", "desired", "want", "wanted", "any"])
_SWITCHED = frozenset(["true", "set", "enabled", "false", "is", "this", "provided", "passed", "given"])
SCHEDULE = 900
HOUR = 3600
# Nothing that goes through a model looks more often than this; it is said of code.
FASTEST = 0.2
# Looks further apart than this, with nothing said of what is looked at, are rather a plan than a wait.
OFTEN = 120


def read_loops(parsed: Parsed, context: Context) -> list[Found]:
    """The loops (and bans of loops) of one sentence."""
    reader = _Reader(parsed, context)
    found: list[Found] = []
    taken = -1
    for number, act in enumerate(parsed.acts):
        if act.at < taken:
            continue
        one = reader.judge(number, act)
        if one is not None:
            found.append(one)
            taken = one.last
    return found


def _polls_by_itself(name: str) -> bool:
    """Whether a script is named for its loop: "poll for it with `poll_result.py`"."""
    low = name.lower().strip("`")
    return low.endswith(_FILES) and any(word in low for word in ("poll", "wait", "watch"))


class _Reader(Scene):
    def judge(self, number: int, act: Act) -> Found | None:
        if (act.mood in (PASSIVE, NOUN) and (self.asks or self.words & _ASKING)) or self.of_an_option(act):
            return None
        if act.negated == "no":
            return presumed(self, act) or forbidden(self, act)
        if act.negated == "cadence":
            return cadence(self, act)
        if act.mood == DESCRIBED or (act.subject in ("program", "person", "tool", "thing") and act.mood != PASSIVE):
            return None
        if self._if_switched_on(act):
            return None
        clause = self.parsed.clauses[act.clause]
        if act.mood == PASSIVE and (clause.kind in ("before", "after", "which") or "automatically" in self.words):
            return None
        inside = clause.kind in ("if", "until", "which", "because") and clause.first <= act.start
        if inside and (clause.kind == "which" or not (act.mood == ORDER and act.start >= act.at)):
            return None
        limit = marks.reach(self.parsed, act)
        step = marks.iteration(self.parsed, act, limit)
        if step is not None and step.seconds is not None and step.seconds < FASTEST:
            return None
        if act.lemma in lex.POLL:
            return self._poll(act, limit)
        manner = act.mood == MANNER and act.form == "ing" and act.subject == "model" and act.lemma not in lex.WAIT
        if act.mood in (NOUN, MANNER) and not act.keeps and not manner:
            return None
        if act.lemma in lex.WAIT:
            return read_wait(self, number, act, limit)
        if act.lemma in lex.REPEAT:
            return self._repeat(act, limit)
        return self._keep(act, limit) if act.keeps else self._look(act, limit)

    def _if_switched_on(self, act: Act) -> bool:
        """ "wait: if true, poll until it is done": what an argument has the tool do."""
        before = self.parsed.clauses[max(0, act.clause - 1) : act.clause]
        return any(
            clause.kind == "if" and {t.low for t in self.tokens[clause.first : clause.last]} <= _SWITCHED
            for clause in before
        )

    # ------------------------------------------------------------ orders

    def _poll(self, act: Act, limit: int) -> Found | None:
        thing = self.thing(act)
        social = self.words & _SOCIAL if thing.empty else _SOCIAL & set(thing.words[:3])
        if social and not thing.named:
            return None
        step = marks.iteration(self.parsed, act, limit)
        end = ends.until(self.parsed, act, limit)
        if self.is_one_look(act, step) and end is None:
            return None
        if self.by_program or self.by_schedule or self.in_background(act) or (step is not None and step.schedule):
            return None
        if act.mood in (NOUN, MANNER) and not act.keeps:
            return self._polling(act, limit, thing, step, end)
        if act.mood == PURPOSE and (self.creates(act) or "wait" in thing.named.lower() or self._by_a_script(act)):
            return None
        if self.in_program and (not thing.is_tool or self.in_frames):
            return None
        if self.tells_itself(act, thing) or _polls_by_itself(thing.named):
            return None
        later = marks.delay(self.parsed, act, limit)
        marked = step is not None or end is not None or states.pending_condition(self.parsed, act) is not None
        if not (thing.itself or (act.keeps and self.opens_entry(act))) and self.describes_name(act, marked):
            return None
        if not marked and not act.keeps and not thing.named and (self.is_capability(act) or self.is_label(thing)):
            return self.loop("low", act, limit, thing)
        if (
            self.in_http_table()
            or self.is_design(thing)
            or self.labels_command()
            or (step is None and end is None and not act.keeps and self.is_listed(act))
        ):
            return self.loop("low", act, limit, thing)
        if not marked and not act.keeps and self._once_a_person_did(act):
            return self.loop("low", act, limit, thing)
        nowhere = end is None and not (thing.named or self.context.block.step)
        backs_off = "backoff" in self.words and step is not None and step.seconds is None and nowhere
        certain = thing.known and (marked or act.keeps)
        confidence = "high" if certain else "medium"
        bare_modal = act.start < act.at and self.tokens[act.start].low in lex.MODALS and thing.empty and not marked
        advised = self.tokens[act.at].low in ("prefer", "recommend") and not marked and not thing.is_tool
        idle = act.lemma == "long-poll" or advised or self._if_needed(act)
        unsure = not (marked or later is not None or act.keeps or thing.itself or self._is_of_a_run(thing))
        if bare_modal or backs_off or idle or unsure or (act.mood == PERMITTED and not certain and not thing.known):
            confidence = "low"
        return self.loop(confidence, act, limit, thing, step, end, later=later)

    def _by_a_script(self, act: Act) -> bool:
        """ "Run the monitor script to poll the state", "run `watch.py` as a background task to poll it"."""
        before = self.tokens[self.parsed.clauses[act.clause].first : act.at]
        return any(token.low in _SCRIPTS or token.low.strip("`").endswith(_FILES) for token in before)

    def _is_of_a_run(self, thing: Thing) -> bool:
        """Whether a bare poll is one of work that runs elsewhere: by its object, by the tool's name, or by what is
        said before. "Poll the images" and "poll `quota`" may as well ask for one look."""
        if self.context.block.code in SHELLS:
            return True
        if thing.named and not may_be_asked(thing.named):
            return self.started_before()
        return (
            bool(thing.named)
            or thing.empty
            or thing.strong
            or bool(_OUTCOMES & set(thing.words[:2]) or self.words & {"complete", "finish"})
            or self.started_before()
        )

    def _if_needed(self, act: Act) -> bool:
        """ "Poll it if needed": nobody is told to."""
        return any(
            clause.kind == "if" and any(token.low in _NEEDS for token in self.tokens[clause.first : clause.last][:4])
            for clause in self.parsed.clauses[act.clause + 1 : act.clause + 3]
        )

    def _once_a_person_did(self, act: Act) -> bool:
        """ "After the user has signed in, poll again": one more look, since a person has done something."""
        for clause in self.parsed.clauses[max(0, act.clause - 1) : act.clause]:
            words = {token.low for token in self.tokens[clause.first : clause.last]}
            if clause.kind in ("after", "if") and clause.joined in ("after", "once", "") and words & lex.PERSON:
                return True
        return False

    def _polling(
        self, act: Act, limit: int, thing: Thing, step: marks.Iteration | None, end: ends.Until | None
    ) -> Found | None:
        """ "Polling interval: every 17 s", "use polling with get_job"."""
        if self.in_program or self.context.own_description or (act.mood == MANNER and self.describes_name(act, False)):
            return None
        following = self.tokens[act.verb_at + 1].low if act.verb_at + 1 < len(self.tokens) else ""
        paced = following in _PACES and ((step is not None and step.seconds is not None) or self._is_pace(act))
        entered = (
            following in ("loop", "loops")
            and "background" not in self.words
            and self.tokens[self.parsed.clauses[act.clause].first].low in _ENTERS
        )
        if act.mood == NOUN and (paced or entered) and act.subject == "model":
            return self.loop("medium", act, limit, thing, step, end)
        if act.mood == MANNER and act.subject == "model" and not self.creates(act):
            certain = thing.named or end is not None or step is not None
            return self.loop("medium" if certain else "low", act, limit, thing, step, end)
        return None

    def _is_pace(self, act: Act) -> bool:
        """ "Polling cadence: 30 s for the first minutes": a length of time right behind the colon."""
        behind = self.parsed.clauses[act.clause + 1 : act.clause + 2]
        clause = self.parsed.clauses[act.clause]
        ordered = any(token.low in lex.OTHER_ORDERS for token in self.tokens[clause.first : act.at])
        named = clause.joined != "(" and clause.last == act.verb_at + _SHORT_NAME
        if ordered or not named or not behind or behind[0].joined != ":":
            return False
        span = duration_at(self.tokens, behind[0].first)
        told = span is not None and [token.low for token in self.tokens[span.last + 1 : span.last + 2]]
        if span is None or told in (["is"], ["are"], ["was"]) or "default" in self.words:
            return False
        return (span.seconds or span.unit) <= SCHEDULE

    def _keep(self, act: Act, limit: int) -> Found | None:
        if act.mood == NOUN and act.form != "base":
            return None
        thing = self.thing(act)
        if self.by_schedule or (self.by_program and not thing.is_tool):
            return None
        step = marks.iteration(self.parsed, act, limit)
        end = ends.until(self.parsed, act, limit)
        pending = states.pending_condition(self.parsed, act)
        if act.lemma in lex.RETRY:
            good = end is not None and end.outside and not end.fix and thing.known
            return self.loop("medium", act, limit, thing, step, end, pending) if good else None
        if act.lemma in lex.CALL or act.lemma in lex.FETCH:
            return self._keep_calling(act, limit, thing, step, end, pending)
        if end is not None and (end.drain or end.fix) and not end.literal and not thing.strong:
            return None
        if (act.lemma in _NEEDS_AGAIN and not thing.known) or (act.lemma == "ask" and not thing.is_tool):
            return None
        ends_outside = end is not None and (end.outside or (end.reached and (thing.strong or reads(thing.named))))
        marked = ends_outside or pending is not None
        if marked or (step is not None and not step.schedule and (thing.known or thing.empty)):
            return self.loop("high" if thing.known else "medium", act, limit, thing, step, end, pending)
        if thing.is_tool or (thing.strong and act.lemma == "check"):
            return self.loop("medium", act, limit, thing, step, end)
        return self.loop("low", act, limit, thing, step, end) if thing.status else None

    def _keep_calling(
        self,
        act: Act,
        limit: int,
        thing: Thing,
        step: marks.Iteration | None,
        end: ends.Until | None,
        pending: int | None,
    ) -> Found | None:
        works = act.lemma in ("run", "execute", "use", "send", "issue", "try", "hit")
        ends_outside = end is not None and (end.outside or (end.reached and reads(thing.named)))
        unnamed = act.lemma == "call" and ends_outside and (thing.empty or "same" in self.words)
        if not thing.is_tool and not unnamed and (works or not (thing.status and ends_outside)):
            return None
        if laps.changed(self.parsed, act, limit):
            return None
        if end is not None and (end.drain or (end.fix and not end.literal) or not ends_outside):
            return None
        if end is not None and end.user and not thing.is_tool:
            return None
        if end is None and step is None and pending is None:
            return self.loop("low", act, limit, thing) if act.lemma == "call" else None
        confidence = "medium" if unnamed and not thing.known and not self.context.own_description else "high"
        return self.loop(confidence, act, limit, thing, step, end, pending)

    def _look(self, act: Act, limit: int) -> Found | None:
        """check, monitor, call, run, get: a loop only with a marker of repetition."""
        if act.mood == PURPOSE and (self.creates(act) or self._serves_another_call(act, limit)):
            return None
        thing = self.thing(act)
        step = marks.iteration(self.parsed, act, limit)
        if self.by_schedule or (step is not None and step.schedule) or (self.by_program and not thing.is_tool):
            return None
        if self.tells_itself(act, thing):
            return None
        end = ends.until(self.parsed, act, limit)
        pending = states.pending_condition(self.parsed, act)
        if act.lemma == "refresh" and not thing.named:
            return None
        if not thing.is_tool and self.describes_name(act, end is not None):
            return None
        calls = act.lemma in lex.CALL or act.lemma in lex.FETCH or act.lemma in lex.RETRY
        if is_for_waiting(thing.named) and step is None and marks.again(self.parsed, act, limit) is None:
            return None
        if calls and not thing.is_tool and not (thing.empty and act.lemma == "call"):
            anew = act.lemma in lex.ANEW and thing.strong
            running = (anew or (thing.status and pending is not None)) and end is not None and end.outside
            if not (act.lemma in lex.FETCH and thing.strong) and not running:
                return self._retry(act, limit, thing, pending)
        if laps.changed(self.parsed, act, limit) or (calls and thing.named and changes(thing.named) and end is None):
            return None
        if end is not None:
            return self._until(act, limit, thing, step, end, pending, calls)
        if step is not None and step.word == "in a loop" and calls:
            step = None
        if step is not None and not step.vague and step.word != "in a loop":
            return self._every(act, limit, thing, step)
        if marks.again(self.parsed, act, limit) is not None:
            return self._again(act, limit, thing, pending, calls)
        return self._vaguely(act, limit, thing, step, calls, pending) if step is not None else None

    def _serves_another_call(self, act: Act, limit: int) -> bool:
        """ "Call it again with `name` to fetch the rest": the purpose of a call that differs."""
        return any(
            other.clause == act.clause and other.at < act.at and laps.changed(self.parsed, other, limit)
            for other in self.parsed.acts
            if other.lemma in lex.CALL
        )

    def _until(
        self,
        act: Act,
        limit: int,
        thing: Thing,
        step: marks.Iteration | None,
        end: ends.Until,
        pending: int | None,
        calls: bool,
    ) -> Found | None:
        sure = thing.is_tool or thing.strong
        if (
            not (end.outside or (end.reached and (thing.strong or reads(thing.named))))
            or end.drain
            or (end.fix and not end.literal and not thing.strong)
            or (end.user and not sure)
        ):
            return None
        if act.lemma in _NEEDS_AGAIN and not thing.is_tool and marks.again(self.parsed, act, limit) is None:
            return None
        if (act.mood == PERMITTED and act.lemma not in lex.LOOK) or laps.mended(self.parsed, act):
            return None
        if calls and act.lemma in ("run", "use", "execute", "try") and not (end.terminal or self._named_state(end)):
            return None
        confidence = "high" if thing.known or end.literal else "medium"
        watches = act.mood == PURPOSE and bool(thing.named) and not reads(thing.named)
        watches = watches or (act.lemma == "track" and not sure)
        if self.context.block.kind == "heading" or self.labels_command() or watches:
            confidence = "low"
        return self.loop(confidence, act, limit, thing, step, end, pending)

    def _named_state(self, end: ends.Until) -> bool:
        """Whether a literal behind "until" is known as the name of a state, and not just any identifier."""
        return any(state.lower() in lex.DONE or state.lower() in lex.PENDING or state.isupper() for state in end.states)

    def _every(self, act: Act, limit: int, thing: Thing, step: marks.Iteration) -> Found | None:
        if self._is_of_a_noun(act, step) or (act.lemma in lex.CALL and self._for_another_end(act, step)):
            return None
        if thing.is_tool or thing.strong:
            return self.loop("high", act, limit, thing, step)
        looks = act.lemma in lex.ANEW or (act.lemma in lex.LOOK and bool(thing.status))
        soon = thing.empty and (step.seconds is None or step.seconds <= OFTEN)
        return self.loop("medium" if soon or looks else "low", act, limit, thing, step)

    def _is_of_a_noun(self, act: Act, step: marks.Iteration) -> bool:
        """ "Look at the values, one point every minute": the interval is that of the points."""
        for clause in self.parsed.clauses[act.clause + 1 :]:
            if clause.joined == "," and clause.first < step.first < clause.last:
                before = self.tokens[clause.first : step.first]
                return any(
                    t.kind == "word" and t.low not in lex.ADVERBS | lex.MARKERS | lex.PREPOSITIONS for t in before
                )
        return False

    def _for_another_end(self, act: Act, step: marks.Iteration) -> bool:
        """ "Use `alarms` to wake the worker every minute": what is used is not there to look."""
        words = [token.low for token in self.tokens[act.verb_at + 1 : step.first]]
        purposes = [second for first, second in pairwise(words) if first == "to"]
        return bool(purposes) and not any(word in lex.VERBS or word in lex.OBSERVES for word in purposes)

    def _again(self, act: Act, limit: int, thing: Thing, pending: int | None, calls: bool) -> Found | None:
        later = marks.delay(self.parsed, act, limit)
        if later is not None and (later.unit >= HOUR or (later.seconds is not None and later.seconds < SHORTEST)):
            later = None
        once = "once more" in self.low or (act.lemma in lex.RETRY and "once" in self.words)
        if once or (act.lemma == "ask" and not thing.is_tool):
            return None
        if act.lemma == "watch" and thing.empty:
            return self._unfinished(act, limit, thing, pending)
        anew = act.lemma in lex.ANEW
        watches = act.lemma in lex.WATCHING and later is not None and later.seconds is not None
        if act.lemma in lex.RETRY or act.lemma == "try":
            near = " ".join(parsed.sentence.low for parsed in self.context.previous[-1:])
            if RATE.search(self.low) or RATE.search(near):
                return None
        if later is not None and (thing.known or thing.empty or watches):
            good = thing.is_tool or thing.strong or pending is not None
            confidence = "high" if good else "medium"
            if act.lemma in lex.RETRY and pending is None:
                confidence = "low"
            return self.loop(confidence, act, limit, thing, None, None, pending, later)
        if "keep waiting" in self.low:
            return self._unfinished(act, limit, thing, pending)
        if pending is None and self.words & {"verify", "confirm"}:
            return None
        if laps.repaired(self.parsed, act, pending) or (pending is None and laps.put_right(self.parsed, act)):
            return None
        if pending is None and (anew or act.lemma in lex.RETRY or not self.pending_before(act)):
            return None
        if (act.lemma in lex.RETRY and not thing.is_tool) or (anew and not (thing.known or thing.empty)):
            return None
        if self.context.bounded or "only" in self.words:
            return self._unfinished(act, limit, thing, pending)
        return self.loop("high" if thing.known else "medium", act, limit, thing, None, None, pending)

    def _unfinished(self, act: Act, limit: int, thing: Thing, pending: int | None) -> Found:
        found = self.loop("high", act, limit, thing, None, None, pending)
        found.kind = "call-again-if-unfinished"
        found.reason = "has the tool called again only where its wait ran out"
        return found

    def _vaguely(
        self, act: Act, limit: int, thing: Thing, step: marks.Iteration, calls: bool, pending: int | None
    ) -> Found | None:
        if calls and (not thing.is_tool or step.word == "repeatedly"):
            return None
        if calls and step.word == "at intervals" and thing.itself:
            return self.loop("medium", act, limit, thing, step)
        goes_on = any(clause.joined == "while" for clause in self.parsed.clauses)
        if (pending is not None or goes_on) and thing.known and not calls:
            return self.loop("medium", act, limit, thing, step, pending=pending)
        if calls and "while" not in self.words and not self._to_look(act, limit):
            return self.loop("low", act, limit, thing, step) if act.lemma in ("call", "query") else None
        if (step.word in lex.FAST_ONLY or step.word == "at intervals") and not (thing.named and thing.strong):
            return self.loop("low", act, limit, thing, step) if thing.strong or thing.direct else None
        if (thing.named and (thing.direct or calls)) or thing.strong or (thing.itself and calls):
            return self.loop("medium", act, limit, thing, step)
        return self.loop("low", act, limit, thing, step) if thing.known else None

    def _to_look(self, act: Act, limit: int) -> bool:
        """ "call get_job periodically to check the status"."""
        last = self.parsed.clauses[limit - 1].last
        words = [token.low for token in self.tokens[act.verb_at + 1 : last]]
        looks = any(
            other.mood == PURPOSE and other.lemma in lex.LOOK and other.at > act.at for other in self.parsed.acts
        )
        return looks and any(word in lex.STRONG_STATUS and word != "state" for word in words)

    def _retry(self, act: Act, limit: int, thing: Thing, pending: int | None) -> Found | None:
        if act.lemma not in lex.RETRY and act.lemma != "try":
            return None
        if pending is None or laps.changed(self.parsed, act, limit) or laps.repaired(self.parsed, act, pending):
            return None
        later = marks.delay(self.parsed, act, limit)
        return self.loop("medium", act, limit, thing, None, None, pending, later) if later is not None else None

    def _repeat(self, act: Act, limit: int) -> Found | None:
        if act.mood != ORDER:
            return None
        step = marks.iteration(self.parsed, act, limit)
        end = ends.until(self.parsed, act, limit)
        thing = self.thing(act)
        if "(" in thing.named:
            return None
        observed = self.observed_before()
        if self.by_schedule or (step is not None and step.schedule):
            return None
        if step is not None and not step.vague and (step.seconds or 0) <= SCHEDULE and step.word != "in a loop":
            named = any(token.kind in ("name", "code") and token.call for token in self.tokens[: act.at])
            sure = observed or named or thing.named or thing.strong or "call" in thing.words
            return self.loop("medium" if sure else "low", act, limit, thing, step, end)
        pending = states.pending_condition(self.parsed, act)
        if end is None and pending is not None and "step" in thing.words[:1]:
            return self.loop("medium", act, limit, thing, step, None, pending)
        if end is None or end.drain or end.fix or end.user:
            return None
        words = end.text.lower()
        if "==" in words or "[" in words:
            return None
        if thing.strong and end.outside and "check" in thing.words:
            return self.loop("medium", act, limit, thing, step, end)
        ending = "terminal" in words or "status" in words or any(state.lower() in lex.DONE for state in end.states)
        if ending and (observed or "call" in thing.words):
            return self.loop("medium", act, limit, thing, step, end)
        return None
