"""Tells, once the pages answer, where everything is."""

import socket
import threading

import click

from app import clock

WAIT_SECONDS = 60
POLL_SECONDS = 0.2
FIRST_ADMIN = (
    "No admin yet? .venv/bin/flask accounts create YOU@EXAMPLE.JP --name 'YOUR NAME' --role admin --password-stdin"
)


def announce_when_ready(ports: dict[int, str], block: str, given_up: threading.Event) -> None:
    """Prints the block as soon as each port, given with the path to ask for, answers 200; says so when none comes."""
    deadline = clock.monotonic() + WAIT_SECONDS
    while not all(_answers(port, path) for port, path in ports.items()):
        if given_up.wait(POLL_SECONDS):
            return
        if clock.monotonic() > deadline:
            click.echo(f"The pages do not answer after {WAIT_SECONDS} s; the lines above may say why.", err=True)
            return
    click.echo(block)


def welcome(address: str, sign_ins: list[tuple[str, str, str]], sandbox: str | None, line: str) -> str:
    """The block with the address, the sign-ins (e-mail, password, role) and where LINE messages go."""
    widest = max((len(email) for email, _, _ in sign_ins), default=0)
    lines = [
        f"Todoke is running at  {address}",
        "",
        *(f"  {role:<7} {email:<{widest}}  password: {password}" for email, password, role in sign_ins),
        *([] if sign_ins else [FIRST_ADMIN]),
        "",
        f"LINE sandbox at  {sandbox}  (no message leaves this machine)" if sandbox else f"LINE messages go to  {line}",
        "Ctrl-C stops everything; the data stays in instance/.",
    ]
    rule = "─" * max(map(len, lines))
    return "\n".join(["", rule, *lines, rule, ""])


def _answers(port: int, path: str) -> bool:
    # By hand: app/http.py is for what leaves this machine, and only posts.
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            return b" 200 " in connection.recv(20)
    except OSError:
        return False
