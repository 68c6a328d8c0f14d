"""What a local name hangs on, and nothing else, is run to know it."""

from __future__ import annotations

from waitlint.facts import Assign, Do, If, Loop, Name, Stmt, Try
from waitlint.project.slices import Slices
from waitlint.reading import facts_of
from waitlint.source import Source

CODE = """
def work(items, limit):
    base = start(limit)
    other = start(base)
    try:
        count = 0
        noise = shout(items)
        for item in items:
            if item.done:
                break
            print("one")
            count = count + base
    except ValueError:
        whisper()
    if limit:
        other = halt()
        return other
    return count
"""


def slices() -> Slices:
    facts = facts_of(Source("work.py", CODE), "python", "code")
    return Slices(facts.functions[0], facts)


def set_in(body: tuple[Stmt, ...]) -> list[str]:
    """The names that statements set, in order, those inside others included."""
    found: list[str] = []
    for stmt in body:
        match stmt:
            case Do(value=Assign(target=Name(name=name))):
                found.append(name)
            case If(body=then, orelse=orelse):
                found += [*set_in(then), *set_in(orelse)]
            case Loop(body=inner):
                found += set_in(inner)
            case Try(body=inner, handlers=handlers):
                found += [*set_in(inner), *(name for handler in handlers for name in set_in(handler.body))]
    return found


def test_only_what_a_name_hangs_on_is_taken_also_inside_of_blocks() -> None:
    body, names = slices().needed_for("count", {}, {})
    assert set_in(body) == ["base", "count", "count"]
    assert {"count", "base", "items", "item", "limit"} >= names


def test_the_way_out_of_a_loop_stays_in_it() -> None:
    body, _ = slices().needed_for("count", {}, {})
    tried = body[-1]
    assert isinstance(tried, Try)
    loop = tried.body[-1]
    assert isinstance(loop, Loop)
    assert [type(stmt) for stmt in loop.body] == [If, Do]


def test_what_is_found_is_not_found_again_where_nothing_behind_changes_it() -> None:
    found = {"base": object(), "other": object()}
    body, _ = slices().needed_for("count", found, {})
    assert set_in(body) == ["count", "count"]


def test_what_is_set_again_behind_a_statement_is_found_again_for_it() -> None:
    facts = facts_of(Source("work.py", "def work():\n    a = one()\n    b = a\n    a = two()\n"), "python", "code")
    body, _ = Slices(facts.functions[0], facts).needed_for("b", {"a": object()}, {})
    assert set_in(body) == ["a", "b", "a"]


def test_the_same_question_gets_the_same_statements() -> None:
    known = slices()
    assert known.needed_for("count", {}, {})[0] is known.needed_for("count", {}, {})[0]
