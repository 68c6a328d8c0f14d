"""Laps of something that is to be built, or that are the reader's own work: what a tool hands out is done in each."""

from __future__ import annotations

import re

from waitlint.prose import lexicon as lex
from waitlint.prose.acts import Parsed
from waitlint.prose.blocks import Block
from waitlint.prose.context import Context
from waitlint.prose.found import Found
from waitlint.prose.tokens import HOLE

# "Build a request node that calls the kiln's API to:", above what that is to do.
_IS_BUILT = re.compile(
    r"\b(?:build|create|add|write|configure|set up|implement|design|deploy|wire up) (?:an?|the) (?:[\w`'-]{1,24} ){0,4}"
    r"(?:node|workflow|automation|trigger|zap|scenario|flow|function|endpoint|integration|worker|service|pipeline)s?\b"
    r"[^.:]{0,40}\b(?:that|which|to)\b[^.]{0,80}:\W{0,4}$"
)
# "Watch it via the feed trigger node:", above how that is set.
_IS_SET_UP = re.compile(
    r"\b(?:via|with|using|in|by) [^.:]{0,40}\b(?:trigger|zap|scenario|workflow)(?: (?:node|step))?\W{0,4}:\W{0,4}$"
)
# "Until the action is `finished`": what comes back says what is to be done next.
_HANDED_OUT = re.compile(r"\b(?:next[_ ])?(?:action|step|instruction)\b")
_AGAIN = lex.REPEAT | lex.CALL
# "Callers that work by code should do the same:", above how that goes.
_OF_CALLERS = re.compile(
    r"\b(?:callers|clients|integrators|apps|applications|frontends) (?:[\w-]{1,16} ){0,4}?(?:should|must|have to)\b"
)
# "This command hands the tray to the baker which will:", above what that does.
_OF_ANOTHER = re.compile(
    r"\b(?:agents?|subagents?|workers?|commands?|scripts?|services?|servers?|tools?|jobs?|processe?s?|[\w-]{2,30}`)"
    r",? (?:which|that|who) (?:will|then|does)\W{0,4}:"
    r"|\b(?:this|the) (?:[\w`'-]{1,24} ){0,2}"
    r"(?:command|script|sub-?agent|program|binary|server|service|helper|wrapper)s?"
    r" (?:will|then|does|handles|performs)\b[^.:]{0,20}:"
)
# "Wait up to 120 s for the user's answer": no state that a look would show.
_FOR_A_PERSON = re.compile(
    r"\bwait(?:ing)?\b[^.;]{0,40}\bfor (?:the |an? |your |their )?(?:users?|humans?|person|people|operator|reviewers?)"
    r"(?:['\u2019]s?)? (?:[\w-]{1,16} )?(?:input|answers?|repl(?:y|ies)|responses?|confirmation|approval|decision|to)\b"
)
# "`w.trays.get_update(…)`": code that the reader writes.
_METHOD_OF_A_CLIENT = re.compile(r"`?[a-z]\w*(?:\.[a-z]\w*){2,4}\(")
_TRIES = re.compile(r"\b(?:up to|at most|max(?:imum)?(?: of)?) [*`]{0,2}\d{1,2}[*`]{0,2} (?:times|attempts|retries)\b")
_ERRORS = re.compile(r"\b(?:fails?|failed|failures?|errors?|fatal|5xx|exceptions?|internalerror)\b")
# "Watch the queue (refreshes every 10 s)": what is shown does so by itself.
_UPDATES_ITSELF = re.compile(r"\((?:auto-?)?(?:updates|refreshes) (?:automatically )?every\b")
_GOES_ON = frozenset(["monitor", "track", "observe", "watch"])
_LOOKS = lex.POLL | lex.LOOK | lex.FETCH
_SEVERAL = 3
_READER = frozenset(["you", "always", "must", "never"])
_FOR_EXAMPLE = frozenset(["e.g", "e.g.", "eg", "i.e.", "i.e"])


def waits_for_nothing(one: Found, parsed: Parsed, context: Context) -> bool:
    """Whether a loop is that of something to be built, does its own work in each lap, or is only told of."""
    return (
        _is_of_what_is_built(context.block)
        or _is_handed_out(one)
        or _is_a_drawback(parsed, context)
        or _is_an_example(parsed, one)
        or _is_of_a_client(one)
        or _is_a_retry(parsed, one, context)
        or _is_of_a_report(parsed, one, context)
        or (one.kind == "model-sleeps" and _FOR_A_PERSON.search(parsed.sentence.low) is not None)
        or _UPDATES_ITSELF.search(parsed.sentence.low) is not None
        or _opens_a_round(parsed, one)
        or _answers_a_question(one, context.block)
    )


