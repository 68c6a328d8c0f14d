"""Words that disagree with the code."""
