"""The front end of TypeScript and JavaScript, with and without JSX.

What it makes of the language, beyond what `waitlint.facts` says of every front end:

* A getter is a function with the decorator `property`; in an object literal, its key holds a call of it. A setter
  stands under a name that no code can write.
* `const x = require("m")` and `await import("m")` are imports, also where a compiler wrapped them.
* Functions come first in their block and `var`s without a value first in their function, as they do at run time.
* A parameter or field that may be left out has the type `T | undefined`; such a parameter has the default undefined.
* With decorators, the type of a parameter or field is `Annotated[type, decorator, …]`.
* A `break` that leaves a `switch` early is turned into branches, or else the `switch` into a loop that runs once.
* Attributes of JSX are a `Map` and the words between tags a `Str`, both in the `parts` of an `Opaque`.
* A namespace's statements stand among those around it, and its name is a `Map` of what it exports.
"""

from __future__ import annotations

from waitlint.facts import FileFacts
from waitlint.frontends.typescript.edits import edits
from waitlint.frontends.typescript.reader import read_tree
from waitlint.frontends.typescript.syntax import Tree
from waitlint.source import Source

__all__ = ["edits", "read"]


def read(source: Source, surface: str) -> FileFacts:
    """The facts of one source. Never raises on what the file contains: problems are in `FileFacts.problems`."""
    return read_tree(Tree(source), surface)