def _answers_a_question(one: Found, block: Block) -> bool:
    """ "| Which firings came in? | Poll the list with `GET /firings` |": one look for each question."""
    if block.kind != "cell" or not int(block.step or 0) or one.until or one.seconds or one.provided:
        return False
    return bool(block.row) and block.row[0].rstrip('"*\u201d ').endswith("?")


def _is_of_a_client(one: Found) -> bool:
    """Whether a method of a client is called again, and not one until which something is waited for."""
    return _METHOD_OF_A_CLIENT.match(one.named) is not None


def _is_a_retry(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "Retry the same command at most 3 times", next to what failed: nothing is waited for."""
    if one.verb not in lex.RETRY or one.until or not _TRIES.search(parsed.sentence.low):
        return False
    near = " ".join(before.sentence.low for before in context.previous[-2:])
    return _ERRORS.search(f"{near} {parsed.sentence.low}") is not None


def _is_of_a_report(parsed: Parsed, one: Found, context: Context) -> bool:
    """ "Continue monitoring.", printed by a script: a word to people, about nothing that is named."""
    bare = one.named in ("", HOLE) and not (one.until or one.seconds or one.of_status)
    alone = len([token for token in parsed.tokens if token.kind == "word"]) <= _SEVERAL
    return context.role in ("tool-result", "prompt") and one.verb in _GOES_ON and bare and alone


def _opens_a_round(parsed: Parsed, one: Found) -> bool:
    """ "Poll the ovens, query each one's state, update the list": several looks, one after another, once each."""
    if one.verb not in lex.POLL or one.firm or one.paced or one.seconds:
        return False
    clauses = parsed.clauses
    number = next((at for at, clause in enumerate(clauses) if clause.first <= one.first < clause.last), 0)
    if any(act.clause < number for act in parsed.acts) or any(clause.joined == "then" for clause in clauses):
        return False
    behind = [clause for clause in clauses[number + 1 :] if clause.joined in (",", "and")]
    heads = [parsed.tokens[clause.first].low for clause in behind]
    orders = [head for head in heads if head in lex.OTHER_ORDERS or head in _LOOKS]
    return len(orders) >= _SEVERAL and heads[0] in _LOOKS


def _is_of_what_is_built(block: Block) -> bool:
    """Whether what leads a list in says that the list is what a node, a workflow, a service or a client is to do."""
    lead = block.lead.rpartition(". ")[2]
    return any(one.search(lead) is not None for one in (_IS_BUILT, _IS_SET_UP, _OF_CALLERS, _OF_ANOTHER))


def _is_handed_out(one: Found) -> bool:
    """Whether each lap does what the one before was told: it ends with the last action, and waits for nothing."""
    return one.verb in _AGAIN and _HANDED_OUT.search(one.until.lower()) is not None


def _is_a_drawback(parsed: Parsed, context: Context) -> bool:
    """ "- The head baker must poll constantly", in a list of what is so, and not of what is to be done."""
    if context.block.kind != "item" or context.block.step:
        return False
    beside = [one for one in context.previous[-2:] if one.sentence.block.kind == "item"]
    if not beside or any(_is_ordered(one) for one in beside):
        return False
    first = parsed.tokens[0]
    return first.kind == "word" and first.low in lex.MODEL and first.low not in _READER


def _is_ordered(parsed: Parsed) -> bool:
    """Whether a sentence opens with an order, or with a condition, a label or a mark before one."""
    low = parsed.tokens[0].low
    told = parsed.tokens[0].kind == "word" and (low.endswith("s") or low in lex.DETERMINERS or low in lex.MODEL)
    return not told or lex.is_base_form(low)


def _is_an_example(parsed: Parsed, one: Found) -> bool:
    """ "Go on with the work (e.g., keep polling)": what that may be."""
    opened, inside = 0, False
    for at, token in enumerate(parsed.tokens[: one.first + 1]):
        opened += (token.text == "(") - (token.text == ")")
        inside = opened > 0 and (inside or (token.low in _FOR_EXAMPLE and parsed.tokens[at - 1].text == "("))
    return inside
