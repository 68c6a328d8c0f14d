"""waitlint: a static linter for the tools, prompts and skills of AI agents."""

__version__ = "0.1.0"
