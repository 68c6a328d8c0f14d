"""What an editor is told while a file is being written: marks, explanations, repairs."""
