"""What a lead hands to a team: a row per tool, per agent loop and per text, with verdicts, their reasons and places.

The verdicts restate what the rules found and what linking knows; nothing is analysed a second time.
"""
