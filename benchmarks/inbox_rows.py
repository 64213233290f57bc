"""A house full of notifications. Three accounts stand out: one has many, one few, one lost the right to its newest."""

from sqlalchemy import text

from app.extensions import db

HOT, COOL, LOST = 1, 2, 3
"""Many unread; 200 unread; as many, all older than as many others that may no longer be read."""

ACCOUNTS, LEFT = 5000, 500
"""The first so many accounts are there to read and be told of; the ones after them have left."""
EVERYBODY, MANY, FEW = 1_000_000, 20_000, 200

_NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {0}) ",
    "postgresql": "WITH n(i) AS (SELECT generate_series(1, {0})) ",
}
_INSTANT = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f000', '2026-11-30', '-' || (i * 7) || ' seconds')",
    "postgresql": "timestamptz '2026-11-30 00:00:00+00' - i * interval '7 seconds'",
}


def fill(everybody: int = EVERYBODY, many: int = MANY) -> None:
    """So many notifications in all, and so many for those who have many; in one transaction."""
    dialect = db.engine.dialect.name
    with db.engine.begin() as connection:
        for table, columns, values, number in _statements(_INSTANT[dialect], everybody, many):
            numbers = _NUMBERS[dialect].format(number)
            connection.execute(text(f"INSERT INTO {table} ({columns}) {numbers} SELECT {values} FROM n"))
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE" if dialect == "sqlite" else "VACUUM ANALYZE"))


def _statements(instant: str, everybody: int, many: int) -> list[tuple[str, str, str, int]]:
    people = (
        "account",
        "id, email, name, role, language, active, created_at",
        f"i, 'a' || i || '@example.jp', 'name ' || i, 'member', 'en', i <= {ACCOUNTS}, {instant}",
        ACCOUNTS + LEFT,
    )
    columns = "account_id, event_key, kind, subject_type, subject_id, created_at"
    there, left = f"10 + i % {ACCOUNTS - 10}", f"{ACCOUNTS + 1} + i % {LEFT}"
    rows = [
        (str(HOT), "hot", there, many),
        (str(COOL), "cool", there, FEW),
        (str(LOST), "lost", f"CASE WHEN i <= {many} THEN {left} ELSE {there} END", 2 * many),
        (f"4 + i % {ACCOUNTS - 4}", "rest", there, everybody - 3 * many - FEW),
    ]
    return [people] + [
        ("notification", columns, f"{account}, '{key}:' || i, 'greeting', 'account', {subject}, {instant}", number)
        for account, key, subject, number in rows
    ]
