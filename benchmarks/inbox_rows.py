"""A million notifications, of which three accounts have many: one reads all, one has few, one lost most rights."""

from sqlalchemy import text

from app.extensions import db

HOT, COOL, LOST = 1, 2, 3
"""20,000 unread; 200 unread; 20,000 unread of which the newest may no longer be read, and 20,000 older ones."""

ACCOUNTS, LEFT = 5000, 500
"""The first so many accounts are there to read and be told of; the ones after them have left."""
ALL = 1_000_000

_NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {0}) ",
    "postgresql": "WITH n(i) AS (SELECT generate_series(1, {0})) ",
}
_INSTANT = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f000', '2026-11-30', '-' || (i * 7) || ' seconds')",
    "postgresql": "timestamptz '2026-11-30 00:00:00+00' - i * interval '7 seconds'",
}


def fill() -> None:
    """Put them all in, in one transaction."""
    dialect = db.engine.dialect.name
    with db.engine.begin() as connection:
        for table, columns, values, number in _statements(_INSTANT[dialect]):
            numbers = _NUMBERS[dialect].format(number)
            connection.execute(text(f"INSERT INTO {table} ({columns}) {numbers} SELECT {values} FROM n"))
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if dialect == "sqlite" else "VACUUM ANALYZE"))


def _statements(instant: str) -> list[tuple[str, str, str, int]]:
    people = (
        "account",
        "id, email, name, role, language, active, created_at",
        f"i, 'a' || i || '@example.jp', 'name ' || i, 'member', 'en', i <= {ACCOUNTS}, {instant}",
        ACCOUNTS + LEFT,
    )
    columns = "account_id, event_key, kind, subject_type, subject_id, created_at"
    there, left = f"10 + i % {ACCOUNTS - 10}", f"{ACCOUNTS + 1} + i % {LEFT}"
    rows = [
        (str(HOT), "hot", there, 20_000),
        (str(COOL), "cool", there, 200),
        (str(LOST), "lost", f"CASE WHEN i <= 20000 THEN {left} ELSE {there} END", 40_000),
        (f"4 + i % {ACCOUNTS - 4}", "rest", there, ALL - 60_200),
    ]
    return [people] + [
        ("notification", columns, f"{account}, '{key}:' || i, 'greeting', 'account', {subject}, {instant}", number)
        for account, key, subject, number in rows
    ]
