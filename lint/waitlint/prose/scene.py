"""A sentence in its surroundings: what its readers share."""

from __future__ import annotations

import re

from waitlint.names import UNITS
from waitlint.prose import ends, marks, states
from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Act, Parsed
from waitlint.prose.context import Context
from waitlint.prose.durations import Duration, said
from waitlint.prose.found import Found, shortened
from waitlint.prose.moods import DESCRIBED
from waitlint.prose.names import is_command, is_state
from waitlint.prose.things import Thing, thing_of
from waitlint.prose.tokens import Token

_BY_PROGRAM = re.compile(
    r"\b(?:scripts?|helper|sdk|cli|server|wrapper|hook|library|client|widget|ui|runner|daemon|it|which|tool|command|"
    r"function|harness|platform|system)\b.{0,24}\b(?:handles?|polls|takes care|does (?:this|it|so)|"
    r"(?<!keep )(?<!continue )(?<!start )(?<!stop )(?<!resume )polling|auto-?polls?|retries)\b"
    r"|\bin (?:a|the) (?:\w{1,12} )?(?:background|detached|separate) (?:process|task|job|script|shell|thread|loop)\b"
    r"|\b(?:via|with|using|in|by|through) (?:an? |the |one )?(?:[\w-]{1,12} ){0,2}?"
    r"(?:python|node|javascript|powershell|bash|shell|while|for)[ -]?(?:loops?|scripts?|snippets?|one-liners?)\b"
    r"|\bthis (?:activity|component|hook|class|method|operator|node|module)\b"
)
# Looks further apart than this (seconds) are a schedule.
SCHEDULE = 900
_CODE_OF_HTTP = re.compile(r"[1-5]\d\d")
_ENDPOINT = re.compile(r"[`*]{0,3}(?:(?:get|post|put|delete|patch|head) [`*]{0,2})?/")
_STARTED = re.compile(
    r"\b(?:asynchronous(?:ly)?|async|(?:job|task|run|request|execution|operation|session)[ _-]?ids?|in the background|"
    r"a background (?:process|task|job)|"
    r"returns? (?:immediately|at once)|enqueue[sd]?|queues?|queued|processing|pending|takes? (?:about |up to |around )?"
    r"(?:\d|several|a few)|long-running|submit(?:s|ted)?|kick(?:s|ed)? off|not (?:yet )?(?:ready|done|finished))\b"
)
_RUNS = re.compile(r"\.(?:py|sh|js|mjs|ts|ps1|rb)\b")
_FILES = (".py", ".sh", ".js", ".mjs", ".ts", ".ps1", ".rb")
# "`202 Accepted` but no result": a case, and no name.
_CASE = re.compile(r"`[1-5]\d\d\b|`[^`]+` (?:but|and|with|without|or|after|when|on|returns?|is|stays)\b")
_SIGNATURE = re.compile(r"`[a-z_]\w{1,40}(?:\.\w{1,40})?\([^()`]{0,80}\)`")
# A heading that is the name of a script: what stands below tells what that does.
_SCRIPT = re.compile(r"(?:[\d.]{1,6} )?[`*]{0,3}[\w/-]{2,60}\.(?:py|sh|js|mjs|ts|ps1|rb)[`*]{0,3}")
_NAME = re.compile(
    r"(?:[\d.]{1,6} )?(?:(?:`[^`]{2,80}`|\w{3,60}\([^()]{0,100}\))\Z|`?[a-z]\w{0,30}(?:[-_]\w{1,30}){1,4}`? [-–—] )"
)
# "Command 3: /tray-round", "Tray Round Command": what is typed, and what it does once.
_TYPED = re.compile(r"(?:[:\s]|^)[`*]{0,3}/[a-z][\w:-]{1,40}[`*]{0,3}\Z|\w (?:slash )?command\Z")
_METHOD = re.compile(r"(?:get|post|put|delete|patch|head)\b")
_TO_DO = re.compile(r"\b(?:action|do|next|step|instruction|response|what|handling|agent|behaviou?r)")
_FRAMES = frozenset(["frame", "frames", "gamepad", "requestanimationframe", "tick", "ticks"])
_DESCRIBING = lex.words("describing")
_PUSHES = frozenset(
    ["webhook", "webhooks", "callback", "callbacks", "websocket", "websockets", "sse", "cdc", "triggers"]
)
# "On every wake", "at each session", "at every sprint review": a look whenever something else happens.
_AT_EACH = re.compile(
    r"\b(?:on|at) (?:every|each) (?:wake|wake-?up|turn|session|start|startup|run|invocation|message|prompt)\b"
    r"|\b(?:at|in|during) (?:every|each) (?:[\w-]{1,16} ){0,2}"
    r"(?:sprint|stand-?up|review|meeting|milestone|retrospective|hand-?off)\b"
)
# The scheduler of the program that runs the model: "`/loop 5m`", "with the `loop` skill".
_BY_THE_HOST = re.compile(r"(?:^|[\s(`])/loop\b(?!/)|`loop` (?:skill|command)|\bthe loop skill\b")
_DENIES = frozenset(["not", "never", "no", "n't", "don't", "without", "than", "of"])
_NEAR = 4
_DELEGATES = frozenset(["spawn", "dispatch", "delegate", "spawns", "dispatches", "delegates"])
_LABEL = 2
# "Poll all of them at once", "more than once".
_ALL_AT = (["at"], ["than"])
_PER = (["per"], ["every"], ["a"], ["each"], ["it"], ["the"])
_FIELDS = ("status", "state", "phase")
_BEATS = frozenset(["heartbeat", "heartbeats"])
# "On the bounded schedule": how far apart the reader's own looks are.
_OF_A_WAIT = frozenset(["bounded", "backoff", "polling", "retry"])
_WEBHOOKS = frozenset(["webhook", "webhooks"])
# Words before "push" where it is one of git's: "every push is reviewed".
_OF_GIT = frozenset(
    ["every", "each", "a", "the", "any", "this", "new", "last", "latest", "first", "git", "fix", "to", "after", "your"]
)
_INSTEAD_OF_PUSH = frozenset(["or", "no", "without", "unlike", "instead"])
_LISTS = frozenset([",", "|", "\u3001", "\uff0c"])
PROGRAM_MARKS = lex.words("program-marks")


