"""Orders to observe again until something outside changes."""

from __future__ import annotations

import re

from waitlint.prose import ends, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.bans import cadence, forbidden, presumed
from waitlint.prose.blocks import SHELLS
from waitlint.prose.context import Context
from waitlint.prose.durations import duration_at, said
from waitlint.prose.found import Found
from waitlint.prose.keeps import read_keep, read_repeat
from waitlint.prose.looks import LETTERS, read_look
from waitlint.prose.moods import DESCRIBED, MANNER, NOUN, ORDER, PASSIVE, PERMITTED, PURPOSE
from waitlint.prose.names import may_be_asked
from waitlint.prose.scene import PROGRAM_MARKS, SCHEDULE, Scene
from waitlint.prose.sleeps import read_wait
from waitlint.prose.things import Thing

_PACES = lex.words("paces")
_ASKING = frozenset(["how", "whether", "why"])
_SOCIAL = lex.words("social")
_SCRIPTS = frozenset(["script", "scripts", "background"])
_FILES = (".py", ".sh", ".js", ".mjs", ".ts", ".ps1")
# "`fetch.py poll --interval 10 --timeout 180`": the command looks again by itself.
_PACED_BY_OPTION = re.compile(r"\bpoll\b.{0,80}--(?:poll-)?(?:interval|timeout|wait|max-wait)\b")
_ENTERS = frozenset(["enter", "begin", "start", "restart", "re-enter", "run", "re-run", "rerun", "repeat", "resume"])
_MEANS = frozenset(["via", "through", "using", "by", "with"])
_NEAR_ENOUGH = 2
_SHORT_NAME = 2
_ORDINALS = frozenset(["first", "second", "third", "last", "final"])
_LOOPS = frozenset(["loop", "loops"])
# "Use a 2-second polling interval": what a setting is to be.
_SETS = frozenset(["use", "set", "configure", "give", "choose", "pick"])
# "Use the `since` parameter for incremental polling": what an argument is there for.
_PARAMETERS = frozenset(["parameter", "argument", "option", "field", "header", "flag", "cursor"])
_OUTCOMES = lex.words("outcomes")
# What works on its own, and is asked how far it is.
_RUNNING = frozenset(
    ["session", "sessions", "agent", "agents", "subagent", "subagents", "pane", "panes", "terminal", "shell", "worker"]
)
_BOUNDS = frozenset(["attempts", "deadline", "bounded"])
_ONE = frozenset(["the", "a", "an", "its"])
_A_TIME = frozenset(["moment", "while", "bit", "minute", "second", "few"])
_ENDS_OF_A_RUN = frozenset(["complete", "finish", "completion", "completions", "progress", "state", "status"])
_FIELD_OF_STATE = re.compile(r"(?:^`?|[._])(?:state|status|phase)(?:$|[`._ =])")
_TIMES = re.compile(r"\b(?:few|several|multiple|\d{1,3}) times\b")
_REFUSED = re.compile(r"[45]\d\d|5xx|4xx")
_NEEDS = frozenset(["need", "needed", "necessary", "required", "desired", "want", "wanted", "any", "useful", "helpful"])
_SWITCHED = frozenset(["true", "set", "enabled", "false", "is", "this", "provided", "passed", "given"])
# Nothing that goes through a model looks more often than this; it is said of code.
FASTEST = 0.2


