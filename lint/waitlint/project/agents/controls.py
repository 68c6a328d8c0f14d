"""The smaller controls of a loop: money, the size of what tools give, the same call again, checks of the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from waitlint.facts import Attr, Call, Expr, If, Index, Name, Opaque, Raise
from waitlint.finding import Evidence, Place
from waitlint.linked import UNANSWERED, Answer, Certainty, Dispatch, Known, Limit
from waitlint.names import spaced
from waitlint.project.agents.exits import leavings
from waitlint.project.agents.reach import Code, Reach
from waitlint.project.sources import Sources

# What a tool gives, by its name; a slice of anything else may be one of a list of other things.
IS_GIVEN = re.compile(
    r"result|output|observation|content|text|answer|body|std(?:out|err)|response|\bstr\b|data|lines?\b|page|snippet|"
    r"log|value|message|preview|summary|raw|json|dumps|stringify|join"
)
CUTS = re.compile(
    r"trunc\w*|shorten\w*|clip\w*|slice|substring|substr|limit_?(?:output|result|text|length|tokens)\w*|fit_?to\w*|"
    r"summari[sz]e\w*|compact\w*|paginat\w*|head|cap_?(?:output|result|text)\w*|abbreviate|ellipsi\w*",
    re.IGNORECASE,
)
LOGS = re.compile(r"log\w*|logger|print|console|trail|trace\w*|span", re.IGNORECASE)
HANDS_ON = frozenset({"append", "push", "extend", "add", "insert"})
FOR_LOGS = re.compile(r"redact|mask|scrub|(?<![a-z])log|trace|debug|print", re.IGNORECASE)
COMPARED = re.compile(r"[<>]")
SPEND = re.compile(r"(?<![a-z])(?:tokens?|cost|usd|spend|spent|price|budget)(?![a-z])")
AGAIN = re.compile(
    r"(?<![a-z])(?:seen|repeat\w*|duplicat\w*|last calls?|previous calls?|already|same call|stuck|loop detect\w*)"
)
VERIFIES = re.compile(
    r"(?:verify|validate|critique|critic|review|judge|evaluate|grade|fact_?check|self_?check|is_?valid|check_?(?:answer|plan|"
    r"result|references|output))\w*",
    re.IGNORECASE,
)


class Controls:
    """Reads the smaller controls off the code of a loop."""

    def __init__(self, reach: Reach, sources: Sources) -> None:
        self.reach = reach
        self.sources = sources

    def spend(self) -> Answer:
        """Whether tokens or money are compared with a bound."""
        for block, test in self._ending_tests():
            place = Place(block.path, test.span)
            if COMPARED.search(self._text(place)) and SPEND.search(spaced(self._text(place))):
                return Answer(Known.YES, f"`{self.sources.code(place)}`", (Evidence(place, "the spend is tested"),))
        return Answer(Known.NO, "neither tokens nor money are counted")

    def _ending_tests(self) -> Iterator[tuple[Code, Expr]]:
        """The tests on which the loop is left, or on which something that it calls raises."""
        loop = self.reach.loop.loop
        if loop.test is not None:
            yield self.reach.own, loop.test
        for leaving in leavings(loop):
            yield from ((self.reach.own, test) for test, _ in leaving.tests)
        for block, node in self.reach.nodes():
            if isinstance(node, If) and any(isinstance(one, Raise) for one in node.body):
                yield block, node.test

    def output(self, dispatches: tuple[Dispatch, ...]) -> Answer:
        """Whether what tools give is cut before the model reads it."""
        others = False
        for block, node, place in self._cuts():
            if isinstance(node, Index) and not IS_GIVEN.search(spaced(self._text(Place(place.path, node.base.span)))):
                others = True
                continue
            code = self.sources.code(place)
            return Answer(Known.YES, f"`{code}`", (Evidence(Place(block.path, place.span), "it is cut short here"),))
        if others or not dispatches:
            return UNANSWERED
        ran = dispatches[0].runs or dispatches[0].place
        shown = [Evidence(ran, "what this gives is handed on whole")]
        later = [
            node.span
            for block, node in self.reach.nodes()
            if block.path == ran.path
            and isinstance(node, Call)
            and node.span.start > ran.span.end
            and getattr(node.func, "name", "") in HANDS_ON
        ]
        if later:
            nearest = min(later, key=lambda span: span.start)
            shown.append(Evidence(Place(ran.path, nearest), "it is handed on here"))
        return Answer(Known.NO, "what a tool gives is handed on whole", tuple(shown))

    def _cuts(self) -> Iterator[tuple[Code, object, Place]]:
        for block, node in self.reach.nodes():
            if self._is_for_logs(block):
                continue
            is_slice = isinstance(node, Index) and isinstance(node.key, Opaque)
            is_cut = isinstance(node, Call) and CUTS.fullmatch(getattr(node.func, "name", "") or "")
            if (is_slice or is_cut) and not self._is_logged(node, block) and not _is_of_messages(node):
                yield block, node, Place(block.path, node.span)  # type: ignore[attr-defined]

    def _is_for_logs(self, block: Code) -> bool:
        """Whether a helper of the loop only makes what is recorded."""
        if block.own or block.index is None:
            return False
        return bool(FOR_LOGS.search(self.reach.world.files[block.path].functions[block.index].name))

    def _is_logged(self, node: object, block: Code) -> bool:
        """Whether something stands inside of a line that only records it."""
        span = node.span  # type: ignore[attr-defined]
        for other, call in self.reach.nodes():
            if other is block and isinstance(call, Call) and call.span.start < span.start and span.end <= call.span.end:
                func = call.func
                names = [getattr(func, "name", "") or ""]
                if isinstance(func, Attr):
                    names.append(getattr(func.base, "name", "") or "")
                if any(LOGS.fullmatch(name) for name in names):
                    return True
        return False

    def repeats(self) -> Answer:
        """Whether the same call again is noticed."""
        for block, node in self.reach.nodes():
            if isinstance(node, If) and AGAIN.search(spaced(self._text(Place(block.path, node.test.span)))):
                place = Place(block.path, node.test.span)
                return Answer(Known.YES, f"`{self.sources.code(place)}`", (Evidence(place, "it is asked for here"),))
        return Answer(Known.NO, "nothing asks whether a call was made before")

    def verification(self, steps: Limit) -> tuple[Answer, Limit]:
        """Whether the result is checked, and how often it may be done again then."""
        for block, node in self.reach.nodes():
            name = getattr(node.func, "name", "") or "" if isinstance(node, Call) else ""
            if name and VERIFIES.fullmatch(name):
                place = Place(block.path, node.span)  # type: ignore[attr-defined]
                answer = Answer(Known.YES, f"`{name}` checks it", (Evidence(place, "it is checked here"),))
                return answer, steps
        return Answer(Known.NO, "nothing in the loop checks the result"), Limit(Certainty.UNKNOWN)

    def _text(self, place: Place) -> str:
        return " ".join(self.sources.excerpt(place).split())


def _is_of_messages(node: object) -> bool:
    """Whether it is the conversation that is cut, and not what a tool gives."""
    base = node.base if isinstance(node, Index) else getattr(getattr(node, "func", None), "base", None)
    while isinstance(base, Attr | Index):
        if isinstance(base, Attr) and base.name in ("messages", "history"):
            return True
        base = base.base
    return isinstance(base, Name) and base.name in ("messages", "history", "conversation")


__all__ = ["Controls"]
