"""What is known of frameworks and libraries, as data: which calls sleep, read, block or bound; what makes a tool."""

from __future__ import annotations

from waitlint.catalog.agents import ASKING, AgentApi, Agents, Default, load_agents
from waitlint.catalog.apis import Api, Apis, Slot, load_apis, load_waiters
from waitlint.catalog.frameworks import Framework, Frameworks, SignalRoute, load_frameworks
from waitlint.catalog.texts import TextNames, load_text_names

__all__ = [
    "ASKING",
    "AgentApi",
    "Agents",
    "Api",
    "Apis",
    "Default",
    "Framework",
    "Frameworks",
    "SignalRoute",
    "Slot",
    "TextNames",
    "load_agents",
    "load_apis",
    "load_frameworks",
    "load_text_names",
    "load_waiters",
]
