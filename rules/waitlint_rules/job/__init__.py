"""Work that takes minutes or hours."""
