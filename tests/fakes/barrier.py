"""Where requests wait until the test lets them go on."""

from threading import Condition, Event


class Barrier:
    """`held` is how many wait now; `holding` is set as soon as one does."""

    def __init__(self) -> None:
        self.held = 0
        self.holding = Event()
        self._changed = Condition()
        self._releases = 0
        self._open = False

    def wait(self) -> None:
        """Wait here for the next release."""
        with self._changed:
            mine = self._releases
            self.held += 1
            self.holding.set()
            self._changed.wait_for(lambda: self._releases > mine or self._open)
            self.held -= 1

    def release(self) -> None:
        """Let go on whatever waits now."""
        with self._changed:
            self._releases += 1
            self.holding.clear()
            self._changed.notify_all()

    def stay_open(self) -> None:
        """Hold nobody any more."""
        with self._changed:
            self._open = True
            self._changed.notify_all()
