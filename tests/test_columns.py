"""Instants and amounts survive both databases exactly, and compare like the time and the numbers they are."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from flask import Flask
from sqlalchemy import literal, select
from sqlalchemy.exc import StatementError

from app.accounts.models import Account
from app.columns import Amount
from app.extensions import db
from app.transaction import writing
from tests.factories import change, make_account

INSTANT = datetime(2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC)
TOKYO = timezone(timedelta(hours=9))


def test_instants_come_back_aware_exact_and_in_utc(app: Flask) -> None:
    account = make_account()
    for instant in (INSTANT, INSTANT.replace(microsecond=0), INSTANT.astimezone(TOKYO)):
        change(Account, account, created_at=instant)
        stored = db.session.scalar(select(Account.created_at))
        assert stored is not None
        assert (stored, stored.tzinfo) == (instant, UTC)


def test_instants_compare_as_time_whatever_zone_or_fraction_they_are_given_in(app: Flask) -> None:
    whole = INSTANT.replace(microsecond=0)
    change(Account, make_account(), created_at=whole)
    assert db.session.scalar(select(Account.created_at == whole.astimezone(TOKYO)))
    assert db.session.scalar(select(Account.created_at < whole + timedelta(microseconds=1)))
    assert not db.session.scalar(select(Account.created_at < whole))
    assert db.session.scalar(select(Account.created_at > (whole - timedelta(microseconds=1)).astimezone(TOKYO)))


def test_a_naive_instant_is_refused(app: Flask) -> None:
    account = make_account()
    naive = INSTANT.replace(tzinfo=None)
    with pytest.raises(StatementError, match="naive"):
        change(Account, account, created_at=naive)
    with pytest.raises(StatementError, match="naive"), writing() as tx:
        tx.session.scalar(select(Account.id).where(Account.created_at < naive))


@pytest.mark.parametrize("amount", ["1980", "0.01", "1234567890123.45", "0.0001", "-12.5"])
def test_amounts_come_back_exact_and_compare_as_numbers(app: Flask, amount: str) -> None:
    stored = literal(Decimal(amount), Amount)
    assert db.session.scalar(select(stored)) == Decimal(amount)
    assert db.session.scalar(select(stored < literal(Decimal(amount) + Decimal("0.0001"), Amount)))
    assert db.session.scalar(select(stored > literal(Decimal(amount) - 1, Amount)))


@pytest.mark.parametrize("amount", ["0.00001", "100000000000000"])
def test_an_amount_that_does_not_fit_is_refused(app: Flask, amount: str) -> None:
    with pytest.raises(StatementError, match="an amount has"):
        db.session.scalar(select(literal(Decimal(amount), Amount)))
