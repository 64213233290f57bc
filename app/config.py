"""Every setting, read once from the environment and checked at start; all faults are listed at once."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from app import tokens, vapid

ROOT = Path(__file__).resolve().parent.parent
INSTANCE = ROOT / "instance"
VAPID_FILE = "vapid_key"
LANGUAGES = ("ja", "en")

LINE_API = "https://api.line.me"
SANDBOX_PORT = 8001
SANDBOX_URL = f"http://127.0.0.1:{SANDBOX_PORT}"
SANDBOX_TOKEN = "sandbox"  # noqa: S105  # not a secret: it opens only the stand-in on this machine

PUSH_HOSTS = (
    "fcm.googleapis.com, android.googleapis.com, jmt17.google.com, push.services.mozilla.com, push.apple.com, "
    "notify.windows.com"
)
"""Chrome and Edge on Android, their older address, Chromium without Google's keys, Firefox, Safari, Edge on Windows."""

HTMX_CDN = "https://cdn.jsdelivr.net/npm/htmx.org@4.0.1/dist/htmx.min.js"


class ConfigurationError(Exception):
    """The environment is wrong; the text lists every fault, one a line, and no secret."""


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address such as https://todoke.example.jp")
    return value.rstrip("/")


def _database_url(value: str) -> str:
    try:
        backend = make_url(value).get_backend_name()
    except ArgumentError:
        backend = ""
    if backend not in ("sqlite", "postgresql"):
        raise ValueError("must be sqlite:///path or postgresql://user@host/name")
    return value


def _redis_url(value: str) -> str:
    if urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    return value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("must be a time zone such as Asia/Tokyo") from None
    return value


def _font_file(value: Path) -> Path:
    if not (value.is_file() and os.access(value, os.R_OK)):
        raise ValueError("must be the path of a font file such as NotoSansCJK-Regular.ttc")
    return value


def _names_this_machine(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _one_word(value: SecretStr) -> SecretStr:
    secret = value.get_secret_value()
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise ValueError("must be the token as LINE shows it: one word of letters, digits and signs")
    return value


def _vapid_key(value: SecretStr) -> SecretStr:
    vapid.public_key(value.get_secret_value())
    return value


def _vapid_subject(value: str) -> str:
    if not vapid.fits_subject(value):
        raise ValueError(
            "must be mailto:somebody@example.jp or https://example.jp, with a name that exists on the internet"
        )
    return value


_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}")


def _hosts(value: str) -> str:
    hosts = _words(value)
    if not hosts or not all(_HOST.fullmatch(host) for host in hosts):
        raise ValueError("must be host names such as fcm.googleapis.com, with commas between; each with all below it")
    return ", ".join(hosts)


def _words(value: str) -> list[str]:
    return value.lower().replace(",", " ").split()


HttpUrl = Annotated[str, AfterValidator(_http_url)]


