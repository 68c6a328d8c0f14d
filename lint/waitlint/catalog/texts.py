"""Under which names code keeps text for a model: `texts.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct


class Taker(Struct, frozen=True, forbid_unknown_fields=True):
    """A call that takes texts for a model: in arguments with these names, or at these positions."""

    call: str
    args: tuple[str | int, ...]


class TextNames(Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The fields are explained at the head of `texts.yaml`; words are in lower case."""

    keys: frozenset[str]
    short_keys: frozenset[str]
    beside: frozenset[str]
    schemas: frozenset[str]
    bodies: frozenset[str]
    inputs: frozenset[str]
    agents: frozenset[str]
    not_for_models: frozenset[str]
    takers: tuple[Taker, ...]
    templates: frozenset[str]
    sure: frozenset[str]
    strong: frozenset[str]
    weak: frozenset[str]
    other: frozenset[str]
    people: frozenset[str]
    server_instructions: frozenset[str]
    server_names: frozenset[str]
    prompt_decorators: frozenset[str]
    prompt_registrations: frozenset[str]
    prompt_requests: frozenset[str]
    prompt_makers: frozenset[str]
    tags: frozenset[str]
    printers: frozenset[str]


@cache
def load_text_names() -> TextNames:
    import yaml

    text = resources.files(__package__).joinpath("texts.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return msgspec.convert(yaml.load(text, Loader=loader), TextNames)
