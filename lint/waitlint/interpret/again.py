"""Functions that raise as long as work outside is not over, so that the helper around them asks again: a poll."""

from __future__ import annotations

from waitlint.facts import Attr, Await, Binary, Call, Expr, If, Index, Name, Raise, Return, Seq, Stmt, Str, Unary
from waitlint.interpret.syntax import nodes
from waitlint.names import words_of
from waitlint.prose.lexicon import DONE, PENDING
from waitlint.spelled import last_name

OF_STATE = frozenset({"state", "status", "phase", "stage"})
IS_OVER = frozenset({"done", "finished", "completed", "complete", "ready"})
# What an answer says of a request, and not of the work that it asks about.
OF_REQUESTS = frozenset({"ok", "success", "error"})


def raises_until_over(body: tuple[Stmt, ...]) -> bool:
    """Whether a function raises unless the state that it has read is one in which the work is over."""
    tests = [node for node in nodes(body) if isinstance(node, If)]
    if any(_raises(node.body) and _asks_if_not_over(node.test) for node in tests):
        return True
    return _raises(body) and any(_returns(node.body) and _asks_if_over(node.test) for node in tests)


def handed_on(body: tuple[Stmt, ...]) -> Expr | None:
    """The function that another one only calls, as `() => look(id)` does; None where it does more."""
    only = body[0] if len(body) == 1 else None
    value = only.value if isinstance(only, Return) else None
    value = value.value if isinstance(value, Await) else value
    return value.func if isinstance(value, Call) else None


def _raises(body: tuple[Stmt, ...]) -> bool:
    return bool(body) and isinstance(body[-1], Raise) and body[-1].value is not None


def _returns(body: tuple[Stmt, ...]) -> bool:
    return bool(body) and isinstance(body[-1], Return)


def _asks_if_not_over(test: Expr) -> bool:
    match test:
        case Unary(op="not", value=value):
            return _asks_if_over(value)
        case Binary(op="and" | "or", left=left, right=right):
            return _asks_if_not_over(left) or _asks_if_not_over(right)
        case Binary(op="!=" | "not in", left=left, right=right):
            return _is_an_end(left, right)
        case Binary(op="==" | "in", right=right):
            return any(_words(text) & PENDING for text in _texts(right))
        case _:
            return False


def _asks_if_over(test: Expr) -> bool:
    match test:
        case Await(value=value):
            return _asks_if_over(value)
        case Name() | Attr() | Call():
            return bool(set(words_of(last_name(test))) & IS_OVER)
        case Unary(op="not", value=value):
            return _asks_if_not_over(value)
        case Binary(op="==" | "in", left=left, right=right):
            return _is_an_end(left, right)
        case _:
            return False


def _is_an_end(asked: Expr, compared: Expr) -> bool:
    """Whether something is compared with a state in which work is over: any of a state, or one that says so itself."""
    texts = _texts(compared)
    if not texts or any(text.lower() in OF_REQUESTS or _words(text) & PENDING for text in texts):
        return False
    return bool(set(words_of(_name(asked))) & OF_STATE) or any(_words(text) & DONE for text in texts)


def _name(asked: Expr) -> str:
    """What is asked for is called: `status` of `job.status` and of `job["status"]`."""
    if isinstance(asked, Index) and isinstance(asked.key, Str):
        return asked.key.literal or ""
    return last_name(asked)


def _texts(compared: Expr) -> list[str]:
    items = compared.items if isinstance(compared, Seq) else (compared,)
    return [item.literal for item in items if isinstance(item, Str) and item.literal]


def _words(text: str) -> set[str]:
    return {text.lower(), *words_of(text)}
