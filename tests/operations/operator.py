"""Whoever acts in these tests."""

from app.audit import Actor

OPERATOR = Actor(None, "青木 葵")
