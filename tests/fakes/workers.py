"""`python -m tests.fakes.workers …` is `python worker.py …` in a house that has these kinds too.

The pool's own processes import this module again before they begin, as multiprocessing does with any main module.
"""

import sys

import worker
from app.kinds import KINDS, QueueName
from tests.fakes.kind import Probe

PROBE, BULK_PROBE = Probe(), Probe("bulk_probe", QueueName.BULK)

KINDS.update({kind.name: kind for kind in (PROBE, BULK_PROBE)})

if __name__ == "__main__":
    sys.exit(worker.main())