class Scene:
    """One sentence, its acts, and the context that it stands in."""

    def __init__(self, parsed: Parsed, context: Context) -> None:
        self.parsed = parsed
        self.context = context
        self.tokens = parsed.tokens
        self.low = parsed.sentence.low
        self.words = {token.low for token in parsed.tokens}
        self.by_schedule = (
            _by_schedule(parsed.tokens)
            or "cron" in self.low
            or _AT_EACH.search(self.low) is not None
            or _BY_THE_HOST.search(self.low) is not None
        )
        self.by_program = bool(_BY_PROGRAM.search(self.low)) or self._blocks()
        self.asks = parsed.sentence.ending == "?"
        self.in_frames = bool(self.words & _FRAMES)
        self.in_program = bool(self.words & PROGRAM_MARKS)

    def _blocks(self) -> bool:
        """ "Poll until done (blocks)": the thing itself waits."""
        return any(
            act.lemma in ("block", "wait")
            and act.mood == DESCRIBED
            and act.form == "s"
            and not act.negated
            and (act.subject in ("program", "tool") or self.parsed.clauses[act.clause].joined in ("(", "dash"))
            for act in self.parsed.acts
        )

    def thing(self, act: Act) -> Thing:
        return thing_of(self.parsed, act)

    def creates(self, act: Act) -> bool:
        """Whether the clause orders a program to be written, set up or preferred, and the act is what that does."""
        clause = self.parsed.clauses[act.clause]
        lead = [token.low for token in self.tokens[clause.first : act.at] if token.kind == "word"]
        verbs = (word for at, word in enumerate(lead[:4]) if not (at and lead[at - 1] in lex.DETERMINERS))
        return any(word in lex.CREATES for word in verbs)

    def is_delegated(self, act: Act) -> bool:
        """ "Spawn the `watcher` subagent to poll it": another one polls."""
        clause = self.parsed.clauses[act.clause]
        return any(token.low in _DELEGATES for token in self.tokens[clause.first : act.at])

    def names_it(self, act: Act) -> bool:
        """ "Call it a `conflict`": gives a name, and calls nothing."""
        following = self.tokens[act.verb_at + 1 : act.verb_at + 3]
        if act.lemma != "call" or len(following) < 2 or following[0].low != "it":
            return False
        return following[1].low in ("a", "an") or following[1].kind == "code"

    def describes_name(self, act: Act, marked: bool) -> bool:
        """Whether the sentence explains a name: "`create-and-poll`: create a job, poll it", "GET /jobs - Poll"."""
        block = self.context.block
        if block.kind == "cell" and any(_METHOD.match(cell.strip("`* ")) for cell in block.row):
            return True
        if block.kind == "heading" and len(self.parsed.clauses) > 1 and self.parsed.clauses[1].joined == "dash":
            clause = self.parsed.clauses[0]
            if clause.last - clause.first == 1 and self.tokens[clause.first].text.islower():
                return True
        if block.opens and not self.parsed.sentence.number and _SCRIPT.fullmatch(block.heading):
            return True
        opening = block.opens and not marked and self.parsed.sentence.number == 0
        if opening and (_ENDPOINT.match(block.heading) or _NAME.match(block.heading) or _TYPED.search(block.heading)):
            return True
        if not act.clause:
            return block.kind == "cell" and self._names(block.row[:1])
        number = act.clause
        while number and self.parsed.clauses[number].joined in (",", "and", "then", "or"):
            number -= 1
        if self.of_an_option(act):
            return True
        if self.parsed.clauses[number].joined not in (":", "dash", "("):
            return False
        label = self.parsed.clauses[number - 1]
        alone = label.last - label.first <= _LABEL and self.tokens[label.first].kind == "code"
        if self.parsed.clauses[number].joined == ":" and label.joined == "(" and alone:
            return True
        lead = self.tokens[self.parsed.clauses[0].first : self.parsed.clauses[number].first - 1]
        if len(lead) <= 4 and lead and lead[-1].low in _DESCRIBING:
            return True
        if lead and lead[0].low == "every":
            return False
        words = [token for token in lead if token.kind in ("word", "name", "code", "path", "number")]
        if any(token.kind == "path" or (_METHOD.match(token.low) and token.kind == "code") for token in words):
            return not marked
        command = bool(words) and words[0].kind == "code" and " " in words[0].text
        if command and marked and block.kind == "item" and block.step:
            return False
        named = command or (bool(words) and words[0].kind in ("name", "code") and self._is_tool(words[0]))
        if not named and self.parsed.clauses[number].joined == "dash" and len(words) == 2:
            return (
                words[1].kind in ("name", "code") and self.parsed.clauses[1].joined == "(" and self._is_tool(words[1])
            )
        return named and (len(words) == 1 or (len(words) == 2 and self.parsed.clauses[number].joined == ":"))

    def explains_a_command(self) -> bool:
        """ "| `run.py resume` | Resume polling the job |": what a command is for."""
        if self.context.block.kind != "cell":
            return False
        cell = self.context.block.row[0].strip("* ")
        called = is_command(cell.strip("`")) or _RUNS.search(cell) or _SIGNATURE.fullmatch(cell)
        return bool(called) and self._names((cell,))

    def of_an_option(self, act: Act) -> bool:
        """ "`--poll`: keep checking until it is done": what an option of a command is for."""
        flag = self.tokens[self.parsed.clauses[0].first]
        if not act.clause or flag.kind != "code" or not flag.text.startswith("-"):
            return False
        label = self.parsed.clauses[0]
        if self.tokens[label.last - 1].low in lex.GIVEN and label.last - label.first > 1:
            return False
        return any(clause.joined in ("arrow", "dash", ":") for clause in self.parsed.clauses[1 : act.clause + 1])

    def opens_entry(self, act: Act) -> bool:
        """Whether an act is the first behind the dash or colon of an entry: "`running`: keep polling"."""
        return self.parsed.clauses[act.clause].joined not in (",", "and", "then", "or")

    @staticmethod
    def _is_tool(token: Token) -> bool:
        """Whether a name that opens an entry is that of a tool; `research_status` is none of a field there."""
        text = token.text.strip("`")
        return not is_state([token], 0) or (text.islower() and text.endswith(("_status", "_state", "_progress")))

    def _names(self, cells: tuple[str, ...]) -> bool:
        cell = cells[0].strip() if cells else ""
        block = self.context.block
        if not cell.startswith("`") or block.step == "0" or any(word in block.first_column for word in _FIELDS):
            return False
        if _CASE.match(cell):
            return False
        inner = cell.strip("`* ")
        return inner not in lex.PENDING and inner not in lex.DONE

    def is_design(self, thing: Thing) -> bool:
        """Whether a push is offered in the same breath: what an application should be built on, not what to do now."""
        if thing.named:
            return False
        if self.words & _PUSHES:
            return bool(self.words & _INSTEAD_OF_PUSH)
        if thing.empty and any(t.kind in ("code", "number") and t.text.strip("`") == "202" for t in self.tokens):
            return True
        before = self.context.previous[-1:]
        pushed = any(_tells_of_pushes(parsed.tokens) for parsed in before)
        return pushed and self.context.block.kind == "paragraph" and self.parsed.sentence.number != 0

    def in_background(self, act: Act) -> bool:
        """ "Poll in the background", "Poll (background): …": a process does it, and the model goes on."""
        for number in range(act.clause, min(act.clause + 2, len(self.parsed.clauses))):
            clause = self.parsed.clauses[number]
            if number > act.clause and clause.joined != "(":
                return False
            if any(token.low == "background" for token in self.tokens[max(act.at, clause.first) : clause.last]):
                return True
        return False

    def is_one_look(self, act: Act, step: marks.Iteration | None) -> bool:
        """ "Poll `/pending` once before the rest": no second look is asked for."""
        if step is not None:
            return False
        clause = self.parsed.clauses[act.clause]
        words = [token.low for token in self.tokens[act.verb_at + 1 : clause.last]]
        return any(
            word == "once" and words[at + 1 : at + 2] not in _PER and words[at - 1 : at] not in _ALL_AT
            for at, word in enumerate(words)
        )

    def in_http_table(self) -> bool:
        """Whether the row explains a status code: what a client of an API does, not what a model does."""
        block = self.context.block
        return block.kind == "cell" and bool(_CODE_OF_HTTP.fullmatch(block.row[0].strip("`* ")))

    def labels_command(self) -> bool:
        """Whether a table's first cell says what the command in the next cell does."""
        block = self.context.block
        return block.kind == "cell" and block.step == "0" and len(block.row) > 1 and block.row[1].startswith("`")

    def is_label(self, thing: Thing) -> bool:
        """ "Poll results" in a cell or heading, where "poll" may as well be a noun."""
        block = self.context.block
        if block.kind == "cell" and not _TO_DO.search(block.column):
            return True
        if block.kind == "heading" and not self.words & {"for", "until", "status", "every"}:
            return True
        if thing.words == ("updates",) or thing.words == ("for", "updates"):
            return True
        return bool(thing.words) and thing.words[0] == "results" and "for" not in self.words

    def is_listed(self, act: Act) -> bool:
        """ "text, video, poll": one word in a list."""
        clause = self.parsed.clauses[act.clause]
        words = [token for token in self.tokens[clause.first : clause.last] if token.kind != "mark"]
        following = self.parsed.clauses[act.clause + 1 : act.clause + 2]
        listed = clause.joined in _LISTS or (bool(following) and following[0].joined in _LISTS)
        aside = bool(following) and following[0].joined == "(" and self.tokens[following[0].first].low == "optional"
        if len(words) == 1:
            steps = self.context.block.kind == "item" and self.context.block.step and not act.clause
            return (listed and not steps) or aside or clause.joined == "("
        between = clause.joined == "," and bool(following) and following[0].joined == ","
        return between and not self._acts(act.clause - 1) and not self._acts(act.clause + 1)

    def _acts(self, number: int) -> bool:
        """Whether a clause begins with a verb."""
        clause = self.parsed.clauses[number]
        words = [token.low for token in self.tokens[clause.first : clause.last] if token.kind == "word"]
        words = [word for word in words if word not in lex.MARKERS and word not in lex.ADVERBS]
        return bool(words) and (words[0] in lex.VERBS or words[0] in lex.OTHER_ORDERS)

    def is_capability(self, act: Act) -> bool:
        """ "Poll status, list jobs, or download assets": a list of what can be done."""
        if act.start != act.at:
            return False
        after = {clause.joined for clause in self.parsed.clauses[act.clause + 1 :] if clause.kind == "main"}
        return "or" in after and any(clause.joined == "," for clause in self.parsed.clauses)

    def tells_itself(self, act: Act, thing: Thing) -> bool:
        """Whether the act is what the tool does, told in the first sentence of its own description."""
        if not self.context.own_description or self._points_elsewhere(act, thing):
            return False
        before = self.parsed.clauses[: act.clause + 1]
        return all(clause.joined in ("", ",", "and", "or", "(") and clause.kind == "main" for clause in before)

    def _points_elsewhere(self, act: Act, thing: Thing) -> bool:
        """In the first sentence of a description: whether the order is about this or another tool, not by the tool."""
        if thing.named.strip("`").endswith(_FILES):
            return False
        if act.keeps or thing.named or (thing.itself and ("this" in self.words or "again" in self.words)):
            return True
        return "again" in self.words

    def pending_before(self, act: Act) -> bool:
        """Whether the clause or sentence before, or the row's first cell, says that something is still running."""
        if self.row_pending():
            return True
        for other in self.parsed.clauses[: act.clause]:
            if other.kind == "main" and states.is_pending(self.tokens[other.first : other.last]):
                return True
        if any(clause.kind == "if" for clause in self.parsed.clauses[: act.clause]):
            return False
        before = self.context.previous[-1] if self.context.previous else None
        if before is None or self.context.block.kind == "cell":
            return False
        near = before.sentence.block.index >= self.context.block.index - 1
        return near and states.is_pending(before.tokens) and not states.is_set(before.tokens)

    def started_before(self) -> bool:
        """Whether the sentence so far, or one just before, says that work was started and goes on."""
        near = [parsed.sentence.low for parsed in self.context.previous[-2:]]
        return any(_STARTED.search(words) for words in (*near, self.low))

    def waits_before(self, act: Act) -> bool:
        """ "Wait for CI by running `ci-status` periodically": how an order to wait is carried out."""
        return any(
            other.clause == act.clause and other.at < act.at and other.lemma in lex.WAIT and not other.negated
            for other in self.parsed.acts
        )

    def row_pending(self) -> bool:
        row = self.context.block.row
        return any(word.strip("`*\"' ") in lex.PENDING for cell in row[:2] for word in re.split(r"[\s,/:=]", cell))

    def observed_before(self) -> bool:
        """Whether the sentences just before look at a state or wait for one."""
        for parsed in reversed(self.context.previous[-2:]):
            if {token.low for token in parsed.tokens} & (lex.STRONG_STATUS | lex.PENDING | lex.POLL):
                return True
            if any(act.lemma in lex.WATCHING or act.lemma in lex.WAIT for act in parsed.acts):
                return True
            if parsed.sentence.block.kind == "heading":
                break  # What stands above it is of another section.
        earlier = self.parsed.acts[:-1]
        return any(act.lemma in lex.WATCHING or act.lemma in lex.WAIT for act in earlier)

    def end(self, limit: int) -> int:
        """The token behind the last word of the clauses before `limit`."""
        last = self.parsed.clauses[limit - 1].last
        while last > 1 and self.tokens[last - 1].kind == "mark" and self.tokens[last - 1].text in ".,;:!(":
            last -= 1
        return last

    def loop(
        self,
        confidence: str,
        act: Act,
        limit: int,
        thing: Thing,
        step: marks.Iteration | None = None,
        end: ends.Until | None = None,
        pending: int | None = None,
        later: Duration | None = None,
    ) -> Found:
        """A `poll`, with its place and its reason in words."""
        reason = f"asks for {thing.said(act.lemma in lex.CALL or act.lemma in lex.FETCH)}"
        seconds = step.seconds if step is not None else None
        if step is not None:
            reason += f" every {said(seconds)}" if seconds else f" {step.word}"
        elif later is not None:
            seconds = later.seconds
            reason += f" after {said(seconds)}" if seconds else " a little later"
        literals: tuple[str, ...] = ()
        words = ""
        if end is not None:
            words, literals = end.text, end.states
            reason += f" until {shortened(words)}"
        elif pending is not None:
            span = self._condition(pending)
            literals = states.states_in(span)
            clause = self.parsed.clauses[pending]
            reason += f" while {shortened(self.parsed.written(clause.first, clause.last))}"
        first = min(act.start, act.at)
        if pending is not None:
            first = min(first, self.parsed.clauses[pending].first)
            if first and self.tokens[first - 1].low in ("if", "when", "while", "once"):
                first -= 1
        if step is not None:
            first = min(first, step.first)
        if end is not None and end.order >= 0:
            first = min(first, end.order)
        last = self.end(limit)
        bare = not thing.named and (thing.empty or thing.itself)
        found = Found(
            "poll", confidence, reason, min(first, last - 1), last, seconds, literals, words, bare, thing.named
        )
        found.verb, found.of_status = act.lemma, thing.strong
        found.firm = 2 if act.keeps or (end is not None and end.terminal) else int(end is not None)
        found.provided = pending is not None or later is not None
        found.paced = step is not None or found.provided
        return found

    def _condition(self, number: int) -> list[Token]:
        clause = self.parsed.clauses[number]
        return list(self.tokens[clause.first : clause.last])


