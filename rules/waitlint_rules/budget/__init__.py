"""Rules about the budgets of an agent's own loop."""
