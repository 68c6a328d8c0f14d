"""The rules of waitlint: one package a family, one module a rule, its page in Markdown beside it."""
