"""`python -m waitlint`."""

from waitlint.cli import main

if __name__ == "__main__":
    main()
