"""A method is known by the class of what it is called on, and what is found of agents is the same as by running all."""

from __future__ import annotations

import pytest

from linking import linked
from waitlint.facts import Attr, Name
from waitlint.interpret.values import FunctionRef
from waitlint.project.agents.owners import Owners
from waitlint.project.found import Found

FILES = {
    "desk.ts": """
        import { streamText, ToolLoopAgent } from "ai";

        class Base {
          async generate(prompt: string) { return streamText({ model, tools, prompt }); }
        }

        export class Desk extends Base {
          constructor(private settings: Settings) { super(); this.ready = prepare(settings); }
          async stream(prompt: string) { return streamText({ model, tools, prompt }); }
        }
    """,
    "stand.ts": """
        export class Stand {
          constructor() { this.stream = () => other(); }
          async stream(prompt: string) { return prompt; }
        }
    """,
    "counter.ts": """
        import { Desk } from "./desk";
        export const agent = new Desk({ open: true });
    """,
    "shop.ts": """
        import { ToolLoopAgent } from "ai";
        import { Desk } from "./desk";
        import { Stand } from "./stand";
        import { agent } from "./counter";

        export async function serve(given: Desk) {
          const here = new Desk({ open: false });
          const stand = new Stand();
          const clerk = new ToolLoopAgent({ model, tools: { look }, stopWhen: [] });
          await agent.stream("one");
          await agent.generate("two");
          await here.stream("three");
          await here.generate("four");
          await stand.stream("five");
          await given.stream("six");
          return clerk.generate({ prompt: "seven" });
        }
    """,
}


def test_what_is_found_of_agents_is_the_same_as_by_running_all(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = linked(FILES)
    monkeypatch.setattr(Owners, "method", lambda self, found: None)
    slow = linked(FILES)
    assert quick.loops
    assert quick.loops == slow.loops
    assert quick.starts == slow.starts


def test_a_method_is_known_by_the_class_of_its_object(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, bool] = {}
    method = Owners.method

    def noting(self: Owners, call: Found) -> FunctionRef | None:
        known = method(self, call)
        func = call.call.func
        if isinstance(func, Attr) and isinstance(func.base, Name):
            found[f"{func.base.name}.{func.name}"] = known is not None
        return known

    monkeypatch.setattr(Owners, "method", noting)
    assert linked({**FILES, "desk.ts": FILES["desk.ts"].replace("streamText", "flow")}).loops
    assert found == {
        "agent.stream": True,
        "agent.generate": True,
        "here.stream": True,
        "here.generate": True,
        "stand.stream": False,
        "given.stream": False,
        "clerk.generate": False,
    }
