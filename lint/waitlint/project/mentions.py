"""Which tool a sentence speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec import structs

from waitlint import prose
from waitlint.catalog.surfaces import row_of
from waitlint.facts import FileFacts, Intent
from waitlint.linked import Mentioned, Tool, ToolText
from waitlint.project.nearness import shared_folders

OWN_ROLES = ("tool-description", "parameter-description", "tool-result")
NO_SKILLS: Mapping[str, int] = MappingProxyType({})
OF_ITSELF = ("waits", "only-checks", "starts", "long-job", "hands-job-id", "notified")


class Mentions:
    """Resolves the names in texts to tools.

    `skills` are the folders of skills, each with what it lends to the loops of the files in it.
    """

    def __init__(self, tools: Sequence[Tool], skills: Mapping[str, int] = NO_SKILLS) -> None:
        self.tools = tools
        self.skills = skills
        self._names = prose.NamesMeant(tool.name for tool in tools)
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

    def is_named(self, name: str) -> bool:
        """Whether a name in a text can be that of any tool."""
        return bool(self._names.of(name))

    def _named(self, name: str, near: str) -> tuple[Tool, ...]:
        meant = self._names.of(name)
        matching = [tool for tool in self.tools if tool.name in meant] if meant else []
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
        if not found and intent.kind in prose.LOOPS and intent.confidence != "low" and text.text.role == "document":
            lent = self._lent(text)
            if lent or intent.backing < 0:
                intent = structs.replace(intent, confidence=prose.confidence_of(intent.backing + lent))
        return Mentioned(text, intent, text.place(intent.span.start, intent.span.end), tuple(found))

    def _lent(self, text: ToolText) -> int:
        """What the skill that a text belongs to, as one of its references, says for its loops."""
        folder = text.path if row_of(text.surface).aside else ""
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self.skills:
                return self.skills[folder]
        return 0

    def _owning(self, text: ToolText) -> tuple[Tool, ...]:
        """The tools whose text it is; where their name is ambiguous, the one that it was found with."""
        named = self.named(text.owner, text.path) if text.owner else ()
        owner = self._owners.get(id(text))
        return named if named or owner is None else (owner,)


def skills_of(files: Mapping[str, FileFacts]) -> dict[str, int]:
    """The folders of the skills among the files, each with what the skill lends to what stands in it."""
    return {path.rpartition("/")[0]: facts.lends for path, facts in files.items() if facts.surface == "skill"}
