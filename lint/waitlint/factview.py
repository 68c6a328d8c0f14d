"""Linked facts made readable: what was understood of tools, waits and texts, and how it is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from waitlint.finding import Evidence, Place
from waitlint.linked import AgentLoop, Answer, Certainty, Mentioned, Read, Seconds, Sleep, Tool, ToolText, Wait
from waitlint.linter import Demand, Policy
from waitlint.output.styled import QUIET, STRONG, Line, Piece, visible
from waitlint.reporting import shown_path, spot
from waitlint.scanning import Group, Scan

EXCERPT = 100


def document(scan: Scan) -> dict[str, Any]:
    """The facts of what was asked for, as plain data for JSON.

    `{"version": 1, "roots": [{"root", "tools", "texts", "loops", "mentions"}]}`, with the fields of `waitlint.linked`;
    a place is `{"path", "line", "column", "end_line", "end_column"}`, from 1, relative to the working folder.
    """
    return {"version": 1, "roots": [_root(group, scan) for group in scan.groups if _has_asked(group)]}


def lines(scan: Scan) -> Iterator[Line]:
    """The same as text: a block for each tool, then one for each text that says something about tools."""
    for group in scan.groups:
        if _has_asked(group):
            yield from _Sheet(group, scan).lines()


def _has_asked(group: Group) -> bool:
    return any(member.asked for member in group.members.values())


def asked_tools(group: Group) -> list[Tool]:
    """The tools that were asked for: defined, described or carried out in a file that was."""
    return [tool for tool in group.project.tools if _is_asked(group, _paths(tool))]


def asked_loops(group: Group) -> list[AgentLoop]:
    """The agents' loops that stand in files which were asked for."""
    return [loop for loop in group.project.loops if group.asks(loop.place.path)]


def _paths(tool: Tool) -> Iterator[str]:
    yield tool.place.path
    for place in (tool.handler, tool.definition):
        if place is not None:
            yield place.path
    yield from (wait.place.path for wait in tool.waits)


def _is_asked(group: Group, paths: Iterable[str]) -> bool:
    return any(group.asks(path) for path in paths)


def _root(group: Group, scan: Scan) -> dict[str, Any]:
    cwd, project = scan.request.cwd, group.project
    texts = [text for text in project.texts if not text.owner and _is_asked(group, (text.path,))]
    mentions = [mention for mention in project.mentions if _is_asked(group, (mention.place.path,))]
    return {
        "root": shown_path(group.root, cwd),
        "tools": [_tool(tool, group, scan) for tool in asked_tools(group)],
        "texts": [_plain(text, group, scan) for text in texts],
        "loops": [_plain(loop, group, scan) for loop in asked_loops(group)],
        "mentions": [
            _plain(mention, group, scan) | {"text": mention.text.path, "tools": [tool.name for tool in mention.tools]}
            for mention in mentions
        ],
    }


def _tool(tool: Tool, group: Group, scan: Scan) -> dict[str, Any]:
    """A tool with the limits that its waits are measured by."""
    held = Policy(group, scan.configs, Demand()).settings(tool)
    limits = {"idle_limit": held.idle_limit, "client_limit": held.client_limit}
    found: dict[str, Any] = _plain(tool, group, scan)
    return found | {name: _plain(limit, group, scan) for name, limit in limits.items()}


def _plain(value: Any, group: Group, scan: Scan) -> Any:
    """A linked fact as plain data, with places in lines and columns."""
    if isinstance(value, Place):
        return msgspec.structs.asdict(spot(value, group, scan.request.cwd))
    if isinstance(value, ToolText):
        return {
            "path": shown_path(group.absolute(value.path), scan.request.cwd),
            "surface": value.surface,
            "role": value.text.role,
            "owner": value.owner,
            "value": value.text.value,
            "complete": value.text.complete,
            "built": value.built,
        }
    if isinstance(value, msgspec.Struct):
        return {name: _plain(getattr(value, name), group, scan) for name in value.__struct_fields__}
    if isinstance(value, tuple | list):
        return [_plain(item, group, scan) for item in value]
    return value


