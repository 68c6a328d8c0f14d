"""Loops that a text rather tells of than asks for, by what stands around them: their confidence is lowered."""

from __future__ import annotations

import re
from itertools import pairwise

from waitlint.prose import lexicon as lex
from waitlint.prose import states
from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import PROGRAMMING, SHELLS, Block, is_diagram
from waitlint.prose.context import Context
from waitlint.prose.elsewhere import is_elsewhere
from waitlint.prose.found import Found
from waitlint.prose.mentioned import is_mentioned
from waitlint.prose.moods import ORDER, PERMITTED, PURPOSE
from waitlint.prose.names import is_for_waiting
from waitlint.prose.samples import is_shown
from waitlint.prose.single import is_a_second_try, is_after_a_change, is_one_look
from waitlint.prose.tokens import Token

# A command that looks again by itself.
_FOLLOWS = re.compile(r"[a-z] (?:watch|wait)\b|--(?:watch|wait|follow)\b(?!=false)")
# Looks that are as far apart as this are a plan for a day, and no wait.
_A_PLAN = 1800
_MISSING = frozenset(["unavailable", "missing", "unsupported", "fails", "not", "isn't", "errors"])
_DENIES = frozenset(["not", "never", "no", "without", "than", "instead"])
_CLOSE = 2
_IS_A_SETTING = re.compile(r"\W{0,4}health ?checks?:")
_FILE = re.compile(r"\w\.(?:py|sh|js|mjs|ts|ps1)\b")
_LOWER = {"high": "medium", "medium": "low", "low": "low"}
_ARROWS = frozenset(["→", "->", "=>"])
_IS = frozenset(["is", "are", "stays", "remains", "runs", "works"])
_CHAINS = frozenset(["flow", "sequence", "pipeline", "cycle", "pattern", "workflow", "loop", "lifecycle", "dance"])
_WORDS_OF_A_STEP = 4
_ARROWS_OF_A_FLOW = 3
_METHOD = re.compile(r"`?[A-Z][a-z]\w*\.[a-z]\w{6,}(?:\(.*)?\Z")
_METHOD_OF_A_CLIENT = re.compile(r"`?[a-z]\w*(?:\.[a-z]\w*){2,4}\(")
_CHAINED = re.compile(r"`?[a-z]\w*\.\w+\([^()]{0,40}\)\.\w+\(")
_BLOCKS_OF_AN_OPENING = 3
_OPENS = frozenset(['"', "\u201c"])
_CLOSES = frozenset(['"', "\u201d"])
_SEVERAL = 2
_LONG_FOR_A_SHELL = 10
_LOOPING = frozenset(["loop", "loops", "script", "poller", "helper", "function", "watcher"])
# "The API follows an async pattern: create a task, poll for completion".
_PATTERN = re.compile(
    r"\b(?:follows?|uses?|is|has|works?|offers?|provides?)\b[^:]{0,60}"
    r"\b(?:patterns?|models?|lifecycles?|approach|flows?|architecture|design|protocol)\b"
)
_FLOW_OF_A_PROGRAM = re.compile(r"(?:api|server|backend|internal|data|script|sdk) (?:flow|sequence|pipeline):")
_PROGRAM_DOES = re.compile(
    r"\b(?:scripts?|helper|cli|sdk|server|wrapper|library|tool|command|function|runner)\b.{0,24}"
    r"\b(?:handles?|performs?|runs|does|executes|automates|takes care|will)\b"
    r"|\b(?:scripts|commands|tools) (?:handle|perform|run|do|execute|automate)\b.{0,40}\bautomatically\b"
    r"|\bthe (?:skill|plugin|script|server) (?:uses|opens|drives|handles|performs|automates|takes care)\b"
    r"|\bthe (?:[\w-]{1,20} )?(?:skill|command|plugin|workflow) will\b"
    r"|\b(?:use|run) (?:the |these |its )?(?:[\w-]{1,16} ){0,2}(?:scripts|helpers)\b.{0,60}\b(?:as|to|for)\b"
    r"|^\W{0,4}(?:the )?`[^`]{2,80}`(?: command| script)? (?:then |now )?"
    r"(?:runs|does|performs|handles|executes|uploads|submits|creates|drives|walks|takes|automates|will|wraps|manages)\b"
)
# "Walk the user through the steps of the site:".
_PERSON_DOES = re.compile(
    r"\b(?:walk|guide|lead|take|talk) (?:the user|them|users?) through\b[^:]{1,60}:\W{0,4}$"
    r"|\b(?:ask|tell|instruct|have) (?:the user|them|users?) to:\W{0,4}$"
)
# "(skip with `--no-wait`)": what an option spares is what a command does.
_SPARED = re.compile(
    r"\((?:[^()]{0,60} )?(?:skip(?:ped)?|disabled?|turned? off|omit(?:ted)?) (?:it )?(?:with|by|via) `?--"
)
_EXPLAINS = re.compile(
    r"\b(?:architecture|internals|under the hood|how (?:it|this|(?:an?|the) [\w-]{1,20}) (?:works?|runs?)"
    r"|heartbeats?|keep-?alives?|cron"
    r"|(?:execution|data|automation|control|request|message) flow|(?:key )?features|capabilities|use cases"
    r"|objectives|goals|the problem|(?:task|job|request) lifecycle|why (?:this|it) matters|rationale|when to use"
    r"|integration patterns?"
    r"|future|roadmap|backlog|alternatives|automated|api contract|for reference|example (?:prompts|queries|requests))\b"
)
# "This suits pipelines where you need to:".
_SUITS = re.compile(
    r"\b(?:perfect|ideal|useful|handy|great|good|suited|suitable|designed|made|meant) (?:for|in|when|to)\b"
    r"|\bwhere you (?:need|want|have) to\b"
    r"|\b(?:allow(?:s|ing)?|enabl(?:es|ing)|let(?:s|ting)?) (?:your )?(?:users?|you|agents?|customers|people)(?: to)?:"
)
_SYNOPSIS = re.compile(r"\W{0,4}[a-z][\w-]{0,30}(?: (?:<[\w |.-]{1,40}>|\[[\w |.=-]{1,40}\])){1,6} ")
# What follows in the same breath: "Poll it regularly. Set up a cron job".
_SCHEDULED = re.compile(r"\b(?:cron(?: ?jobs?|tabs?)?|scheduled (?:task|job)s?|heartbeats?|scheduler)\b", re.IGNORECASE)
_HEARTBEAT = re.compile(
    r"\b(?:cron(?: ?jobs?|tabs?)?|(?:scheduled|recurring) (?:task|job)s?|heartbeats?)\b", re.IGNORECASE
)
_SETS_A_SCHEDULE = re.compile(
    r"\b(?:schedule|set up|create|register|use) (?:an?|the) (?:[\w-]{1,16} ){0,2}"
    r"(?:heartbeat|cron ?job|scheduled task)\b",
    re.IGNORECASE,
)
_ACTION = re.compile(r"\b[a-z_]{2,20}:(?:poll|wait|watch)\b")
_SOON = 120
# What follows in the same section: "The command handles retries internally", "bash scripts/poll-status.sh".
_SPARES = re.compile(
    r"\bhandles? (?:the |all |any )?(?:retries|retrying|polling|waiting)(?: and \w{1,12})? "
    r"(?:internally|automatically|for you|by itself)\b",
    re.IGNORECASE,
)
# The same below the list that it is said of, of a program that is named.
_A_PROGRAM_SPARES = re.compile(
    r"\b(?:scripts?|\w\.(?:py|sh|js|mjs|ts)`?|commands?|cli|helper|wrapper) (?:already |also )?handles? (?:the |all )?"
    r"(?:retries|retrying|polling|waiting)\b[^.\n]{0,40}\b(?:internally|automatically|for you|by itself)\b",
    re.IGNORECASE,
)
_LOOKS_ITSELF = re.compile(
    r"^[> \t]{0,8}(?:[^\n`]{1,80} && )?(?:(?:bash|sh|python3?|node) )?[\w./-]{0,60}(?:poll|wait)[\w-]{0,40}"
    r"\.(?:sh|py|js|mjs|ts|ps1)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = 500
_LONG_BEFORE = 1200
_WILL = re.compile(r"\W{0,4}(?:this|it|which|that) (?:will|does)\b")
_SAYS = re.compile(r"\b(?:say|tell|reply|respond|answer|message|announce|inform)\b")
# "Set up ongoing monitoring:" above what it is to do.
_SETS_UP = re.compile(
    r"\W{0,4}(?:set up|configure|build|implement|design|create|enable|schedule)\b.{0,60}"
    r"\b(?:monitors?|monitoring|alerts?|alerting|polling|pollers?|watchers?|automation|schedulers?|pipelines?|sync)\b"
)
_TOLD = re.compile(
    r"\b(?:automatic\w{0,4}|notif\w{1,10}|webhook\w{0,6}|callback\w{0,6}|push(?:ed)?|alerts?|stream|subscribe)\b"
    r"|\bbe (?:told|informed|alerted)\b"
)


# The part of a document that is code, from which it shows some.
_SHOWS = 0.1
# Heads of the columns of a table of errors; one of states is none.
_MENDS = re.compile(r"\b(?:fix|solution|resolution|recovery|remed\w{1,5}|handling|mitigation|workaround|behaviou?r)\b")
_STATE = re.compile(r"\b(?:status|state|phase|code returned)\b")
_BY_ITSELF = re.compile(r"\b(?:internally|by itself|for you|--wait|server-side)\b")
_UNLESS_TOLD = re.compile(
    r"\b(?:if|when|unless)\b[^.]{0,40}\b(?:webhooks?|callbacks?|notifications?)\b"
    r"|\b(?:use|prefer) (?:websockets?|webhooks?|sse|callbacks?) (?:if|when|where)\b"
)


def temper(loops: list[Found], parsed: Parsed, context: Context, value: str) -> None:
    """Lower the confidence of loops that their block, their list or their sentence only tells of."""
    block = context.block
    for one in loops:
        bare = not (one.named or one.until or one.seconds or (one.provided and one.states))
        sure = one.confidence != "low"
        told = one.kind == "poll" and (_is_of_code(block, context, bare) or _is_told(one, parsed, context))
        told = told or is_elsewhere(parsed, one, context, value) or is_mentioned(parsed, one, context, value)
        left = _is_left_to_a_schedule(one, parsed, value) or _is_looked_at_behind(parsed, value)
        single = is_one_look(parsed, one) or is_a_second_try(parsed, one) or is_after_a_change(parsed, one)
        if told or left or single or _is_told_above(context) or (sure and is_shown(parsed, one, context, value)):
            one.confidence, one.label = "low", False
            sure = False
        of_shell = block.kind == "fence" and block.fence in SHELLS
        aside = of_shell and one.first > 0 and parsed.tokens[one.first - 1].text == "("
        if (
            is_diagram(value, block)
            or block.comment
            or aside
            or (of_shell and (bare or one.kind != "poll") and not (block.sleeps or _is_a_long_pause(one, block)))
        ):
            one.confidence = _LOWER[one.confidence]
            one.label = of_shell and sure and not aside and not is_diagram(value, block) and one.kind == "poll"
        if context.role == "front-matter":
            one.confidence, one.label = "low", False
        if (block.kind == "heading" and block.step == "1") or _is_a_remedy(one, context):
            one.confidence, one.label = "low", False


def _is_a_long_pause(one: Found, block: Block) -> bool:
    """ "# Wait 30 s for the kiln to heat", in a sample for a shell that does not sleep itself: the reader is to."""
    return one.kind == "model-sleeps" and (one.seconds or 0) >= _LONG_FOR_A_SHELL and not block.slept


def _is_a_remedy(one: Found, context: Context) -> bool:
    """Whether a row of errors and what mends them says it, of a rate limit or beside code: to who runs the code."""
    block = context.block
    if block.kind != "cell" or not _MENDS.search(block.column) or _STATE.search(block.first_column):
        return False
    if one.verb in lex.CALL | lex.RETRY and not (one.firm or one.paced or one.seconds):
        return True
    return context.code >= _SHOWS or (one.kind == "model-sleeps" and "rate limit" in one.reason)


def _is_a_synopsis(parsed: Parsed, context: Context) -> bool:
    """ "poll <job> [seconds]   Poll until it is done", printed by a script: how one of its commands is called."""
    words = parsed.written(0, len(parsed.tokens))
    return context.role == "tool-result" and _SYNOPSIS.match(words) is not None


def _is_of_code(block: Block, context: Context, bare: bool) -> bool:
    """Whether the code that follows is what loops: it is in a language of programs, or has a loop in it."""
    programmed = block.code in PROGRAMMING or block.shown in PROGRAMMING
    return block.looped or (programmed and not context.bounded)


def _is_told_above(context: Context) -> bool:
    """Whether what leads in says that a program does what follows, or that a person is led through it."""
    lead = context.block.lead.rpartition(". ")[2]
    return _PROGRAM_DOES.search(lead) is not None or _PERSON_DOES.search(lead) is not None


def _is_left_to_a_schedule(one: Found, parsed: Parsed, value: str) -> bool:
    """Whether the next sentence has a schedule look, or those before it in the same block have set one up."""
    start = parsed.sentence.place(parsed.tokens[0].start)
    before = value[max(parsed.sentence.block.lines[0][0], start - _LONG_BEFORE) : start]
    if _SETS_A_SCHEDULE.search(before):
        return True
    if not (one.firm or one.paced or one.seconds) and _is_by_a_heartbeat(parsed, value, start):
        return True
    end = parsed.sentence.place(parsed.tokens[-1].end - 1) + 1
    behind = value[end : end + _SOON].partition("\n\n")[0]
    return not one.until and not one.named and _SCHEDULED.search(behind) is not None


def _is_by_a_heartbeat(parsed: Parsed, value: str, start: int) -> bool:
    """Whether the block speaks of a heartbeat or a cron job, or an item above it in the list sets one up."""
    first, last = parsed.sentence.block.lines[0][0], parsed.sentence.block.lines[-1][1]
    if _HEARTBEAT.search(value, first, min(last, first + _LONG_BEFORE)):
        return True
    above = value[max(0, first - _SECTION) : start].rpartition("\n\n")[2]
    return parsed.sentence.block.kind == "item" and _SETS_A_SCHEDULE.search(above) is not None


def _is_looked_at_behind(parsed: Parsed, value: str) -> bool:
    """Whether what a heading, or a sentence with a colon, leads in looks again by itself: a script, or a command."""
    end = parsed.sentence.place(parsed.tokens[-1].end - 1) + 1
    behind = value[end : end + _SECTION].partition("\n#")[0]
    heading = parsed.sentence.block.kind == "heading"
    if _SPARES.search(behind if heading else behind.partition("\n\n")[0]):
        return True
    if _A_PROGRAM_SPARES.search(behind):
        return True
    return (heading or parsed.tokens[-1].text == ":") and _LOOKS_ITSELF.search(behind) is not None


def _is_told(one: Found, parsed: Parsed, context: Context) -> bool:
    return (
        ((one.seconds or 0) >= _A_PLAN and not one.named)
        or _IS_A_SETTING.match(parsed.sentence.low) is not None
        or _is_done_by_a_file(context.block)
        or _is_a_step_of_what_is_described(parsed, one)
        or _looks_by_a_method(parsed, one, context)
        or _is_in_a_list_of_what_is_done(parsed, one)
        or _is_a_label(parsed, context.block)
        or _is_a_gloss(parsed, one, context.block)
        or _is_defined(parsed, context.block)
        or _is_said_by_a_user(parsed, context.block)
        or _is_what_can_be_done(parsed, one, context.block)
        or _is_an_opening(parsed, one, context)
        or _is_a_banner(parsed, one, context)
        or _is_an_alternative(parsed, one)
        or _is_done_by_a_waiter(parsed, one)
        or _is_a_synopsis(parsed, context)
        or _SPARED.search(parsed.sentence.low) is not None
        or _SUITS.search(context.block.lead) is not None
        or _WILL.match(context.block.lead.rpartition(". ")[2]) is not None
        or _is_to_be_said(context.block)
        or _tells_of_any(parsed, one, context)
        or _SETS_UP.match(context.block.lead) is not None
        or any(
            _EXPLAINS.search(heading) for heading in context.block.headings if not _is_worked_by(heading, one, context)
        )
        or _EXPLAINS.match(context.block.lead.strip("*_: ")) is not None
    )


def _is_worked_by(heading: str, one: Found, context: Context) -> bool:
    """Whether a "flow" is one of numbered orders, of which this one says until when it is to be carried out."""
    return " flow" in heading and context.block.kind == "item" and bool(context.block.step) and one.firm > 0


def _is_a_step_of_what_is_described(parsed: Parsed, one: Found) -> bool:
    """Whether a step stands in a chain of arrows that opens with no order: how a program, or a library's API, goes.

    A chain that opens with the bare name of a tool ("`start_scan` → poll `get_scan`") is a workflow, and an order.
    """
    if _names_the_chain(parsed):
        return True
    if _is_a_flow(parsed):
        return True
    first = next((token for token in parsed.tokens if token.kind == "word"), None)
    if first is not None and first is parsed.tokens[0] and first.low in lex.OTHER_ORDERS:
        return False
    behind = [parsed.tokens[at + 1] for at, token in enumerate(parsed.tokens[:-1]) if token.text in _ARROWS]
    if len(behind) == 1 and behind[0].low in lex.OTHER_ORDERS and behind[0] is not parsed.tokens[one.first]:
        return False
    arrow = next((at for at, token in enumerate(parsed.tokens[: one.first + 1]) if token.text in _ARROWS), None)
    if arrow is None or any(act.start < arrow and act.mood == ORDER for act in parsed.acts):
        return False
    if _FLOW_OF_A_PROGRAM.match(parsed.sentence.low):
        return True
    if states.is_pending(parsed.tokens[:arrow], condition=True):
        return False  # "Still hot → wait and look again": a case, and what to do in it.
    opening = [token.text for token in parsed.tokens[:arrow]]
    opening = opening[max((at + 1 for at, text in enumerate(opening) if text == ":"), default=0) :]
    return len(opening) > _WORDS_OF_A_STEP or any(text.count(".") > 1 and "(" in text for text in opening)


def _is_a_flow(parsed: Parsed) -> bool:
    """ "`task()` tool → worker → background thread → poll → result": most of what the arrows join are things."""
    links = [at for at, token in enumerate(parsed.tokens) if token.text in _ARROWS]
    if len(links) < _ARROWS_OF_A_FLOW:
        return False
    heads = [parsed.tokens[at + 1] for at in links if at + 1 < len(parsed.tokens)]
    things = [head for head in heads if head.kind == "word" and not lex.is_base_form(head.low)]
    return len(things) > _SEVERAL - 1 and len(things) * 2 >= len(heads)


def _is_a_gloss(parsed: Parsed, one: Found, block: Block) -> bool:
    """ "/watch <what> — start it (poll, every 5 m by default)", "process action:poll" in a fence: a gloss."""
    if block.kind != "fence":
        return False
    if _ACTION.search(parsed.sentence.low):
        return True
    dash = next((at for at, token in enumerate(parsed.tokens[: one.first]) if token.kind == "dash"), None)
    return dash is not None and parsed.tokens[0].text.startswith(("/", "$", "--"))


def _is_done_by_a_file(block: Block) -> bool:
    """Whether what leads in says what a script does: "`render.py` does all of it:", and not "run `render.py`:"."""
    lead = block.lead.rpartition(". ")[2].lstrip("*_#0123456789.) ")
    first = lead.partition(" ")[0]
    return _FILE.search(lead) is not None and first not in lex.OTHER_ORDERS and first not in lex.VERBS


def _names_the_chain(parsed: Parsed) -> bool:
    """ "The start → poll → fetch sequence is the same in both": a chain of bare words of which something is said."""
    arrows = [at for at, token in enumerate(parsed.tokens) if token.text in _ARROWS]
    if len(arrows) < _SEVERAL or any(second - first > _SEVERAL for first, second in pairwise(arrows)):
        return False
    first = arrows[0] - 2
    if first >= 0 and parsed.tokens[first].low in lex.DETERMINERS:
        before = parsed.tokens[first - 1] if first else None
        if before is None or before.kind != "word" or before.low in lex.PREPOSITIONS:
            return True
    behind = [token.low for token in parsed.tokens[arrows[-1] + 2 : arrows[-1] + 6]]
    return behind[:1] != [] and (behind[0] in _CHAINS or any(word in _IS for word in behind))


def _looks_by_a_method(parsed: Parsed, one: Found, context: Context) -> bool:
    """Whether what is called again is a method ("poll `Session.evaluate`"): code that the reader writes, no tool."""
    if _METHOD_OF_A_CLIENT.match(one.named) or any(
        _METHOD.match(token.text) or _CHAINED.match(token.text) for token in parsed.tokens[one.first : one.last]
    ):
        return True
    return one.bare and context.named is not None and _METHOD.match(context.named.name) is not None


def _is_in_a_list_of_what_is_done(parsed: Parsed, one: Found) -> bool:
    """ "A small script (queue it, poll `/history`, print it)", "it follows a pattern: submit, poll, download"."""
    clauses = parsed.clauses
    number = next((n for n, clause in enumerate(clauses) if clause.first <= one.first < clause.last), 0)
    listed = number + 1 < len(clauses) and clauses[number + 1].joined in (",", "and", "then", "or")
    while number and clauses[number].joined in (",", "and", "then", "or"):
        listed = True
        number -= 1
    if not number or clauses[number].joined not in ("(", ":"):
        return False
    first = clauses[number].first
    if clauses[number].joined == "(" and parsed.tokens[max(0, first - 2)].low in _LOOPING:
        return True
    if not listed:
        return False
    if any(act.start < first and act.mood in (ORDER, PERMITTED, PURPOSE) for act in parsed.acts):
        return False
    opening = parsed.written(0, first)
    if clauses[number].joined == ":":
        return bool(_PATTERN.search(opening.lower()))
    last = parsed.tokens[max(0, first - 2)]
    return last.kind == "word" and (last.low in lex.PROGRAM or parsed.tokens[0].low in lex.DETERMINERS)


def _is_what_can_be_done(parsed: Parsed, one: Found, block: Block) -> bool:
    """ "- Start prints, poll their state, compare them": an item that lists several things, in no order of steps."""
    if block.kind != "item" or block.step or one.named or one.seconds or one.until:
        return False
    joints = [clause.joined for clause in parsed.clauses[1:]]
    if joints and joints[0] == "dash" and parsed.tokens[0].low.endswith("ing"):
        joints = joints[1:]
    return joints.count(",") >= _SEVERAL and set(joints) <= {",", "and"} and "then" not in parsed.sentence.low


def _is_a_label(parsed: Parsed, block: Block) -> bool:
    """ "- **Poll**" in a list of nouns: the name of a thing."""
    words = [token for token in parsed.tokens if token.kind != "mark"]
    plain = len(words) <= 2 and all(token.kind == "word" and token.text.istitle() for token in words)
    return block.kind == "item" and not block.step and plain and parsed.tokens[-1].text != ":"


def _is_defined(parsed: Parsed, block: Block) -> bool:
    """ "- **Poll:** Script looks at intervals": a name and, in a sentence of its own, what it stands for."""
    tokens = parsed.tokens
    if block.kind != "item" or block.step or len(tokens) < _WORDS_OF_A_STEP or tokens[1].text != ":":
        return False
    word, after = tokens[2], tokens[3]
    told = after.kind == "word" and after.low.endswith("s") and not after.low.endswith("ss")
    return word.kind == "word" and word.text.istitle() and told and not lex.is_base_form(word.low)


def _is_said_by_a_user(parsed: Parsed, block: Block) -> bool:
    """An item or a cell that is all in quotation marks: what somebody may say, or is told."""
    first, last = parsed.tokens[0], parsed.tokens[-1]
    return block.kind in ("item", "cell") and first.text in _OPENS and last.text in _CLOSES


def _is_to_be_said(block: Block) -> bool:
    """A quote under "say this:": words for somebody else."""
    return block.quoted and _SAYS.search(block.lead) is not None


def _tells_of_any(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "Watch a run until it completes", at the head of a page: what a command does."""
    opening = context.first and context.role == "document" and not context.block.headings and bool(one.until)
    waits = parsed.tokens[one.first].low in lex.WAIT | lex.KEEP
    return (
        opening
        and not waits
        and any(token.low in ("a", "an") for token in parsed.tokens[one.first + 1 : one.first + 2])
    )


def _is_an_opening(parsed: Parsed, one: Found, context: Context) -> bool:
    """Whether the sentence opens a document, under its title, and lists what the document is for."""
    block = context.block
    if context.role != "document" or block.kind != "paragraph" or block.index > _BLOCKS_OF_AN_OPENING:
        return False
    listed = any(clause.joined in (",", "and") and clause.first <= one.first for clause in parsed.clauses[1:])
    return len(block.headings) == 1 and listed and one.seconds is None and not one.until and not one.named


def _is_done_by_a_waiter(parsed: Parsed, one: Found) -> bool:
    """ "Notice it with `waitForLogin(page)`: poll it", "watch until done: `gh run watch`": what is named does that."""
    return any(
        token.kind in ("name", "code")
        and ((token.kind == "code" and _FOLLOWS.search(token.text) is not None) or _waits_before(token, number, one))
        and not any(before.low in _DENIES for before in parsed.tokens[max(0, number - _CLOSE) : number])
        and not any(behind.low in lex.GIVEN for behind in parsed.tokens[number + 1 : number + 2])
        and not _is_missing(parsed, number)
        for number, token in enumerate(parsed.tokens)
    )


def _is_missing(parsed: Parsed, at: int) -> bool:
    """ "If `--watch` is unavailable, poll": where what would wait is not there, the reader does it."""
    return any(
        clause.kind == "if"
        and clause.first <= at < clause.last
        and any(token.low in _MISSING for token in parsed.tokens[at + 1 : clause.last])
        for clause in parsed.clauses
    )


def _waits_before(token: Token, number: int, one: Found) -> bool:
    return number < one.first and is_for_waiting(token.text) and token.text != one.named


def _is_a_banner(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "=== Step 2: poll the results ===": what a script prints above what it does."""
    bare = not (one.named or one.until or one.seconds)
    return context.role == "tool-result" and bare and parsed.tokens[0].text.startswith("=")


def _is_an_alternative(parsed: Parsed, one: Found) -> bool:
    """ "Use `get_run` to poll, or rely on the message that comes by itself": nobody has to poll."""
    before, after = parsed.written(0, one.first), parsed.written(one.first, len(parsed.tokens))
    first, other, alternative = after.lower().replace("(or ", " or ").partition(" or ")
    if first.count("(") > first.count(")"):
        alternative = alternative.partition(")")[0]
    if (other and (_TOLD.search(alternative) or _BY_ITSELF.search(alternative))) or _UNLESS_TOLD.search(after.lower()):
        return True
    return before.lower().endswith((" or", "(or")) and bool(_TOLD.search(before.lower()))
