"""Waits without a bound, or with one that does not fit."""