class Settings(BaseSettings):
    """What the environment says. Field names are the variables of DESIGN.md section 8 in lower case."""

    model_config = SettingsConfigDict(env_ignore_empty=True, hide_input_in_errors=True)

    database_url: Annotated[str, AfterValidator(_database_url)] = f"sqlite:///{INSTANCE / 'todoke.db'}"
    redis_url: Annotated[str, AfterValidator(_redis_url)] = f"unix://{INSTANCE / 'broker.sock'}"
    base_url: HttpUrl = "http://127.0.0.1:8000"
    secret_key: Annotated[SecretStr | None, Field(min_length=16, validate_default=True)] = None
    timezone: Annotated[str, AfterValidator(_zone)] = "Asia/Tokyo"
    line_api_base: HttpUrl | None = None
    line_channel_access_token: Annotated[SecretStr, AfterValidator(_one_word)] | None = None
    line_liff_id: Annotated[str, Field(pattern=r"^[0-9]{6,12}-[A-Za-z0-9]{4,16}$")] | None = None
    line_group_id: Annotated[str, Field(pattern=r"^[CR][0-9a-f]{32}$")] | None = None
    vapid_private_key: Annotated[SecretStr, AfterValidator(_vapid_key)] | None = None
    vapid_subject: Annotated[str, AfterValidator(_vapid_subject)] | None = None
    push_allowed_hosts: Annotated[str, AfterValidator(_hosts)] = PUSH_HOSTS
    http_allow_loopback: bool = False
    htmx_url: HttpUrl = HTMX_CDN
    shift_font_path: Annotated[Path, AfterValidator(_font_file)] | None = None
    guests: bool | None = None
    outbox_max_retry: Annotated[int, Field(ge=1, le=20)] = 8
    trusted_proxies: Annotated[int, Field(ge=0, le=9)] = 0

    @field_validator("secret_key")
    @classmethod
    def _demand_in_production(cls, value: SecretStr | None, others: ValidationInfo) -> SecretStr | None:
        base_url = others.data.get("base_url")
        if value is None and base_url is not None and not _names_this_machine(base_url):
            raise ValueError("is required when BASE_URL is not on this machine: 16 characters or more, kept secret")
        return value

    @property
    def sandbox(self) -> bool:
        """True when neither a LINE token nor another LINE is set: messages go to the stand-in on this machine."""
        return self.line_channel_access_token is None and self.line_api_base is None

    @property
    def reaches_people(self) -> bool:
        """True when messages leave this machine: with a token, and to a LINE that is not a stand-in on loopback."""
        return self.line_channel_access_token is not None and not _names_this_machine(self.line_base)

    @property
    def on_this_machine(self) -> bool:
        """True when the pages are for this machine alone: what must not be on a public address may be here."""
        return _names_this_machine(self.base_url)

    @property
    def welcomes_guests(self) -> bool:
        """Whether strangers may watch prices without an account. Unless said, only where the pages are for this machine
        alone: elsewhere they would have it fetch pages for whoever comes by."""
        return self.on_this_machine if self.guests is None else self.guests

    @property
    def line_base(self) -> str:
        """Where LINE's API is spoken to."""
        return self.line_api_base or (SANDBOX_URL if self.sandbox else LINE_API)

    @property
    def line_token(self) -> str:
        """The bearer token for LINE, or for its stand-in."""
        token = self.line_channel_access_token
        return token.get_secret_value() if token else SANDBOX_TOKEN

    @property
    def push_subject(self) -> str:
        """The contact that push services get."""
        return self.vapid_subject or vapid.subject_for(self.base_url)

    @property
    def push_hosts(self) -> tuple[str, ...]:
        """The hosts, each with all below it, that pushes may go to."""
        return tuple(_words(self.push_allowed_hosts))

    @property
    def reaches_loopback(self) -> bool:
        """Whether a URL that came from a person may lead to this machine: to a stand-in, for tests and the demo.

        Without LINE the sandbox counts as on; where others can reach the pages, it is no reason to open this machine.
        """
        return self.http_allow_loopback or (self.sandbox and self.on_this_machine)

    @property
    def has_sandbox_devices(self) -> bool:
        """Whether the stand-in for LINE is asked for devices, too: where nothing reaches people anyway."""
        return self.reaches_loopback and _names_this_machine(self.line_base)

    def document_url(self, document_id: str) -> str:
        """Where a shift table opens: in LINE's own window when there is a LIFF id, else on our pages."""
        if self.line_liff_id:
            return f"https://liff.line.me/{self.line_liff_id}?document={document_id}"
        return f"{self.base_url}/liff?document={document_id}"

    def invitation_url(self, token: str) -> str:
        """Where the holder of an invitation sets a password. Not made of the request, whose host anybody chooses."""
        return f"{self.base_url}/invitations/{token}"

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which instants are shown and shift times are read."""
        return ZoneInfo(self.timezone)


def read_settings() -> Settings:
    """The settings of this process. Raises ConfigurationError with every fault at once."""
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigurationError("\n".join(_sentence(fault) for fault in error.errors(include_input=False))) from None


def _sentence(fault: Any) -> str:
    name = "_".join(str(part) for part in fault["loc"]).upper()
    text = str(fault["msg"]).removeprefix("Value error, ")
    return f"{name}: {text}" if name else text


def signing_key(settings: Settings) -> str:
    """The key for sessions: SECRET_KEY, or one made once under `instance/` and shared by all processes there."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    return _made_once("secret_key", tokens.signing_key)


def push_key(settings: Settings) -> str:
    """The private key for Web Push: VAPID_PRIVATE_KEY, or one made once under `instance/`.

    Raises ConfigurationError when the file cannot be read or holds no key: a new one instead would silence every
    browser unnoticed.
    """
    if settings.vapid_private_key is not None:
        return settings.vapid_private_key.get_secret_value()
    try:
        key = _made_once(VAPID_FILE, tokens.vapid_key).strip()
        vapid.public_key(key)
    except OSError as fault:
        raise ConfigurationError(f"{INSTANCE / VAPID_FILE}: cannot be read or made ({fault.strerror}).") from None
    except ValueError as fault:
        raise ConfigurationError(
            f"{INSTANCE / VAPID_FILE}: {fault}. Put the old key back, or delete the file."
        ) from None
    return key


def _made_once(name: str, make: Callable[[], str]) -> str:
    path = INSTANCE / name
    INSTANCE.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        # Linked into place whole: a process that starts at the same moment never reads half a key.
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(make())
        try:
            os.link(draft, path)
        finally:
            draft.unlink()
    return path.read_text()
