"""What is known of the function that is being read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Target:
    """Something that `break` or `continue` can leave: a `loop`, a `switch` or a labelled `block`.

    `label` is the name that jumps give for it: a loop's own label, or a made-up one.
    """

    kind: str
    label: str = ""


@dataclass(slots=True)
class Scope:
    """`function` is its index, None for the module.

    `hoisted` are the `var`s that are declared without a value. `nested` counts made-up labels. `moves` is how often
    statements after an `if` may still be moved into its branches.
    """

    function: int | None
    params: int = 0
    hoisted: dict[str, tuple[int, int]] = field(default_factory=dict)
    targets: list[Target] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    nested: int = 0
    moves: int = 60

    def param_name(self) -> str:
        """A made-up name for a destructured parameter."""
        self.params += 1
        return f"${self.params - 1}"

    def take_labels(self) -> list[str]:
        """The labels that stand before the statement that is being read."""
        labels, self.labels = self.labels, []
        return labels
