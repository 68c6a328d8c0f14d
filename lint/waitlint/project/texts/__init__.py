"""Texts that code hands to a model: descriptions, prompts, server instructions, results."""

from __future__ import annotations

from waitlint.project.texts.answers import told_by
from waitlint.project.texts.collected import all_texts, taken_by, texts_of_tools
from waitlint.project.texts.described import descriptions
from waitlint.project.texts.mapped import said_by, tool_text
from waitlint.project.texts.prompts import CodeTexts

__all__ = ["CodeTexts", "all_texts", "descriptions", "said_by", "taken_by", "texts_of_tools", "told_by", "tool_text"]
