"""Another tool of the project that waits for what a model is told to look at, and what to write where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from waitlint.context import Context
from waitlint.facts import Intent
from waitlint.fix import Repair
from waitlint.linked import Mentioned, Tool, ToolText, Wait
from waitlint_rules.certain import is_always_passed
from waitlint_rules.owning import own_loop, unfinished_state
from waitlint_rules.rewording import waiter_repair
from waitlint_rules.telling import told
from waitlint_rules.wording import longest, loops_in_place_of_model, shares_id


class Waiter(NamedTuple):
    """The only tool beside the text that waits for the same thing, and its wait."""

    tool: Tool
    wait: Wait

    @property
    def help(self) -> str:
        known = told(self.tool, self.wait)
        lasts = f", {known.cap_words}" if known.cap_words else ""
        name = self.tool.name
        return f"`{name}` waits for it{lasts}. Write: “Call `{name}` once: it waits for the result{lasts}.”"

    def repair(self, text: ToolText, intents: Sequence[Intent]) -> Repair | None:
        return waiter_repair(text, intents, self.tool, self.wait)


def waiter_for(text: ToolText, tools: Sequence[Tool], context: Context) -> Waiter | None:
    """The tool that takes the same ID as what is looked at, and waits; None where there are none or several."""
    looked_at = tuple(name for tool in tools for name in tool.takes)
    beside = context.project.tools_beside(text.path) if looked_at else ()
    others = [tool for tool in beside if tool not in tools and shares_id(looked_at, tool.takes)]
    waiters = [tool for tool in others if any(map(_is_a_wait, loops_in_place_of_model(tool)))]
    if len({tool.name for tool in waiters}) != 1:
        return None
    return Waiter(waiters[0], longest(loops_in_place_of_model(waiters[0])))


def _is_a_wait(wait: Wait) -> bool:
    return is_always_passed(wait) and bool(wait.states or wait.exit_states)


def code_for(mentioned: Mentioned, context: Context) -> str:
    """The code by which the one tool that is meant would wait, in its own names; "" where its read is not in view."""
    if len({tool.name for tool in mentioned.tools}) != 1:
        return ""
    tool = mentioned.tools[0]
    if not tool.reads or not tool.understood or loops_in_place_of_model(tool) or len(tool.reads) > 1:
        return ""
    states = [state for state in mentioned.intent.states if " while " in mentioned.intent.reason]
    written = own_loop(tool, unfinished_state(tool) or next(iter(states), ""), context)
    return written if "\n" in written else ""
