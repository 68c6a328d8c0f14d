"""What earlier runs have said, and what of it still holds."""
