"""One worker: RQ's SimpleWorker, which keeps its connections, running only named functions."""

import logging
from typing import Any

from flask import Flask
from redis import Redis
from rq import SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from app.background import jobs, stop
from app.background.health import beat_in_thread
from app.extensions import REDIS_FAULTS, broker
from app.kinds import QueueName

FREE_OF_SLOW = (QueueName.URGENT, QueueName.DEFAULT)
ALL = tuple(QueueName)

log = logging.getLogger(__name__)


class NamedJob(Job):
    """A job that runs only what `jobs.py` names.

    JSON keeps pickles out, but not `os.system`: whoever can write to Redis could have any function called.
    """

    ALLOWED = frozenset(f"{jobs.__name__}.{function.__name__}" for function in (jobs.deliver, jobs.scan))

    @property
    def func(self) -> Any:
        """The function to run. Raises PermissionError for any other."""
        if self.func_name not in self.ALLOWED:
            raise PermissionError("this job names a function that workers do not run")
        return super().func

    # RQ would import and call whatever name stands in Redis for these, too.
    success_callback = None
    failure_callback = None
    stopped_callback = None


class Worker(SimpleWorker):
    """Long-lived; runs each job in an app context of its own, and on SIGTERM finishes only what it has begun."""

    max_connection_wait_time = 2.0  # RQ's 60 s would keep a reminder waiting for a minute after Redis is back
    log_job_description = False
    app: Flask

    def perform_job(self, *args: Any, **kwargs: Any) -> bool:
        """Run one job."""
        with self.app.app_context():
            return bool(super().perform_job(*args, **kwargs))

    def subscribe(self) -> None:
        """Take no orders through Redis: RQ's channel for them costs a thread, a connection, and a second at the end."""

    def unsubscribe(self) -> None:
        """Nothing was subscribed to."""

    def teardown(self) -> None:
        """Say goodbye, but not to a Redis that is silent: on this patient connection that would take a minute."""
        if broker.answers():
            super().teardown()  # type: ignore[no-untyped-call]

    def request_stop(self, signum: Any, frame: Any) -> None:
        """SIGTERM or SIGINT: the job under way stops at its next step."""
        stop.ask()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


def make_worker(app: Flask, queues: tuple[QueueName, ...], connection: Redis) -> Worker:
    """A worker for these queues, looked at in this order.

    It blocks 45 s at most (`worker_ttl` − 15), so that RQ's own clean-up, which runs between jobs, really happens.
    """
    worker = Worker(
        [broker.queue(name, connection) for name in queues],
        connection=connection,
        job_class=NamedJob,
        serializer=JSONSerializer,
        worker_ttl=60,
        maintenance_interval=60,
    )
    worker.app = app
    return worker


def work(app: Flask, queues: tuple[QueueName, ...]) -> None:
    """Work until asked to end, waiting for Redis as long as it takes."""
    stop.on_signals()
    heart = beat_in_thread(app, "worker", ",".join(queues))
    while not stop.stopping():
        try:
            if broker.answers():
                make_worker(app, queues, broker.for_worker()).work(logging_level="WARNING")
        except REDIS_FAULTS as error:
            log.warning("Redis failed the worker: %s", type(error).__name__)
        stop.wait(1.0)
    heart.join(timeout=2.0)


def work_off(app: Flask) -> None:
    """Work off what is in the queues now."""
    make_worker(app, ALL, broker.for_worker()).work(burst=True, logging_level="WARNING")