class _Sheet:
    """The readable facts of one group."""

    def __init__(self, group: Group, scan: Scan) -> None:
        self.group = group
        self.cwd = scan.request.cwd
        self.policy = Policy(group, scan.configs, Demand())

    def lines(self) -> Iterator[Line]:
        tools = asked_tools(self.group)
        for tool in tools:
            yield from self.tool(tool)
            yield ()
        loops = asked_loops(self.group)
        for loop in loops:
            yield from self.loop(loop)
            yield ()
        mentions = [m for m in self.group.project.mentions if _is_asked(self.group, (m.place.path,))]
        by_path: dict[str, list[Mentioned]] = {}
        for mention in mentions:
            by_path.setdefault(mention.place.path, []).append(mention)
        for path, found in by_path.items():
            yield from self.text(path, found)
            yield ()
        root = shown_path(self.group.root, self.cwd)
        counted = f"{len(tools)} tools" + (f", {len(loops)} loop{'s'[: len(loops) > 1]} of agents" if loops else "")
        yield (Piece(f"{counted}, {len(mentions)} sentences about tools, linked under {visible(root)}", QUIET),)

    def where(self, place: Place) -> str:
        at = spot(place, self.group, self.cwd)
        return f"{visible(at.path)}:{at.line}"

    def tool(self, tool: Tool) -> Iterator[Line]:
        sure = "" if tool.confidence == "high" else f", {tool.confidence} confidence"
        yield Piece(visible(tool.name), STRONG), Piece(f"  {self.where(tool.place)}  {tool.framework}{sure}", QUIET)
        yield self.row("says", self.description(tool))
        if not tool.body:
            yield self.row("code", "not in view")
        elif tool.handler:
            stop = "offers a stop signal" if tool.offers_stop else "offers no stop signal"
            yield self.row("code", f"{self.where(tool.handler)}, {stop}")
        in_waits: set[Read | Sleep] = set()
        if tool.waits:
            held = self.policy.settings(tool)
            for label, limit in (("idle limit", held.idle_limit), ("client", held.client_limit)):
                yield self.row(label, f"{limit.seconds:g} s: {visible(limit.hop)}")
        for wait in tool.waits:
            yield from self.wait(wait)
            in_waits.update(wait.reads, wait.sleeps)
        acts: tuple[Read | Sleep, ...] = (*tool.reads, *tool.sleeps)
        for act in acts:
            if act not in in_waits:
                yield from self.act(act, depth=1)
        for label, words in (
            ("states", tool.returns_states),
            ("takes", tool.takes),
            ("gives", tool.gives),
            ("unknown", tool.unknown),
        ):
            if words:
                yield self.row(label, ", ".join(map(visible, words)))

    def description(self, tool: Tool) -> str:
        if tool.description:
            return f"{quoted(tool.description.text.value)}  {visible(tool.description.path)}"
        return f"unknown: {tool.description_unknown}" if tool.description_unknown else "nothing"

    def wait(self, wait: Wait) -> Iterator[Line]:
        yield self.row(
            "wait", f"{wait.kind} in {visible(wait.scope)}, {self.where(wait.place)}: {excerpted(wait.excerpt)}"
        )
        yield from self.length("cap", wait.cap, 2)
        yield from self.length("worst case", wait.worst, 2)
        yield from self.length("pause", wait.pause, 2)
        between = ", tested between laps" if wait.between_laps else ""
        yield self.row("ends by", f"{wait.bound}{between}", 2)
        ending = str(wait.ending)
        if wait.ending_place:
            ending += f" ({self.evidence(wait.ending_place)})"
        yield self.row("at the cap", ending, 2)
        if wait.states:
            yield self.row("waits for", ", ".join(map(visible, wait.states)), 2)
        acts: tuple[Read | Sleep, ...] = (*wait.reads, *wait.sleeps)
        for act in acts:
            yield from self.act(act, depth=2)

    def loop(self, loop: AgentLoop) -> Iterator[Line]:
        """The budgets of an agent's loop: each yes, no or unknown, and how that is known."""
        sure = "" if loop.confidence == "high" else f", {loop.confidence} confidence"
        kind = loop.framework or loop.kind
        name = f"{visible(loop.scope)}: {excerpted(loop.excerpt)}" if loop.scope else excerpted(loop.excerpt)
        yield Piece(name, STRONG), Piece(f"  {self.where(loop.place)}  {kind}{sure}", QUIET)
        most = f"{loop.steps.value:,.0f} {loop.unit}: " if loop.steps.known else f"{_held(loop.steps.certainty)}: "
        yield self.row("steps", most + visible(loop.steps.how))
        ending = f" ({self.evidence(loop.ending_place)})" if loop.ending_place else ""
        yield self.row("at the cap", f"{loop.ending}{ending}")
        yield from self.length("time", loop.time, 1)
        yield from self.answer("spend", loop.spend)
        for one in loop.askings:
            yield self.row("request", f"{self.where(one.place)}: {excerpted(one.excerpt)}  {one.api}")
            yield from self.length("timeout", one.timeout, 2)
        yield from self.retries(loop)
        yield from self.answer("tools", loop.uses_tools)
        for dispatch in loop.dispatches:
            yield self.row("dispatch", f"{self.where(dispatch.place)}: {excerpted(dispatch.excerpt)}")
            yield from self.answer("refusal", dispatch.refuses, 2)
            yield from self.answer("arguments", dispatch.validates, 2)
        if loop.kind == "loop" and not loop.dispatches and not loop.uses_tools.no:
            yield self.row("dispatch", "unknown: where a tool is run by its name is not in view")
        yield from self.answer("output", loop.output)
        yield from self.answer("same call", loop.repeats)
        yield from self.answer("checks", loop.verification)
        if loop.verification.yes and loop.replanning.known:
            yield self.row("again", f"up to {loop.replanning.value:,.0f} times", 2)
        for label, answer in (
            ("trail: tool", loop.trail.tool),
            ("inputs", loop.trail.inputs),
            ("results", loop.trail.observation),
            ("durations", loop.trail.time),
            ("redaction", loop.trail.redacted),
        ):
            yield from self.answer(label, answer, 1 if label.startswith("trail") else 2)
        for floor in loop.floors:
            depth = f" for {visible(floor.depth)}" if floor.depth else ""
            steps = f"{floor.steps:g} steps" if floor.steps else "a number that is not in view"
            yield self.row("floor", f"{steps}{depth}, {self.where(floor.place)}")
        if not loop.floors and loop.kind == "loop":
            yield self.row("floor", "no: no steps are compared with a least number")
        yield from self.answer("done marker", loop.signal)
        yield from self.answer("other ways", loop.exits_freely)

    def retries(self, loop: AgentLoop) -> Iterator[Line]:
        """What tries the requests of a loop again, and how often."""
        asked = {one.place for one in loop.askings}
        tried = [one for one in self.group.project.retries if one.asks is not None and one.asks.place in asked]
        for one in tried:
            most = f"{one.attempts.value:g} attempts" if one.attempts.known else _held(one.attempts.certainty)
            yield self.row("retries", f"{most}: {visible(one.attempts.how)}")
            yield self.row("", f"{self.where(one.place)}: {one.by}")
        if not tried and loop.kind == "loop":
            yield self.row("retries", "no: nothing in the code tries its requests again")

    def answer(self, label: str, answer: Answer, depth: int = 1) -> Iterator[Line]:
        how = f": {visible(answer.how)}" if answer.how else ""
        yield self.row(label, f"{answer.known}{how}", depth)
        for evidence in answer.places[:2]:
            yield self.row("", self.evidence(evidence), depth)

    def act(self, act: Read | Sleep, depth: int) -> Iterator[Line]:
        label = "read" if isinstance(act, Read) else "sleep"
        yield self.row(label, f"{self.where(act.place)}: {excerpted(act.excerpt)}  {act.api}", depth)
        if isinstance(act, Read):
            yield from self.length("timeout", act.timeout, depth + 1)
        else:
            yield from self.length("length", act.seconds, depth + 1)
        signal = f" ({self.evidence(act.signal)})" if act.signal else ""
        yield self.row("stop signal", f"{act.stop}{signal}", depth + 1)
        yield self.row("deadline", str(act.deadline), depth + 1)

    def length(self, label: str, seconds: Seconds, depth: int) -> Iterator[Line]:
        shown = f"{seconds.value:g} s" if seconds.certainty is Certainty.KNOWN else str(seconds.certainty)
        how = f": {visible(seconds.how)}" if seconds.how else ""
        yield self.row(label, shown + how, depth)
        for evidence in seconds.places:
            yield self.row("", self.evidence(evidence), depth)

    def evidence(self, evidence: Evidence) -> str:
        return f"{self.where(evidence.place)}: {visible(evidence.message)}"

    def text(self, path: str, mentions: Sequence[Mentioned]) -> Iterator[Line]:
        member = self.group.members.get(path)
        surface = member.surface if member else ""
        shown = shown_path(self.group.absolute(path), self.cwd)
        yield Piece(visible(shown), STRONG), Piece(f"  {surface}", QUIET)
        for mention in mentions:
            intent = mention.intent
            words = quoted(mention.text.text.value[intent.span.start : intent.span.end])
            yield self.row(intent.kind, f"{self.where(mention.place)}: {words}")
            meant = ", ".join(visible(tool.name) for tool in mention.tools) or "no tool that is known"
            named = ", ".join(visible(name.name) for name in intent.mentions)
            yield self.row("means", f"{meant}{f' (says {named})' if named else ''}", 2)
            yield self.row("because", f"{visible(intent.reason)}, {intent.confidence} confidence", 2)

    def row(self, label: str, text: str, depth: int = 1) -> Line:
        return Piece(f"{'  ' * depth}{label:<12}", QUIET), Piece(text)


def _held(certainty: Certainty) -> str:
    return "no cap" if certainty is Certainty.ABSENT else "unknown"


def excerpted(text: str) -> str:
    """Code on one line, cut where it is long."""
    text = " ".join(text.split())
    return visible(text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…")


def quoted(text: str) -> str:
    return f"“{excerpted(text)}”"
