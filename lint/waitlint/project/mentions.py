"""Which tool a sentence speaks of."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from waitlint import prose
from waitlint.facts import Intent
from waitlint.linked import Mentioned, Tool, ToolText
from waitlint.project.dispatch import shared_folders

OWN_ROLES = ("tool-description", "parameter-description", "tool-result")
OF_ITSELF = ("waits", "only-checks", "starts", "long-job", "hands-job-id", "notified")


class Mentions:
    """Resolves the names in texts to tools."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tools
        self._known: dict[tuple[str, str], tuple[Tool, ...]] = {}
        self._owners: dict[int, Tool] = {}
        for tool in tools:
            for text in (tool.description, *(parameter.description for parameter in tool.parameters), *tool.texts):
                self._owners[id(text)] = tool

    def named(self, name: str, near: str) -> tuple[Tool, ...]:
        """The tools that a name written in the file `near` can mean: the nearest ones; none where that is ambiguous."""
        folder = near.rpartition("/")[0]
        key = (name, folder)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._named(name, near)
        return known

    def _named(self, name: str, near: str) -> tuple[Tool, ...]:
        matching = [tool for tool in self.tools if prose.same_name(name, tool.name)]
        if len({tool.handler or tool.place for tool in matching}) <= 1:
            return tuple(matching)
        closeness = {tool: shared_folders(tool.place.path, near) for tool in matching}
        nearest = max(closeness.values())
        best = [tool for tool in matching if closeness[tool] == nearest]
        with_body = [tool for tool in best if tool.body]
        if len({tool.handler for tool in with_body}) == 1:
            return tuple(best)
        return ()

    def of(self, text: ToolText, intent: Intent) -> Mentioned:
        """An intent with the tools that it means; a loop that nothing bears out is one only of a tool in view."""
        found: list[Tool] = []
        for mention in intent.mentions:
            found.extend(tool for tool in self.named(mention.name, text.path) if tool not in found)
        if not found and text.text.role in OWN_ROLES and (not intent.mentions or intent.kind in OF_ITSELF):
            found.extend(self._owning(text))
        if intent.unbacked and not found:
            intent = structs.replace(intent, confidence="low")
        return Mentioned(text, intent, text.place(intent.span.start, intent.span.end), tuple(found))

    def _owning(self, text: ToolText) -> tuple[Tool, ...]:
        """The tools whose text it is; where their name is ambiguous, the one that it was found with."""
        named = self.named(text.owner, text.path) if text.owner else ()
        owner = self._owners.get(id(text))
        return named if named or owner is None else (owner,)
