"""Selectors: which places of a data document are meant, in a few signs.

a.b            the key `b` of the key `a`
*              any key; `*` also stands for a part of a key (`*Instructions`)
{a,b}          either key
"a.b"          a key with dots in it
[*]            each item of a list
[type=*llm*]   each item (or the map itself) whose `type` is like this; `!=` for unlike
**             any number of levels
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from waitlint.facts import Const, Expr, Map, Seq, Str

_PART = re.compile(
    r'\*\*|\[\*\]|\[(?P<field>[^=!\]]+)(?P<op>!?=)(?P<value>[^\]]*)\]|"(?P<quoted>[^"]*)"|(?P<key>[^.\[\]"]+)'
)
_SAFE_KEY = re.compile(r"[^\s.\[\]\"]+")


class _Step(NamedTuple):
    """`kind` is `key`, `item`, `where` or `any` (any number of levels)."""

    kind: str
    pattern: re.Pattern[str] | None = None
    field: str = ""
    negated: bool = False


class Hit(NamedTuple):
    """A value that a selector names; `path` is written as in `nodes[3].parameters.text`, `selector` is its number."""

    path: str
    value: Expr
    selector: int


class BadSelector(ValueError):
    """A selector that can't be understood."""


@lru_cache(maxsize=2048)
def compiled(selector: str) -> tuple[_Step, ...]:
    """The steps of a selector. Raises BadSelector."""
    steps: list[_Step] = []
    position = 0
    while position < len(selector):
        if selector[position] == ".":
            position += 1
            continue
        found = _PART.match(selector, position)
        if not found or found.end() == position or found.group().count("{") != found.group().count("}"):
            raise BadSelector(f"“{selector}” can't be understood at character {position + 1}")
        position = found.end()
        if found.group() == "**":
            steps.append(_Step("any"))
        elif found.group() == "[*]":
            steps.append(_Step("item"))
        elif field := found["field"]:
            steps.append(_Step("where", _glob(found["value"]), field, found["op"] == "!="))
        elif (quoted := found["quoted"]) is not None:
            steps.append(_Step("key", re.compile(re.escape(quoted))))
        else:
            steps.append(_Step("key", _glob(found["key"])))
    if not steps:
        raise BadSelector("an empty selector")
    return tuple(steps)


def _glob(pattern: str) -> re.Pattern[str]:
    out: list[str] = []
    for part in re.split(r"(\*|\{[^}]*\})", pattern):
        if part == "*":
            out.append(".*")
        elif part.startswith("{"):
            choices = (re.escape(choice).replace(r"\*", ".*") for choice in part[1:-1].split(","))
            out.append(f"(?:{'|'.join(choices)})")
        else:
            out.append(re.escape(part))
    return re.compile("".join(out), re.DOTALL)


State = tuple[int, int]


def select(root: Expr, selectors: Sequence[str]) -> Iterator[Hit]:
    """Every value that one of the selectors names, in the order of the document, with the first that does."""
    plans = [compiled(selector) for selector in selectors]
    stack: list[tuple[Expr, str, frozenset[State]]] = [(root, "", frozenset((n, 0) for n in range(len(plans))))]
    while stack:
        value, path, states = stack.pop()
        states = _settled(value, states, plans)
        done = [number for number, step in states if step == len(plans[number])]
        if done:
            yield Hit(path, value, min(done))
        children: list[tuple[Expr, str, frozenset[State]]] = []
        if isinstance(value, Map):
            for entry in value.entries:
                name = key_name(entry.key)
                if name is not None and (after := _after_key(name, states, plans)):
                    children.append((entry.value, joined(path, name), after))
                elif entry.key is None and states:
                    children.append((entry.value, path, states))
        elif isinstance(value, Seq) and (after := _after_item(states, plans)):
            children.extend((item, f"{path}[{number}]", after) for number, item in enumerate(value.items))
        stack.extend(reversed(children))


def key_name(key: Expr | None) -> str | None:
    if isinstance(key, Str):
        return key.literal
    if isinstance(key, Const):
        return str(key.value)
    return None


def joined(path: str, name: str) -> str:
    if not _SAFE_KEY.fullmatch(name):
        return f'{path}["{name[:60]}"]'
    return f"{path}.{name}" if path else name


def _settled(value: Expr, states: frozenset[State], plans: list[tuple[_Step, ...]]) -> frozenset[State]:
    """Take the steps that lead to no child: `**` to nothing, and conditions."""
    settled: set[State] = set()
    pending = list(states)
    while pending:
        number, step = pending.pop()
        if (number, step) in settled:
            continue
        settled.add((number, step))
        if step == len(plans[number]):
            continue
        move = plans[number][step]
        if move.kind == "any" or (move.kind == "where" and _holds(value, move)):
            pending.append((number, step + 1))
    return frozenset(settled)


def _holds(value: Expr, move: _Step) -> bool:
    if not isinstance(value, Map) or move.pattern is None:
        return False
    for entry in value.entries:
        if key_name(entry.key) == move.field:
            written = entry.value
            word = written.literal if isinstance(written, Str) else str(getattr(written, "value", ""))
            return bool(move.pattern.fullmatch(word or "")) is not move.negated
    return move.negated


def _after_key(name: str, states: frozenset[State], plans: list[tuple[_Step, ...]]) -> frozenset[State]:
    after: set[State] = set()
    for number, step in states:
        if step == len(plans[number]):
            continue
        move = plans[number][step]
        if move.kind == "any":
            after.add((number, step))
        elif move.kind == "key" and move.pattern is not None and move.pattern.fullmatch(name):
            after.add((number, step + 1))
    return frozenset(after)


def _after_item(states: frozenset[State], plans: list[tuple[_Step, ...]]) -> frozenset[State]:
    after: set[State] = set()
    for number, step in states:
        if step == len(plans[number]):
            continue
        move = plans[number][step]
        if move.kind in ("any", "where"):
            after.add((number, step))
        elif move.kind == "item":
            after.add((number, step + 1))
    return frozenset(after)
