"""A comparison as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from waitlint.audit.comparing import Comparison, Contract, Difference
from waitlint.output.closing import counted
from waitlint.output.markdown import code, words
from waitlint.output.styled import QUIET, STRONG, Line, Piece, plain, visible

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SHOWN = 5


def lines(found: Comparison) -> Iterator[Line]:
    """A block for each tool, then how many there are."""
    for one in found.tools:
        yield (
            Piece(visible(one.name), STRONG),
            Piece(f"  {visible(one.place.path)}:{one.place.line}", QUIET),
        )
        for change in changes(one):
            yield (Piece(f"  {visible(change)}"),)
        for place in _places(one.after):
            yield (Piece(f"    {visible(place)}", QUIET),)
        yield ()
    yield (Piece(summary(found)),)


def text(found: Comparison) -> str:
    return plain(lines(found))


def markdown(found: Comparison) -> str:
    """For a comment on a pull request."""
    parts = [f"## How tools wait, since {code(found.since)}", ""]
    for one in found.tools:
        parts.append(
            f"- {code(one.name)} {code(f'{one.place.path}:{one.place.line}')}: {words('; '.join(changes(one)))}"
        )
        parts += [f"  - {code(place)}" for place in _places(one.after)]
    parts += [""] if found.tools else []
    return "\n".join([*parts, summary(found), ""])


def render(found: Comparison) -> str:
    """Indented JSON, as `waitlint.audit.comparing` describes it."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"


def summary(found: Comparison) -> str:
    new = sum(one.before is None for one in found.tools)
    gone = sum(one.after is None for one in found.tools)
    changed = len(found.tools) - new - gone
    parts = [
        f"{counted(changed, 'tool')} changed" if changed else "",
        f"{new} new" if new else "",
        f"{gone} gone" if gone else "",
    ]
    told = ", ".join(filter(None, parts)) or "No tool waits in another way"
    return f"{told}; {counted(found.unchanged, 'tool')} {'waits' if found.unchanged == 1 else 'wait'} as before."


def changes(one: Difference) -> list[str]:
    """What has changed in a tool, each in a few words."""
    if one.after is None:
        return [f"gone; it was: {one.before.waits}" if one.before else "gone"]
    if one.before is None:
        return [
            "new: " + ", ".join(filter(None, (one.after.waits, one.after.stop, *_polled(one.after)))),
            one.after.says,
        ]
    before, after = one.before, one.after
    found = []
    waits_otherwise = before.waits != after.waits and (before.blocks or after.blocks)
    if waits_otherwise:
        found.append(f"{before.waits} → {after.waits}")
    if before.stop != after.stop:
        found.append(f"{before.stop or 'no stop reaches a wait'} → {after.stop or 'no stop reaches a wait'}")
    if before.says != after.says:
        found.append(f"{before.says} → {after.says}")
    elif waits_otherwise:
        found.append(after.says)
    found += _texts(before, after)
    found.append(f"its ID was `{one.was}`" if one.was else "ID unchanged")
    return found


def _texts(before: Contract, after: Contract) -> list[str]:
    was, now = len(before.polled_by), len(after.polled_by)
    if now:
        still = "still " if was >= now else ""
        return [f"{_number(now)} {'text' if now == 1 else 'texts'} {still}{'says' if now == 1 else 'say'} to poll it"]
    return ["no text says to poll it any more"] if was else []


def _polled(after: Contract) -> list[str]:
    now = len(after.polled_by)
    return [f"{_number(now)} {'text says' if now == 1 else 'texts say'} to poll it"] if now else []


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _places(after: Contract | None) -> list[str]:
    if after is None:
        return []
    shown = list(after.polled_by[:SHOWN])
    rest = len(after.polled_by) - SHOWN
    return [*shown, f"and {rest} more"] if rest > 0 else shown
