"""Instructions that make a model run the loop."""
