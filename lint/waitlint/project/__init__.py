"""The facts of all files, linked: tools with what they do, texts with the tools they speak of."""
