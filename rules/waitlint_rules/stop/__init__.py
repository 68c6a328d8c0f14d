"""Rules about when an agent may stop: a floor and a signal, both held in code."""
