"""Idle timeouts where a repository states them: who gives up on a silent tool, after how long, and where it says so."""