def read_loops(parsed: Parsed, context: Context) -> list[Found]:
    """The loops (and bans of loops) of one sentence."""
    if not parsed.acts:
        return []
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
        if (awaited := self._waits_through(act)) is not None:
            return self.loop("medium", act, marks.reach(self.parsed, act), self.thing(act), None, awaited)
        if act.mood == DESCRIBED or (act.subject in ("program", "person", "tool", "thing") and act.mood != PASSIVE):
            return None
        if self._if_switched_on(act) or self.names_it(act) or (act.mood == PURPOSE and self.is_delegated(act)):
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
            return read_repeat(self, act, limit)
        return read_keep(self, act, limit) if act.keeps else read_look(self, act, limit)

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
        if (self.is_one_look(act, step) and end is None) or self._is_numbered(act):
            return None
        if self.by_program or self.by_schedule or self.in_background(act) or (step is not None and step.schedule):
            return None
        if act.mood in (NOUN, MANNER) and not act.keeps:
            return self._polling(act, limit, thing, step, end)
        if act.mood == PURPOSE and (self.creates(act) or "wait" in thing.named.lower() or self._by_a_script(act)):
            return None
        if self.in_program and (not thing.is_tool or self.in_frames) and not self._by_the_model(act, step, end):
            return None
        if self.tells_itself(act, thing) or _polls_by_itself(thing.named) or _PACED_BY_OPTION.search(self.low):
            return None
        if act.keeps and self.explains_a_command():
            return None
        later = marks.delay(self.parsed, act, limit)
        marked = step is not None or end is not None or states.pending_condition(self.parsed, act) is not None
        marked = marked or _TIMES.search(self.low) is not None
        if not (thing.itself or (act.keeps and self.opens_entry(act))) and self.describes_name(act, marked):
            return None
        if not marked and not act.keeps and not thing.named and (self.is_capability(act) or self.is_label(thing)):
            found = self.loop("low", act, limit, thing)
            found.label = self.context.block.kind == "heading"
            return found
        if (
            self.in_http_table()
            or self.is_design(thing)
            or self.labels_command()
            or (step is None and end is None and not act.keeps and self.is_listed(act))
        ):
            return self.loop("low", act, limit, thing)
        if not marked and not act.keeps and (self._once_a_person_did(act) or self.words & LETTERS):
            return self.loop("low", act, limit, thing)
        nowhere = end is None and not (thing.named or self.context.block.step)
        backs_off = "backoff" in self.words and step is not None and step.seconds is None and nowhere
        certain = thing.known and (marked or act.keeps)
        confidence = "high" if certain else "medium"
        bare_modal = act.start < act.at and self.tokens[act.start].low in lex.MODALS and thing.empty and not marked
        instead = thing.strong and "over" in self.words
        advised = self.tokens[act.at].low in ("prefer", "recommend") and not (marked or thing.is_tool or instead)
        idle = act.lemma == "long-poll" or advised or self._if_needed(act)
        unsure = not (marked or later is not None or act.keeps or thing.itself or self._is_of_a_run(act, thing))
        idle = idle or thing.words[:1] == ("something",)
        may = act.mood == PERMITTED and not certain and self.context.role != "tool-result"
        may = may and not (thing.known and (thing.named or marked))
        if bare_modal or backs_off or idle or unsure or may:
            confidence = "low"
        found = self.loop(confidence, act, limit, thing, step, end, later=later)
        if end is None and later is None and (length := marks.lasts(self.parsed, act, limit)) is not None:
            found.firm = found.firm or 1
            found.reason += f" for {said(length.seconds) or 'some time'}"
        return found

    def _by_the_model(self, act: Act, step: marks.Iteration | None, end: ends.Until | None) -> bool:
        """ "For these jobs, automatically poll every 10 s": the reader is to do it without being asked."""
        marks_of_code = self.words & PROGRAM_MARKS
        ordered = act.mood == ORDER and act.form == "base" and self.tokens[act.at - 1].low == "automatically"
        return ordered and marks_of_code == {"automatically"} and (step is not None or end is not None)

    def _is_numbered(self, act: Act) -> bool:
        """ "Poll #2 (4 s): …", "poll 3 — 6 m", "poll 404": the name of a look that was taken, or of what came back."""
        behind = self.tokens[act.verb_at + 1 : act.verb_at + 3]
        if act.at and self.tokens[act.at - 1].low in _ORDINALS and (not behind or behind[0].kind == "mark"):
            return True
        if not behind:
            return False
        first = behind[0]
        alone = first.kind == "number" and (len(behind) == 1 or behind[1].kind in ("mark", "dash"))
        return alone or first.low == "number" or first.text.startswith("#") or bool(_REFUSED.fullmatch(first.text))

    def _by_a_script(self, act: Act) -> bool:
        """ "Run the monitor script to poll the state", "run `watch.py` as a background task to poll it"."""
        before = self.tokens[self.parsed.clauses[act.clause].first : act.at]
        return any(token.low in _SCRIPTS or token.low.strip("`").endswith(_FILES) for token in before)

    def _is_of_a_run(self, act: Act, thing: Thing) -> bool:
        """Whether a bare poll is one of work that runs elsewhere: by its object, by the tool's name, or by what is
        said before. "Poll the images" and "poll `quota`" may as well ask for one look; "poll for the reviews" is for
        what is yet to come."""
        following = self.tokens[act.verb_at + 1].low if act.verb_at + 1 < len(self.tokens) else ""
        if self.context.block.code in SHELLS or (following == "for" and not thing.named):
            return True
        if thing.named and not may_be_asked(thing.named):
            seen = bool(thing.status) and not thing.direct
            return seen or self._is_looked_for(act) or self.started_before() or self._names_a_state()
        return (
            bool(thing.named)
            or thing.empty
            or thing.strong
            or bool(_RUNNING & set(thing.words[:2]))
            or bool(_OUTCOMES & set(thing.words[:2]) or self.words & _ENDS_OF_A_RUN or self._names_a_state())
            or self.started_before()
        )

    def _is_looked_for(self, act: Act) -> bool:
        """ "Poll `tmux list-panes` for the new pane": what is yet to come is looked for in what a command shows."""
        behind = [token.low for token in self.tokens[act.verb_at + 2 : act.verb_at + 5]]
        return len(behind) > _SHORT_NAME and behind[0] == "for" and behind[1] in _ONE and behind[2] not in _A_TIME

    def _names_a_state(self) -> bool:
        """ "Poll via `get` to check `state.ready`"."""
        return any(token.kind == "code" and _FIELD_OF_STATE.search(token.text) for token in self.tokens)

    def _if_needed(self, act: Act) -> bool:
        """ "Poll it if needed", "optionally poll it": nobody is told to."""
        if any(token.low == "optionally" for token in self.tokens[max(0, act.at - 2) : act.at]):
            return True
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
        before = {token.low for token in self.tokens[self.parsed.clauses[act.clause].first : act.at]}
        following = self.tokens[act.verb_at + 1].low if act.verb_at + 1 < len(self.tokens) else ""
        if act.mood == MANNER and "for" in before and (before & _PARAMETERS or following == "/"):
            return None
        first = self.tokens[self.parsed.clauses[act.clause].first].low
        set_up = first in _SETS and following not in _LOOPS
        timed = (step is not None and step.seconds is not None) or self._is_pace(act)
        paced = following in _PACES and timed and not set_up
        if self._is_a_step(act):
            return self.loop("medium", act, limit, thing, step, end)
        entered = following in _LOOPS and "background" not in self.words and first in _ENTERS
        behind = self.tokens[act.verb_at + _SHORT_NAME : act.verb_at + _SHORT_NAME + 1]
        if behind and behind[0].low in ("that", "which"):
            return None  # "Start a polling loop that tends it": something else runs it.
        if act.mood == NOUN and (paced or entered) and act.subject == "model":
            return self.loop("medium", act, limit, thing, step, end)
        if act.mood == NOUN and following == ":" and act.at == 0 and step is not None and step.seconds is not None:
            return self.loop("medium", act, limit, thing, step, end)
        if act.mood == MANNER and act.subject == "model" and not self.creates(act):
            shown = self.context.block.code in SHELLS and self.tokens[-1].text == ":"
            named = states.states_in(list(self.tokens[: act.at]))
            reached = any(state.lower() in lex.DONE and state.lower() not in lex.OTHER_ORDERS for state in named)
            bounded = self.words & _BOUNDS or reached or self.waits_before(act)
            certain = thing.named or end is not None or step is not None or shown or bounded
            return self.loop("medium" if certain else "low", act, limit, thing, step, end)
        return None

    def _waits_through(self, act: Act) -> ends.Until | None:
        """ "Wait for all workers to finish via `TaskOutput` polling": what is waited for, by looking."""
        if act.lemma not in lex.POLL or act.mood not in (NOUN, MANNER) or self.by_program or self.by_schedule:
            return None
        if act.at and self.tokens[act.at - 1].low == "by":
            return None  # "By polling it": how the order before is carried out, as `ends` has it.
        means = next((at for at in range(act.at - 1, max(0, act.at - 6), -1) if self.tokens[at].low in _MEANS), 0)
        if not means:
            return None
        for order in self.parsed.acts:
            near = order.at <= means and act.clause <= order.clause + _NEAR_ENOUGH
            if not near or order.lemma not in lex.WAIT or order.mood != ORDER or order.negated:
                continue
            last = min(means, self.parsed.clauses[order.clause].last)
            if (end := ends.awaited(self.parsed, order, last)) is not None:
                end.order = order.start
                return end
        return None

    def _is_a_step(self, act: Act) -> bool:
        """ "3. Poll loop:" above what is done in each lap."""
        block = self.context.block
        words = [token.low for token in self.tokens if token.kind == "word"]
        named = words[-1] in _LOOPS and words[-_SHORT_NAME:][0] == self.tokens[act.verb_at].low
        return block.kind == "item" and bool(block.step) and len(words) <= _SHORT_NAME + 1 and named

    def _should_be(self, act: Act) -> bool:
        """ "Polling cadence should be 3 seconds"."""
        behind = self.tokens[act.verb_at + _SHORT_NAME : act.verb_at + _SHORT_NAME * 2]
        span = duration_at(self.tokens, act.verb_at + _SHORT_NAME * 2) if len(behind) == _SHORT_NAME else None
        return span is not None and behind[0].low in ("should", "must") and behind[1].low == "be"

    def _is_pace(self, act: Act) -> bool:
        """ "Polling cadence: 30 s for the first minutes": a length of time right behind the colon."""
        behind = self.parsed.clauses[act.clause + 1 : act.clause + 2]
        clause = self.parsed.clauses[act.clause]
        ordered = any(token.low in lex.OTHER_ORDERS for token in self.tokens[clause.first : act.at])
        named = clause.joined != "(" and clause.last == act.verb_at + _SHORT_NAME
        if not ordered and self._should_be(act):
            return True
        if ordered or not named or not behind or behind[0].joined != ":":
            return False
        span = duration_at(self.tokens, behind[0].first)
        told = span is not None and [token.low for token in self.tokens[span.last + 1 : span.last + 2]]
        if span is None or told in (["is"], ["are"], ["was"]) or "default" in self.words:
            return False
        return (span.seconds or span.unit) <= SCHEDULE
