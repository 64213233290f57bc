"""`python -m app.start`: one run of everything, from the checks to Ctrl-C."""

import multiprocessing
import signal
import sys
import threading

import click

from app.cli.demo import demo_sign_ins
from app.config import INSTANCE, ROOT, SANDBOX_PORT, SANDBOX_URL, ConfigurationError, Settings, read_settings
from app.start.broker import broker_command, broker_for_preparing
from app.start.checks import check_nobody_serves, check_ports, check_socket_path
from app.start.error import StartError
from app.start.lock import run_lock
from app.start.prepare import load_demo, migrate, refuse_demo
from app.start.processes import Processes
from app.start.welcome import announce_when_ready, welcome

PORT = 8000
ADDRESS = f"http://127.0.0.1:{PORT}"

WEB = [
    *(sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{PORT}", "--no-control-socket", "--log-level", "warning"),
    *("--worker-class", "gthread", "--workers", "2", "--threads", "8", "--graceful-timeout", "3", "wsgi:app"),
]
WORKER = [sys.executable, "worker.py", "--processes", "2"]
SANDBOX = [sys.executable, "-m", "app.sandbox"]


def main() -> int:
    """The exit code: 0 after Ctrl-C or SIGTERM, 1 when something kept Todoke from running."""
    multiprocessing.set_start_method("fork")  # honcho's processes are to inherit the lock of the run
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        end = run(read_settings())
    except KeyboardInterrupt:
        return 0
    except ConfigurationError as error:
        end = f"Todoke cannot start, these settings are wrong:\n{error}"
    except StartError as error:
        end = str(error)
    except OSError as error:
        end = f"Todoke cannot start: {error.strerror or error}: {error.filename}"
    if end is None:
        return 0
    click.echo(end, err=True)
    return 1


def run(settings: Settings) -> str | None:
    """Runs until a signal (None) or until a process ends by itself (the sentence about it). Raises StartError."""
    embedded = "redis_url" not in settings.model_fields_set
    INSTANCE.mkdir(mode=0o700, exist_ok=True)
    with run_lock(INSTANCE / "run.lock", ADDRESS) as lock:
        check_ports({PORT: "the pages"} | ({SANDBOX_PORT: "the LINE sandbox"} if settings.sandbox else {}))
        if embedded:
            check_socket_path(INSTANCE / "broker.sock")
            check_nobody_serves(INSTANCE / "broker.sock")
            with broker_for_preparing(INSTANCE, lock):
                prepare(settings)
        else:
            prepare(settings)
        return serve(settings, lock, embedded)


def prepare(settings: Settings) -> None:
    click.echo("Preparing the database ...")
    migrate(ROOT)
    if settings.sandbox:  # the people of the demo are none of LINE's users, and their passwords are no secret
        load_demo(ROOT)
    elif settings.reaches_people or not settings.on_this_machine:
        refuse_demo(ROOT)


def serve(settings: Settings, lock: int, embedded: bool) -> str | None:
    sign_ins = demo_sign_ins() if settings.sandbox else []
    block = welcome(ADDRESS, sign_ins, SANDBOX_URL if settings.sandbox else None, settings.line_base)
    ready = {PORT: "/healthz"} | ({SANDBOX_PORT: "/"} if settings.sandbox else {})
    ended = threading.Event()
    announcer = threading.Thread(target=announce_when_ready, args=(ready, block, ended), daemon=True)

    processes = Processes(ROOT, lock, on_started=announcer.start)
    if embedded:
        processes.add("redis", broker_command(INSTANCE), needed_to_the_end=True)
    if settings.sandbox:
        processes.add("sandbox", SANDBOX)
    processes.add("web", WEB)
    processes.add("worker", WORKER)
    processes.loop()
    ended.set()
    return processes.how_it_ended()


if __name__ == "__main__":
    sys.exit(main())
