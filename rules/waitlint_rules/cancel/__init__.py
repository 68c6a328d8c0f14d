"""Stops and deadlines that do not arrive."""
