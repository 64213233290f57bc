"""A test push: somebody wants to see whether pushes reach one of their devices."""

from app.kinds import Kind
from app.sources.trial.kinds import TrialPush

KINDS: tuple[Kind, ...] = (TrialPush(),)
