"""A wrong environment stops the start, with every fault at once and no secret."""

import pytest
from pydantic import SecretStr

from app.channels.web_push.authorization import Authorizer
from app.config import LINE_API, SANDBOX_TOKEN, SANDBOX_URL, ConfigurationError, Settings, read_settings
from app.vapid import SOMEBODY
from tests.fixtures.settings import VAPID_KEY

NAMES = [name.upper() for name in Settings.model_fields]


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_an_empty_environment_is_a_working_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "")
    settings = read_settings()
    assert settings.database_url.startswith("sqlite:///")
    assert settings.redis_url.startswith("unix:///")
    assert settings.zone.key == "Asia/Tokyo"


def test_every_fault_is_listed_at_once_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = {
        "DATABASE_URL": "mysql://host/name", "REDIS_URL": "http://host", "BASE_URL": "todoke.example.jp",
        "TIMEZONE": "Asia/Nowhere", "LINE_API_BASE": "ftp://host", "SECRET_KEY": "short", "HTMX_URL": "x",
    }  # fmt: skip
    for name, value in faulty.items():
        monkeypatch.setenv(name, value)
    lines = _complaint().splitlines()
    assert sorted(line.split(":")[0] for line in lines) == sorted(faulty)


def test_a_fault_tells_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "tooshort-secret")
    monkeypatch.setenv("DATABASE_URL", "mysql://user:hidden-password@host/name")
    monkeypatch.setenv("LINE_CHANNEL_ACCESS_TOKEN", "hidden-token")
    complaint = _complaint()
    assert "SECRET_KEY" in complaint
    assert not [secret for secret in ("tooshort", "hidden-password", "hidden-token") if secret in complaint]


def test_settings_do_not_show_their_secrets() -> None:
    assert "hidden" not in repr(Settings(line_channel_access_token=SecretStr("hidden-token")))


@pytest.mark.parametrize("url", ["sqlite", "postgres//x", "sqlite3:///x", "://", "oracle://host/name"])
def test_only_the_two_databases_are_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    assert "DATABASE_URL" in _complaint()


@pytest.mark.parametrize("zone", ["Tokyo", "../../etc/passwd", "/etc/localtime", "Asia", "９"])
def test_a_zone_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    monkeypatch.setenv("TIMEZONE", zone)
    assert "TIMEZONE" in _complaint()


@pytest.mark.parametrize("url", ["https://todoke.example.jp", "http://192.168.1.4:8000"])
def test_in_production_a_secret_key_is_required(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("BASE_URL", url)
    assert _complaint().startswith("SECRET_KEY: is required")
    monkeypatch.setenv("SECRET_KEY", "k" * 16)
    assert read_settings().base_url == url


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
def test_on_this_machine_a_secret_key_is_made(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("BASE_URL", f"{url}/")
    settings = read_settings()
    assert (settings.secret_key, settings.base_url) == (None, url)


def test_without_a_token_messages_go_to_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings()
    assert (settings.sandbox, settings.line_base, settings.line_token) == (True, SANDBOX_URL, SANDBOX_TOKEN)
    monkeypatch.setenv("LINE_CHANNEL_ACCESS_TOKEN", "t")
    settings = read_settings()
    assert (settings.sandbox, settings.line_base, settings.line_token) == (False, LINE_API, "t")
    monkeypatch.setenv("LINE_API_BASE", "http://127.0.0.1:9/")
    assert read_settings().line_base == "http://127.0.0.1:9"


@pytest.mark.parametrize(
    "key", ["key.pem", "/etc/ssl/private/vapid.pem", "A" * 42, "A" * 43, "_" * 43, "A" * 44, "ä" * 43, "-----BEGIN KEY"]
)
def test_a_vapid_key_that_is_none_stops_the_start_and_is_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
    complaint = _complaint()
    assert complaint.startswith("VAPID_PRIVATE_KEY: ")
    assert "flask vapid new" in complaint
    assert key not in complaint


@pytest.mark.parametrize(
    "subject",
    [
        "admin@example.jp", "mailto:", "mailto:admin", "mailto:admin@localhost", "mailto:a@b.local",
        "mailto:a@b.invalid", "mailto: a@example.jp", "mailto:a@example.jp ", "mailto:a b@example.jp",
        "mailto:a@192.168.1.1", "http://example.jp", "https://localhost", "https://x.LOCAL", "https://example.jp/contact",
        "https://例.jp", "tel:1",
    ],
)  # fmt: skip
def test_a_contact_that_some_push_service_refuses_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    monkeypatch.setenv("VAPID_SUBJECT", subject)
    assert _complaint().startswith("VAPID_SUBJECT: must be mailto:")


@pytest.mark.parametrize("subject", ["mailto:admin+push@mail.example.jp", "https://todoke.example.jp"])
def test_a_contact_is_an_address_or_a_site(monkeypatch: pytest.MonkeyPatch, subject: str) -> None:
    monkeypatch.setenv("VAPID_SUBJECT", subject)
    assert read_settings().push_subject == subject


@pytest.mark.parametrize(
    ("base_url", "subject"),
    [
        ("http://127.0.0.1:8000", SOMEBODY),
        ("https://todoke.example.jp", "https://todoke.example.jp"),
        ("https://todoke.example.jp:8443/inbox", "https://todoke.example.jp"),
        ("https://todoke.local", SOMEBODY),
        ("http://192.168.1.4:8000", SOMEBODY),
    ],
)
def test_without_a_contact_the_site_speaks_for_itself_where_it_can(base_url: str, subject: str) -> None:
    settings = Settings(base_url=base_url, secret_key=SecretStr("k" * 16))
    assert settings.push_subject == subject
    assert Authorizer(VAPID_KEY, subject).header_for("https://push.example"), "and the library signs for it"


@pytest.mark.parametrize("hosts", ["*", "https://fcm.googleapis.com", "localhost", "127.0.0.1", "a.jp:443", ".", ","])
def test_hosts_for_pushes_are_names_and_not_patterns_or_addresses(monkeypatch: pytest.MonkeyPatch, hosts: str) -> None:
    monkeypatch.setenv("PUSH_ALLOWED_HOSTS", hosts)
    assert _complaint().startswith("PUSH_ALLOWED_HOSTS: must be host names")


def test_hosts_for_pushes_are_told_apart_by_commas_or_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "push.apple.com" in read_settings().push_hosts
    monkeypatch.setenv("PUSH_ALLOWED_HOSTS", " Push.Example.jp,up.example.org  x.jp")
    assert read_settings().push_hosts == ("push.example.jp", "up.example.org", "x.jp")


@pytest.mark.parametrize(
    ("environment", "opened"),
    [
        ({}, True),
        ({"LINE_CHANNEL_ACCESS_TOKEN": "t"}, False),
        ({"LINE_CHANNEL_ACCESS_TOKEN": "t", "HTTP_ALLOW_LOOPBACK": "1"}, True),
        ({"BASE_URL": "https://todoke.example.jp", "SECRET_KEY": "k" * 16}, False),
    ],
)
def test_this_machine_is_open_to_peoples_urls_only_for_the_sandbox_or_when_asked(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], opened: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert read_settings().reaches_loopback is opened


def _complaint() -> str:
    with pytest.raises(ConfigurationError) as refused:
        read_settings()
    return str(refused.value)
