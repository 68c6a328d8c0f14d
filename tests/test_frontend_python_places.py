"""Places and text of a Python module that is looked at in parts: the same as if libcst had gone through all of it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
import pytest
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from waitlint.frontends.python.parsed import Parsed

MODULES = {
    "comments and decorators": '''# head
# more

"""Doc é."""
import os; import time

@deco(1)
# between
async def f(x):
    """é"""
    if x:
        return 1
        # deeper

    # tail of f

# before g
class G:
    a = 1

    def m(self): return {"é": (1,
      2)}
# foot

''',
    "long strings": 'if 1:\n    y = """\nmulti\n"""; z = 3\nelse:\n    pass\na = """\n"""; b = 1\nc = 2\n',
    "no end of line": "x = 1\ny = 2",
    "nothing": "",
    "a comment alone": "# only\n",
    "carriage returns": "def f():\r\n    return 1\r\n\r\n\r\nx = f()\r\n",
    "tabs and blocks": "\nfor i in x:\n\tpass\nwith a as b, c: pass\ntry:\n  pass\nexcept E:\n  pass\n",
    "no Python of today": "print 1\nx = 2\n",
}
NEW = cst.parse_statement("import new\n")


def parsed(name: str) -> Parsed:
    try:
        return Parsed(MODULES[name])
    except cst.ParserSyntaxError:
        pytest.skip("libcst does not read it")


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_node_stands_where_libcst_says(name: str) -> None:
    module = parsed(name)
    whole = MetadataWrapper(module.module, unsafe_skip_copy=True).resolve(ByteSpanPositionProvider)
    size = len(MODULES[name].encode())
    found = [pair for pair in module.nodes(0, size) if pair[0] is not module.module]
    assert found == [pair for pair in whole.items() if pair[0] is not module.module and pair[0] in dict(found)]
    inner = [node for statement in module.module.body for node in _below(statement)]
    assert all(module.parent(child) is node for node in inner for child in node.children)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_changed_modules_are_written_as_libcst_writes_them(name: str) -> None:
    module = parsed(name)
    for changed in _changed(module.module):
        assert module.code_of(changed) == changed.code


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        yield from _below(child)


def _changed(module: cst.Module) -> Iterator[cst.Module]:
    """The module with a statement more, less, or another one, at each place."""
    body = list(module.body)
    for at in range(len(body) + 1):
        yield module.with_changes(body=[*body[:at], NEW, *body[at:]])
        yield module.with_changes(body=[*body[:at], *body[at + 1 :]])
        yield module.with_changes(body=[*body[:at], NEW, *body[at + 1 :]])
    yield module.with_changes(body=[NEW, *body, NEW])
    yield module.with_changes(header=[cst.EmptyLine(comment=cst.Comment("# another"))])