def _tells_of_pushes(tokens: list[Token]) -> bool:
    """Whether a sentence speaks of webhooks, or of what a server pushes; not of what is pushed to a repository."""
    pushes = [at for at, token in enumerate(tokens) if token.low == "push"]
    ours = not pushes or any(at and tokens[at - 1].low in _OF_GIT for at in pushes)
    return bool({token.low for token in tokens} & _WEBHOOKS) or not ours


def _by_schedule(tokens: list[Token]) -> bool:
    """Whether a schedule is named, and not only told off: "in a bounded loop, never a scheduled wake-up"."""
    return any(
        token.low in lex.SCHEDULES
        and not any(before.low in _DENIES for before in tokens[max(0, at - _NEAR) : at])
        and not (token.low in _BEATS and _is_a_loop(tokens, at))
        and not any(before.low in _OF_A_WAIT for before in tokens[max(0, at - _LABEL) : at])
        for at, token in enumerate(tokens)
    )


def _is_a_loop(tokens: list[Token], at: int) -> bool:
    """ "In the heartbeat loop", "default 300 s heartbeats": what beats is the reader's own loop."""
    behind = [token.low for token in tokens[at + 1 : at + 4] if token.kind == "word"]
    paced = at > 1 and tokens[at - 1].low in UNITS and tokens[at - 2].kind == "number"
    return paced or "loop" in behind[:_LABEL]
