"""How deeply a module is nested, told without recursion."""

from __future__ import annotations

from waitlint.frontends.python.grammar import parse

# libcst's parser recurses in native code and has no limit of its own: on a stack of 8 MB it ends the process at some
# 1,500 nested parentheses (libcst 1.8.6). The smallest stack that a main thread is given is 1 MB.
DEEPEST = 150
# What libcst nests and the grammar puts side by side.
CHAINS = frozenset({"if_statement", "concatenated_string", "comparison_operator"})


def is_too_deep(text: str) -> bool:
    """Whether a parser that recurses could come to the end of its stack."""
    cursor = parse(text).walk()
    depth = 0
    while True:
        node = cursor.node
        if node is not None and node.child_count > DEEPEST and node.type in CHAINS:
            return True
        if cursor.goto_first_child():
            depth += 1
            if depth > DEEPEST:
                return True
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            depth -= 1
