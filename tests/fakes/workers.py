"""`python -m tests.fakes.workers …` is `python worker.py …` in a house that has these kinds too.

The pool's own processes import this module again before they begin, as multiprocessing does with any main module.
"""

import sys

import worker
from app.kinds import INBOX_KINDS, KINDS, QueueName
from tests.fakes.inbox_kind import Greeting
from tests.fakes.kind import Probe

GREETING = Greeting()
GREETING.queue = QueueName.BULK

KINDS.update({kind.name: kind for kind in (Probe(), Probe("bulk_probe", QueueName.BULK), GREETING)})
INBOX_KINDS[GREETING.name] = GREETING

if __name__ == "__main__":
    sys.exit(worker.main())
