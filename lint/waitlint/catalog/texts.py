"""Under which names code keeps text for a model: `texts.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct


class TextNames(Struct, frozen=True, rename="kebab"):
    """`keys` are arguments and object keys; `constants` are words in the names of constants, in lower case."""

    keys: tuple[str, ...]
    constants: tuple[str, ...]
    server_instructions: tuple[str, ...]
    prompt_decorators: tuple[str, ...]


@cache
def load_text_names() -> TextNames:
    import yaml

    text = resources.files(__package__).joinpath("texts.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return msgspec.convert(yaml.load(text, Loader=loader), TextNames)
