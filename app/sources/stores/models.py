"""Stores."""

from app.accounts.stores import Store as Store
