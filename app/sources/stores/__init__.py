"""Stores: their people, what is wrong there, and what their customers ask."""
