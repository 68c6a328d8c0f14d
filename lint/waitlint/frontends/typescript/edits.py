"""Repairs of TypeScript and JavaScript files, as edits in code points of the decoded text."""

from __future__ import annotations

from waitlint.fix import (
    AddDescription,
    AddSignal,
    BoundByDeadline,
    BoundCall,
    BoundLoop,
    Change,
    ClampArgument,
    Edit,
    HandOn,
    RaiseAgain,
    RewriteText,
    SetNumber,
    SetOption,
    TakeSignal,
)
from waitlint.frontends.typescript.catching import raised
from waitlint.frontends.typescript.clamping import clamped
from waitlint.frontends.typescript.deadlines import until_deadline
from waitlint.frontends.typescript.describing import described
from waitlint.frontends.typescript.looping import bounded
from waitlint.frontends.typescript.numbers import renumbered
from waitlint.frontends.typescript.options import with_option
from waitlint.frontends.typescript.rewriting import rewritten
from waitlint.frontends.typescript.signalling import added, bounded_call, handed_on, taken
from waitlint.frontends.typescript.surgery import Patient
from waitlint.source import Source


def edits(source: Source, change: Change) -> tuple[Edit, ...] | None:
    """A change as text edits, or None where it can't be carried out in this file."""
    if not 0 <= change.span.start <= change.span.end <= len(source.text):
        return None
    match change:
        case RewriteText():
            return rewritten(source, change)
        case AddDescription():
            return described(source, change)
        case SetNumber():
            return renumbered(Patient(source), change)
        case BoundLoop():
            return bounded(Patient(source), change)
        case HandOn():
            return handed_on(Patient(source), change)
        case AddSignal():
            return added(Patient(source), change)
        case TakeSignal():
            return taken(Patient(source), change)
        case BoundCall():
            return bounded_call(Patient(source), change)
        case BoundByDeadline():
            return until_deadline(Patient(source), change)
        case ClampArgument():
            return clamped(Patient(source), change)
        case SetOption():
            return with_option(Patient(source), change)
        case RaiseAgain():
            return raised(Patient(source), change)
        case _:
            return None
